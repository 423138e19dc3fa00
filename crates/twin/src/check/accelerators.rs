//! Accelerators beside switches.

use std::collections::BTreeSet;

use lightloom_setup::Setup;
use lightloom_setup::params::Forwarding;

use super::{LONGEST, SLOWEST, SetupError};
use crate::switch::MOST_PORTS;

/// Checks that each accelerator is beside a switch of its own, and that its values can be.
pub(super) fn check(setup: &Setup<'_>) -> Result<(), SetupError> {
    const WHAT: &str = "accelerator";
    let mut seen = BTreeSet::new();
    for (number, (node, part)) in setup.accelerators.iter().enumerate() {
        let network = setup.network;
        if node.index() >= network.nodes() || network.is_host(*node) {
            return Err(SetupError::NoSwitch { what: WHAT, number, node: *node });
        }
        let refuse =
            |field, expected| Err(SetupError::Value { what: WHAT, number, field, expected });
        if !seen.insert(*node) {
            return refuse("node", "a switch without another accelerator");
        }
        if network.ports(*node).len() >= MOST_PORTS {
            return refuse("node", "a switch of fewer than 65,534 ports");
        }
        if part.port_rate < SLOWEST || part.rate < SLOWEST {
            return refuse("rate", "at least 1 kb/s");
        }
        if part.latency > LONGEST {
            return refuse("latency", "at most 2^60 ps");
        }
        if setup.params.switch.forwarding == Forwarding::CutThrough {
            return refuse("node", "switches that store and forward, as the accelerator does");
        }
    }
    Ok(())
}

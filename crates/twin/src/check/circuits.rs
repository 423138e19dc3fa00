//! The schedule of circuits.

use lightloom_setup::Setup;
use lightloom_units::Span;

use super::{LONGEST, SetupError};

/// Checks that each port for circuits has openings, and nothing else has any.
pub(super) fn check(setup: &Setup<'_>) -> Result<(), SetupError> {
    let refuse = |name, expected| Err(SetupError::Parameter { name, expected });
    let network = setup.network;
    let Some(circuits) = &setup.circuits else {
        return match network.circuits() {
            None => Ok(()),
            Some(_) => refuse("circuits", "a schedule, because the network has circuits"),
        };
    };
    if circuits.period == Span::ZERO || circuits.period > LONGEST {
        return refuse("circuits.period", "more than 0 s, and at most 2^60 ps");
    }
    let mut seen = std::collections::BTreeSet::new();
    for opening in &circuits.openings {
        let (node, port) = (opening.from, usize::from(opening.port));
        let is_there = node.index() < network.nodes() && port < network.ports(node).len();
        if !is_there || !network.is_circuit(node, port) || !seen.insert((node, port)) {
            return refuse("circuits.openings", "one for each port of a ToR to another ToR");
        }
        let mut end = Span::ZERO;
        for (number, &(from, to)) in opening.times.iter().enumerate() {
            if from >= to || to > circuits.period || (number > 0 && from < end) {
                return refuse(
                    "circuits.openings",
                    "times that ascend, apart from each other and within the period",
                );
            }
            end = to;
        }
        if opening.times.is_empty() {
            return refuse("circuits.openings", "a time for each, or packets wait for ever");
        }
    }
    let tors = network.switches();
    if seen.len() != tors * tors.saturating_sub(1) {
        return refuse("circuits.openings", "one for each port of a ToR to another ToR");
    }
    Ok(())
}

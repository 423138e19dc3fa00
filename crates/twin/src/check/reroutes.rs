//! Checks of changes of routes and of switches that begin anew.

use lightloom_setup::Service;
use lightloom_setup::Setup;

use super::{LATEST, SetupError};

/// Checks all of them.
pub(super) fn check(setup: &Setup<'_>) -> Result<(), SetupError> {
    let mut before = None;
    for (number, reroute) in setup.reroutes.iter().enumerate() {
        let refuse =
            |field, expected| Err(SetupError::Value { what: "reroute", number, field, expected });
        if reroute.at > LATEST || before.is_some_and(|before| reroute.at <= before) {
            return refuse("at", "later than that of the one before, and at most 2^63 ps");
        }
        before = Some(reroute.at);
        if !reroute.detours.fits(setup.network) {
            return refuse("detours", "those of the network");
        }
        for &group in &reroute.groups {
            super::multicast::group(setup, "reroute", number, group)?;
            let service = &setup.multicast.groups[group.0 as usize].service;
            if !matches!(service, Service::Reliable(_)) {
                return refuse("groups", "reliable groups");
            }
        }
    }
    for (number, restart) in setup.restarts.iter().enumerate() {
        super::multicast::switch(setup, "restart", number, restart.node)?;
        if restart.at > LATEST {
            let (field, expected) = ("at", "at most 2^63 ps");
            return Err(SetupError::Value { what: "restart", number, field, expected });
        }
    }
    Ok(())
}

//! What messages wait for: messages of whose arrival their senders know, and no ring of them.

use lightloom_setup::{Setup, first_ring};
use lightloom_topology::electrical::NodeId;

use super::SetupError;
use crate::packet::FlowId;

pub(super) fn check(setup: &Setup<'_>) -> Result<(), SetupError> {
    let casts = &setup.multicast.casts;
    for (number, flow) in setup.flows.iter().enumerate() {
        known(setup, ("flow", number, number), flow.from, &flow.after)?;
    }
    for (number, cast) in casts.iter().enumerate() {
        let of_all = setup.flows.len() + number;
        known(setup, ("cast", number, of_all), cast.from, &cast.after)?;
    }
    let first = setup.first_computation();
    for (number, computation) in setup.computations.iter().enumerate() {
        let own = ("computation", number, first + number);
        known(setup, own, computation.host, &computation.after)?;
        known(setup, own, computation.host, &computation.begun)?;
    }
    match first_ring(&setup.flows, &setup.computations, &setup.multicast) {
        None => Ok(()),
        Some(message) => Err(SetupError::Ring(message)),
    }
}

/// Whether a host knows when a message has arrived, or what it computes has ended; none where there is no such thing.
fn hears(setup: &Setup<'_>, what: FlowId, host: NodeId) -> Option<bool> {
    if let Some(flow) = setup.flows.get(what.index()) {
        return Some(flow.to == host || flow.from == host);
    }
    match what.index().checked_sub(setup.first_computation()) {
        None => Some(setup.multicast.hears(what.index() - setup.flows.len(), host)),
        Some(number) => setup.computations.get(number).map(|it| it.host == host),
    }
}

/// Whether a host knows when each of these messages has arrived. `of_all` is the number of the one that waits among all
/// messages.
fn known(
    setup: &Setup<'_>,
    (what, number, of_all): (&'static str, usize, usize),
    host: NodeId,
    after: &[FlowId],
) -> Result<(), SetupError> {
    for &before in after {
        match hears(setup, before, host) {
            Some(true) => {}
            Some(false) => return Err(SetupError::Elsewhere { flow: of_all, before }),
            None => {
                let (named, found) = ("message", before.0.into());
                return Err(SetupError::NoSuch { what, number, named, found });
            }
        }
    }
    Ok(())
}

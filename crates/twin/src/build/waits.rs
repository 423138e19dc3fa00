//! Messages that wait for others.

use lightloom_transport::messages::Waiter;

use crate::host::{Event, Host, Placed};
use crate::packet::FlowId;
use crate::setup::Setup;

/// Lets every message wait for those that it is after.
pub(super) fn add(setup: &Setup<'_>, hosts: &mut [Host<'_>], flows: &[Option<Placed>]) {
    for (flow, placed) in setup.flows.iter().zip(flows) {
        let Some(placed) = placed else { continue };
        for &before in &flow.after {
            wait(setup, &mut hosts[flow.from.index()], flows, (before, placed.from));
        }
    }
    for (place, cast) in setup.multicast.casts.iter().enumerate() {
        if cast.after.is_empty() {
            continue;
        }
        let host = &mut hosts[cast.from.index()];
        let Some(waiter) = sent(setup, host, place) else { continue };
        for &before in &cast.after {
            wait(setup, host, flows, (before, waiter));
        }
    }
}

/// The number of a message to a group among all messages.
fn number(setup: &Setup<'_>, cast: usize) -> FlowId {
    FlowId(u32::try_from(setup.flows.len() + cast).unwrap_or(u32::MAX))
}

/// The number of the endpoint of the group of a message at a host.
fn of_group(setup: &Setup<'_>, host: &Host<'_>, cast: usize) -> Option<u32> {
    let group = Some(setup.multicast.casts.get(cast)?.to);
    let mut slots = (0..).zip(&host.slots);
    slots.find_map(|(number, slot)| (slot.endpoint.transport().group() == group).then_some(number))
}

/// Where a host sends a message to a group.
fn sent(setup: &Setup<'_>, host: &Host<'_>, cast: usize) -> Option<Waiter> {
    let endpoint = of_group(setup, host, cast)?;
    let sender = host.slots[endpoint as usize].endpoint.transport();
    Some(Waiter { endpoint, message: sender.sends(number(setup, cast))? })
}

/// Lets a message of a host wait until another is there; where the host itself sends that, until it is acknowledged.
fn wait(
    setup: &Setup<'_>,
    host: &mut Host<'_>,
    flows: &[Option<Placed>],
    (before, waiter): (FlowId, Waiter),
) {
    let Some(cast) = before.index().checked_sub(flows.len()) else {
        let Some(placed) = flows[before.index()] else { return };
        let (of, event) = match setup.flows[before.index()].from == host.desk.host {
            true => (placed.from.endpoint, Event::Acknowledged(placed.from.message)),
            false => (placed.to.endpoint, Event::Arrived(placed.to.message)),
        };
        host.slots[of as usize].endpoint.transport_mut().then(event, waiter);
        return;
    };
    let Some(endpoint) = of_group(setup, host, cast) else { return };
    let endpoint = host.slots[endpoint as usize].endpoint.transport_mut();
    let acknowledged = endpoint.sends(before).map(Event::Acknowledged);
    if acknowledged.is_some_and(|event| endpoint.then(event, waiter)) {
        return;
    }
    if let Some(message) = endpoint.receives(before) {
        endpoint.then(Event::Arrived(message), waiter);
    }
}

//! Messages and computations that wait for others.

use lightloom_setup::Setup;
use lightloom_transport::messages::Waiter;

use crate::host::{Event, Host, Placed};
use crate::packet::FlowId;

/// Lets every message and every computation wait for those that it is after.
pub(super) fn add(setup: &Setup<'_>, hosts: &mut [Host<'_>], placed: &[Option<Placed>]) {
    let flows = setup.flows.iter().map(|flow| (flow.from, &flow.after)).zip(placed);
    let computed = &placed[setup.first_computation()..];
    let computations = setup.computations.iter().map(|it| (it.host, &it.after)).zip(computed);
    for (said, own) in setup.computations.iter().zip(computed) {
        let Some(own) = own else { continue };
        for before in said.begun.iter().filter_map(|before| placed[before.index()]) {
            let of = &mut hosts[said.host.index()].slots[before.from.endpoint as usize].endpoint;
            of.transport_mut().then(Event::Begun(before.from.message), own.from);
        }
    }
    for ((host, after), own) in flows.chain(computations) {
        let Some(own) = own else { continue };
        for &before in after {
            wait(setup, &mut hosts[host.index()], placed, (before, own.from));
        }
    }
    for (place, cast) in setup.multicast.casts.iter().enumerate() {
        if cast.after.is_empty() {
            continue;
        }
        let host = &mut hosts[cast.from.index()];
        let Some(waiter) = sent(setup, host, place) else { continue };
        for &before in &cast.after {
            wait(setup, host, placed, (before, waiter));
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
/// What it computes is waited for until it has ended.
fn wait(
    setup: &Setup<'_>,
    host: &mut Host<'_>,
    placed: &[Option<Placed>],
    (before, waiter): (FlowId, Waiter),
) {
    if let Some(placed) = placed[before.index()] {
        let (of, event) = match setup.flows.get(before.index()) {
            None => (placed.from.endpoint, Event::Computed(placed.from.message)),
            Some(flow) if flow.from == host.desk.host => {
                (placed.from.endpoint, Event::Acknowledged(placed.from.message))
            }
            Some(_) => (placed.to.endpoint, Event::Arrived(placed.to.message)),
        };
        host.slots[of as usize].endpoint.transport_mut().then(event, waiter);
        return;
    }
    let Some(cast) = before.index().checked_sub(setup.flows.len()) else { return };
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

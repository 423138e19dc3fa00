//! Messages that wait for others.

use lightloom_transport::messages::Waiter;

use crate::host::{Endpoint, Host};
use crate::packet::{Dest, FlowId};
use crate::setup::Setup;

/// Where a flow is: the endpoint and the message at each end.
pub(super) struct Placed {
    pub(super) from: u32,
    pub(super) outgoing: u32,
    pub(super) to: u32,
    pub(super) incoming: u32,
}

/// Lets every message wait for those that it is after.
pub(super) fn add(setup: &Setup<'_>, hosts: &mut [Host<'_>], flows: &[Placed]) {
    for (flow, at) in setup.flows.iter().zip(flows) {
        let waiter = Waiter { endpoint: at.from, message: at.outgoing };
        for &before in &flow.after {
            wait(setup, &mut hosts[flow.from.index()], flows, (before, waiter));
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

/// The endpoint of the group of a message at a host.
fn endpoint<'h>(
    setup: &Setup<'_>,
    host: &'h mut Host<'_>,
    cast: usize,
) -> Option<(u32, &'h mut Endpoint)> {
    let group = Dest::group(setup.multicast.casts.get(cast)?.to);
    let mut slots = (0..).zip(&mut host.slots);
    slots.find_map(|(number, slot)| {
        let is_it = match &slot.endpoint {
            Endpoint::Member(member) => member.group == group,
            Endpoint::Datagrams(datagrams) => datagrams.group == group,
            Endpoint::Rc(_) | Endpoint::Stream(_) | Endpoint::Controller(_) => false,
        };
        is_it.then_some((number, &mut slot.endpoint))
    })
}

/// Where a host sends a message to a group.
fn sent(setup: &Setup<'_>, host: &mut Host<'_>, cast: usize) -> Option<Waiter> {
    let message = number(setup, cast);
    let (endpoint, found) = endpoint(setup, host, cast)?;
    let place = match found {
        Endpoint::Member(member) => {
            member.rc.sender.as_ref()?.messages.iter().position(|sent| sent.flow == message)
        }
        Endpoint::Datagrams(datagrams) => {
            datagrams.out.iter().position(|sent| sent.flow == message)
        }
        Endpoint::Rc(_) | Endpoint::Stream(_) | Endpoint::Controller(_) => None,
    };
    Some(Waiter { endpoint, message: u32::try_from(place?).ok()? })
}

/// Lets a message of a host wait until another is there; where the host itself sends that, until it is acknowledged.
fn wait(
    setup: &Setup<'_>,
    host: &mut Host<'_>,
    flows: &[Placed],
    (before, waiter): (FlowId, Waiter),
) {
    let Some(cast) = before.index().checked_sub(flows.len()) else {
        let handed = &flows[before.index()];
        if let Endpoint::Rc(rc) = &mut host.slots[handed.to as usize].endpoint {
            rc.hand_on(handed.incoming, waiter);
        }
        return;
    };
    let own = sent(setup, host, cast);
    match endpoint(setup, host, cast) {
        Some((_, Endpoint::Member(member))) => {
            if let Some(own) = own {
                member.then.push((own.message, waiter));
                return;
            }
            let receiver = member.rc.receiver.as_ref();
            let place =
                receiver.and_then(|half| half.messages.iter().position(|came| came.flow == before));
            if let Some(place) = place.and_then(|place| u32::try_from(place).ok()) {
                member.rc.hand_on(place, waiter);
            }
        }
        Some((_, Endpoint::Datagrams(datagrams))) => {
            if let Some(message) = datagrams.into.iter_mut().find(|came| came.flow == before) {
                message.then.push(waiter);
            }
        }
        _ => {}
    }
}

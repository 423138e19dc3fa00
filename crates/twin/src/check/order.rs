//! What messages wait for: messages of whose arrival their senders know, and no ring of them.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;

use super::SetupError;
use crate::multicast::{Multicast, Service};
use crate::packet::FlowId;
use crate::setup::{Flow, Setup};

pub(super) fn check(setup: &Setup<'_>) -> Result<(), SetupError> {
    let casts = &setup.multicast.casts;
    for (number, flow) in setup.flows.iter().enumerate() {
        known(setup, ("flow", number, number), flow.from, &flow.after)?;
    }
    for (number, cast) in casts.iter().enumerate() {
        let of_all = setup.flows.len() + number;
        known(setup, ("cast", number, of_all), cast.from, &cast.after)?;
    }
    match first_ring(&setup.flows, &setup.multicast) {
        None => Ok(()),
        Some(message) => Err(SetupError::Ring(message)),
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
        let is_known = match before.index().checked_sub(setup.flows.len()) {
            None => {
                let flow = &setup.flows[before.index()];
                flow.to == host || flow.from == host
            }
            Some(cast) if cast < setup.multicast.casts.len() => setup.multicast.hears(cast, host),
            Some(_) => {
                let (named, found) = ("flow", before.0.into());
                return Err(SetupError::NoSuch { what, number, named, found });
            }
        };
        if !is_known {
            return Err(SetupError::Elsewhere { flow: of_all, before });
        }
    }
    Ok(())
}

/// The first message that waits for itself: each goes after those that it waits for, and after the one before it on its
/// connection or in its group. Messages to groups have numbers after all flows. Where only flows wait,
/// for earlier ones, there is none, and nothing is built.
pub fn first_ring(flows: &[Flow], multicast: &Multicast) -> Option<usize> {
    let is_earlier =
        |(number, flow): (usize, &Flow)| flow.after.iter().all(|before| before.index() < number);
    let casts_wait = multicast.casts.iter().any(|cast| !cast.after.is_empty());
    if !casts_wait && flows.iter().enumerate().all(is_earlier) {
        return None;
    }
    // Messages that wait for each message, and how many each waits for.
    let all = flows.len() + multicast.casts.len();
    let mut then: Vec<Vec<usize>> = vec![Vec::new(); all];
    let mut missing: Vec<usize> = vec![0; all];
    let mut wait = |number: usize, before: usize| {
        if let Some(then) = then.get_mut(before) {
            then.push(number);
            missing[number] += 1;
        }
    };
    let mut last: BTreeMap<(u32, NodeId), usize> = BTreeMap::new();
    for (number, flow) in flows.iter().enumerate() {
        let on = flow.connection.and_then(|name| last.insert((name, flow.from), number));
        for before in flow.after.iter().map(|before| before.index()).chain(on) {
            wait(number, before);
        }
    }
    // Those of a reliable group go one after the other; of datagrams, those of each sender. What waits for messages to
    // groups that do not exist is refused elsewhere.
    let mut last: BTreeMap<(u32, Option<NodeId>), usize> = BTreeMap::new();
    for place in multicast.in_turn() {
        let (cast, number) = (&multicast.casts[place as usize], flows.len() + place as usize);
        let group = multicast.groups.get(cast.to.0 as usize);
        let is_datagram = group.is_some_and(|group| group.service == Service::Datagrams);
        let on = last.insert((cast.to.0, is_datagram.then_some(cast.from)), number);
        for before in cast.after.iter().map(|before| before.index()).chain(on) {
            wait(number, before);
        }
    }
    let mut ready: Vec<usize> = (0..all).filter(|&number| missing[number] == 0).collect();
    while let Some(number) = ready.pop() {
        for &next in &then[number] {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push(next);
            }
        }
    }
    missing.iter().position(|&missing| missing > 0)
}

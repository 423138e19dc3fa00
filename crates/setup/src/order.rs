//! Whether messages and computations wait for each other in a ring.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;

use crate::multicast::{Multicast, Service};
use crate::setup::{Computation, Flow};

/// The first message or computation that waits for itself: each goes after those that it waits for, and after the one
/// before it on its connection or in its group. Messages to groups have numbers after all flows, computations after
/// these. Where only flows wait, for earlier ones, there is none, and nothing is built.
pub fn first_ring(
    flows: &[Flow],
    computations: &[Computation],
    multicast: &Multicast,
) -> Option<usize> {
    let is_earlier =
        |(number, flow): (usize, &Flow)| flow.after.iter().all(|before| before.index() < number);
    let others_wait = multicast.casts.iter().any(|cast| !cast.after.is_empty())
        || computations.iter().any(|it| !it.after.is_empty() || !it.begun.is_empty());
    if !others_wait && flows.iter().enumerate().all(is_earlier) {
        return None;
    }
    // Messages that wait for each message, and how many each waits for.
    let first = flows.len() + multicast.casts.len();
    let all = first + computations.len();
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
    for (number, computation) in (first..).zip(computations) {
        let before = computation.after.iter().chain(&computation.begun);
        before.for_each(|before| wait(number, before.index()));
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

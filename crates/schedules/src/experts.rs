//! Tokens of a mixture of experts (Shazeer et al.: Outrageously large neural networks, ICLR 2017; GShard: Lepikhin et
//! al., ICLR 2021): a member sends each of its tokens to the members with the experts that the router chose (dispatch),
//! and what these make of it comes back (combine). Experts of the member itself cost no message.

use std::collections::BTreeMap;

use crate::given::{Given, Route};
use crate::graph::{Blocks, Graph, MessageId};

/// A message from each member to each other one that takes tokens of it, with all of these.
pub(crate) fn dispatch(given: &Given, in_rounds: bool) -> Graph {
    exchange(given, in_rounds, |route, expert| (route.from, expert))
}

/// The same, back.
pub(crate) fn combine(given: &Given, in_rounds: bool) -> Graph {
    exchange(given, in_rounds, |route, expert| (expert, route.from))
}

/// Each member sends those of its tokens that others take to all; who does not take a token filters it. With k members
/// at a time, each waits for the one that comes k before it.
pub(crate) fn multicast(given: &Given) -> Graph {
    let mut routes: Vec<&Route> = given.routes.iter().filter(|route| is_sent(route)).collect();
    routes.sort_by_key(|route| route.from);
    let mut graph =
        Graph::new(given.members, token(given) * routes.len() as u64, routes.len() as u64);
    graph.needed_by(routes.iter().map(|route| others(route).collect()));
    let mut sent: Vec<MessageId> = Vec::new();
    let mut first = 0;
    for of_member in routes.chunk_by(|a, b| a.from == b.from) {
        let turn = sent.len().checked_sub(given.at_once.max(1) as usize).map(|before| sent[before]);
        let count = of_member.len() as u64;
        sent.push(graph.multicast(of_member[0].from, Blocks { first, count }, turn));
        first += count;
    }
    graph
}

/// A block for each token at each expert that is elsewhere, by who sends it to whom.
fn exchange(given: &Given, in_rounds: bool, ends: impl Fn(&Route, u32) -> (u32, u32)) -> Graph {
    let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for route in given.routes {
        for expert in others(route) {
            *counts.entry(ends(route, expert)).or_default() += 1;
        }
    }
    let blocks = counts.values().sum();
    let mut graph = Graph::new(given.members, token(given).saturating_mul(blocks), blocks);
    let mut first = 0;
    // By the distance round the members, as in an all-to-all.
    let mut messages: Vec<(u32, u32, u32, Blocks)> = Vec::new();
    for ((from, to), count) in counts {
        let distance = (to + given.members - from) % given.members;
        messages.push((distance, from, to, Blocks { first, count }));
        first += count;
    }
    messages.sort_by_key(|(distance, from, ..)| (*distance, *from));
    let members = given.members as usize;
    let (mut sent, mut came) = (vec![None; members], vec![None; members]);
    for round in messages.chunk_by(|a, b| a.0 == b.0) {
        let mut next = came.clone();
        for &(_, from, to, blocks) in round {
            let before = [sent[from as usize], came[from as usize]].into_iter().flatten();
            let after: Vec<MessageId> = if in_rounds { before.collect() } else { Vec::new() };
            let message = graph.send(from, to, blocks, after);
            (sent[from as usize], next[to as usize]) = (Some(message), Some(message));
        }
        came = next;
    }
    graph
}

/// Number of messages at most, of all schedules.
pub(crate) fn most_messages(given: &Given) -> u64 {
    let pairs: u64 = given.routes.iter().map(|route| route.to.len() as u64).sum();
    pairs.min(u64::from(given.members).saturating_mul(given.members.into()))
}

/// Whether another member takes a token.
pub(crate) fn is_sent(route: &Route) -> bool {
    others(route).next().is_some()
}

/// The other members that take a token.
fn others(route: &Route) -> impl Iterator<Item = u32> {
    route.to.iter().copied().filter(|expert| *expert != route.from)
}

/// Bytes of a token.
fn token(given: &Given) -> u64 {
    given.bytes / (given.routes.len() as u64).max(1)
}

//! Messages to a group: over light, or copied by switches (cepheus:III-A.qp, gleam:3.3.qp).

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};
use crate::ring;

/// One message to all.
pub(crate) fn broadcast(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    graph.multicast(0, Blocks::one(0), None);
    graph
}

/// Each member sends its block to all others. With k members at a time, member i waits for the message of member i - k.
pub(crate) fn allgather(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    gather(&mut graph, given.at_once, &vec![None; given.members as usize]);
    graph
}

/// The sums of a ring's reduce-scatter, gathered by messages to the group.
pub(crate) fn allreduce(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    let last = ring::reduce(&mut graph);
    gather(&mut graph, given.at_once, &last);
    graph
}

/// Member i sends block i, after the message that it begins after.
fn gather(graph: &mut Graph, at_once: u32, begins: &[Option<MessageId>]) {
    let mut sent: Vec<MessageId> = Vec::new();
    for (member, begins) in (0..graph.members()).zip(begins) {
        let turn = member.checked_sub(at_once.max(1)).map(|before| sent[before as usize]);
        let after = turn.into_iter().chain(*begins);
        sent.push(graph.multicast(member, Blocks::one(member.into()), after));
    }
}

//! Broadcasts of panels in HPL (Petitet, Whaley, Dongarra, Cleary: HPL, the section on panel broadcast): whole messages
//! along rings. A message goes on when it has come, and a member that sends twice sends one after the other.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// 0 to 1, 1 to 2, and so on.
pub(crate) fn increasing_ring(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    along(&mut graph, (0, None), 1..given.members);
    graph
}

/// 0 to 1, then 0 to 2, 2 to 3, and so on: the next to compute is served first, and hands nothing on.
pub(crate) fn modified_ring(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    let first = graph.send(0, 1, Blocks::one(0), None);
    along(&mut graph, (0, Some(first)), 2..given.members);
    graph
}

/// 0 to 1, then 0 to n/2, and from both on along a half of the ring.
pub(crate) fn two_rings(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    let middle = (given.members / 2).max(2);
    let first = graph.send(0, 1, Blocks::one(0), None);
    along(&mut graph, (1, Some(first)), 2..middle);
    along(&mut graph, (0, Some(first)), middle..given.members);
    graph
}

/// From a member, after a message, to the first of these, and from each to the next.
fn along(
    graph: &mut Graph,
    (from, after): (u32, Option<MessageId>),
    members: std::ops::Range<u32>,
) {
    let (mut from, mut after) = (from, after);
    for to in members {
        after = Some(graph.send(from, to, Blocks::one(0), after));
        from = to;
    }
}

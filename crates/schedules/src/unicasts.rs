//! A message of the root to each other member (cepheus:II-C.overlays): what a group saves.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// One message after the other: the next goes when the last is acknowledged.
pub(crate) fn sequential(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    let mut last: Option<MessageId> = None;
    for member in 1..given.members {
        last = Some(graph.send(0, member, Blocks::one(0), last));
    }
    graph
}

/// All messages at once.
pub(crate) fn concurrent(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    for member in 1..given.members {
        graph.send(0, member, Blocks::one(0), None);
    }
    graph
}

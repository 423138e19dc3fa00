//! Scatter and allgather (van de Geijn; Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
//! Operations in MPICH, IJHPCA 19, 2005): the root cuts the message into a block for each member, sends these down a
//! binomial tree, and all gather them. So a long message crosses the root's link twice, whatever the number of members.

use crate::binomial::down;
use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};
use crate::recursive;
use crate::ring;

/// The blocks go round a ring.
pub(crate) fn ring(given: &Given) -> Graph {
    let (mut graph, last) = scattered(given);
    ring::gather(&mut graph, &last);
    graph
}

/// The blocks are exchanged with partners at doubled distances. `given.members` is a power of two.
pub(crate) fn doubling(given: &Given) -> Graph {
    let (mut graph, last) = scattered(given);
    let begun = last.into_iter().map(|last| last.into_iter().collect()).collect();
    recursive::gather(&mut graph, begun);
    graph
}

/// Member i has block i. Returns the last message of the scatter that each member took part in.
pub(crate) fn scattered(given: &Given) -> (Graph, Vec<Option<MessageId>>) {
    let mut graph = given.graph(given.members.into());
    let last = down(&mut graph, |part| Blocks {
        first: part.start.into(),
        count: (part.end - part.start).into(),
    });
    (graph, last)
}

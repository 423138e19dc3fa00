//! A chain with slices (cepheus:II-C.overlays; RDMC: Behrens, Jha, Birman, Tremel, DSN 2018): each hands a
//! slice on to the next as soon as it has it. With n members and k slices it takes n + k - 2 rounds.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

pub(crate) fn broadcast(given: &Given) -> Graph {
    let slices = given.slices(given.bytes);
    let mut graph = given.graph(slices);
    for slice in 0..slices {
        let mut before: Option<MessageId> = None;
        for member in 1..given.members {
            before = Some(graph.send(member - 1, member, Blocks::one(slice), before));
        }
    }
    graph
}

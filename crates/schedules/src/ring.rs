//! Blocks round a ring (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH,
//! IJHPCA 19, 2005; Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms, JPDC 69, 2009): in each of n - 1 rounds
//! everybody sends a block to the next member and receives one from the one before.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// Member i begins with block i, and all end with all.
pub(crate) fn allgather(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    gather(&mut graph, &vec![None; given.members as usize]);
    graph
}

/// Member i ends with the sum of block i.
pub(crate) fn reduce_scatter(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    reduce(&mut graph);
    graph
}

/// Reduce-scatter, then allgather.
pub(crate) fn allreduce(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    let last = reduce(&mut graph);
    gather(&mut graph, &last);
    graph
}

/// Member i has block i, and begins after a message.
pub(crate) fn gather(graph: &mut Graph, begins: &[Option<MessageId>]) {
    let members = graph.members();
    let mut came = begins.to_vec();
    for round in 0..members - 1 {
        let mut next = vec![None; came.len()];
        for from in 0..members {
            let block = (from + members - round) % members;
            let to = (from + 1) % members;
            let message = graph.send(from, to, Blocks::one(block.into()), came[from as usize]);
            next[to as usize] = Some(message);
        }
        came = next;
    }
}

/// Adds up the blocks on their way round, until member i has the sum of block i. Returns the last message to each.
pub(crate) fn reduce(graph: &mut Graph) -> Vec<Option<MessageId>> {
    let members = graph.members();
    let mut came: Vec<Option<MessageId>> = vec![None; members as usize];
    for round in 0..members - 1 {
        let mut next = vec![None; came.len()];
        for from in 0..members {
            let block = (from + 2 * members - round - 1) % members;
            let to = (from + 1) % members;
            let blocks = Blocks::one(block.into());
            next[to as usize] = Some(graph.send_to_add(from, to, blocks, came[from as usize]));
        }
        came = next;
    }
    came
}

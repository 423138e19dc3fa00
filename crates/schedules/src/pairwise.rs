//! All to all (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH,
//! IJHPCA 19, 2005): in round i everybody sends to the i-th member after it. Block (i, j) of the members is what i
//! sends to j.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// A round begins at a member when it has sent and received what the round before had for it.
pub(crate) fn all_to_all(given: &Given) -> Graph {
    let members = given.members as usize;
    let mut graph = blocks_of_all(given);
    let mut sent: Vec<Option<MessageId>> = vec![None; members];
    let mut came: Vec<Option<MessageId>> = vec![None; members];
    for round in 1..given.members {
        let mut next = vec![None; members];
        for from in 0..given.members {
            let to = (from + round) % given.members;
            let after = sent[from as usize].into_iter().chain(came[from as usize]);
            let message = graph.send(from, to, block(given, from, to), after);
            (sent[from as usize], next[to as usize]) = (Some(message), Some(message));
        }
        came = next;
    }
    graph
}

/// All messages at once.
pub(crate) fn concurrent(given: &Given) -> Graph {
    let mut graph = blocks_of_all(given);
    for round in 1..given.members {
        for from in 0..given.members {
            let to = (from + round) % given.members;
            graph.send(from, to, block(given, from, to), None);
        }
    }
    graph
}

/// The buffers of all members in a row.
fn blocks_of_all(given: &Given) -> Graph {
    let members = u64::from(given.members);
    Graph::new(given.members, given.bytes.saturating_mul(members), members * members)
}

/// What a member sends to another.
fn block(given: &Given, from: u32, to: u32) -> Blocks {
    Blocks::one(u64::from(from) * u64::from(given.members) + u64::from(to))
}

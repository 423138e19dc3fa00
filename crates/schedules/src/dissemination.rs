//! The dissemination barrier (Hensgen, Finkel, Manber: Two algorithms for barrier synchronization, International
//! Journal of Parallel Programming 17, 1988): ⌈log2 n⌉ rounds of empty messages to members at doubled distances.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

pub(crate) fn barrier(given: &Given) -> Graph {
    let members = given.members;
    let mut graph = Graph::new(members, 0, 0);
    let mut came: Vec<Vec<MessageId>> = vec![Vec::new(); members as usize];
    let mut distance = 1;
    while distance < members {
        let mut sent = Vec::new();
        for from in 0..members {
            let to = (from + distance) % members;
            let after = came[from as usize].iter().copied();
            sent.push((to, graph.send(from, to, Blocks::NONE, after)));
        }
        for (to, message) in sent {
            came[to as usize].push(message);
        }
        distance = distance.saturating_mul(2);
    }
    graph
}

//! Bruck's allgather (Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient Algorithms for All-to-All Communications in
//! Multiport Message-Passing Systems, IEEE TPDS 8, 1997): ⌈log2 n⌉ rounds for any number of members.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// Member i begins with block i. In each round it sends all that it has, as far as it is lacking there, to the member
/// that is as far before it.
pub(crate) fn allgather(given: &Given) -> Graph {
    let members = given.members;
    let mut graph = given.graph(members.into());
    let mut came: Vec<Vec<MessageId>> = vec![Vec::new(); members as usize];
    let mut distance = 1;
    while distance < members {
        let count = distance.min(members - distance);
        let mut sent = Vec::new();
        for from in 0..members {
            let to = (from + members - distance) % members;
            let blocks = Blocks { first: from.into(), count: count.into() };
            let after = came[from as usize].iter().copied();
            sent.push((to, graph.send(from, to, blocks, after)));
        }
        for (to, message) in sent {
            came[to as usize].push(message);
        }
        distance = distance.saturating_mul(2);
    }
    graph
}

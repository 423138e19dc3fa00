//! A binomial tree (cepheus:II-C.overlays; Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
//! Operations in MPICH, IJHPCA 19, 2005): whoever has the message sends it to one that lacks it, the largest part of
//! the tree first. With n members it takes ⌈log2 n⌉ rounds.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

pub(crate) fn broadcast(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    down(&mut graph, |_| Blocks::one(0));
    graph
}

/// Sends down a binomial tree from member 0: to the member at the top of a part of the tree, with its members, the
/// blocks that they need. Returns, for each member, the last message that it took part in.
pub(crate) fn down(
    graph: &mut Graph,
    blocks: impl Fn(std::ops::Range<u32>) -> Blocks,
) -> Vec<Option<MessageId>> {
    let members = graph.members();
    let mut last: Vec<Option<MessageId>> = vec![None; members as usize];
    let mut size = members.next_power_of_two();
    while size > 1 {
        let half = size / 2;
        for from in (0..members).step_by(size as usize) {
            let to = from + half;
            if to >= members {
                continue;
            }
            let part = to..members.min(to.saturating_add(half));
            // What it received, or sent before.
            let message = graph.send(from, to, blocks(part), last[from as usize]);
            (last[from as usize], last[to as usize]) = (Some(message), Some(message));
        }
        size = half;
    }
    last
}

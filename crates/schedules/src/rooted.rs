//! Operations with a root beside the broadcast (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
//! Operations in MPICH, IJHPCA 19, 2005): parts go out from it, or come to it, or are added up on their way to it.
//! Block i is the part of member i.

use crate::binomial::down;
use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// Parts go down a binomial tree: to the member at the top of a part of the tree with those of its members.
pub(crate) fn scatter(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    down(&mut graph, parts);
    graph
}

/// The root sends all parts at once.
pub(crate) fn scatter_at_once(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    for member in 1..given.members {
        graph.send(0, member, Blocks::one(member.into()), None);
    }
    graph
}

/// Parts come up a binomial tree: each member sends its own with those of the members below it.
pub(crate) fn gather(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    up(&mut graph, |graph, (from, to), part, came| graph.send(from, to, parts(part), came));
    graph
}

/// All send their parts at once.
pub(crate) fn gather_at_once(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    for member in 1..given.members {
        graph.send(member, 0, Blocks::one(member.into()), None);
    }
    graph
}

/// Sums come up a binomial tree.
pub(crate) fn reduce(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    up(&mut graph, |graph, (from, to), _, came| graph.send_to_add(from, to, Blocks::one(0), came));
    graph
}

/// All send what they have at once, and the root adds it up.
pub(crate) fn reduce_at_once(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    for member in 1..given.members {
        graph.send_to_add(member, 0, Blocks::one(0), None);
    }
    graph
}

/// The parts of members that follow each other.
fn parts(of: std::ops::Range<u32>) -> Blocks {
    Blocks { first: of.start.into(), count: (of.end - of.start).into() }
}

/// Sends up a binomial tree to member 0: from the member at the top of a part of the tree, with its members, when all
/// of them have sent.
fn up(
    graph: &mut Graph,
    send: impl Fn(&mut Graph, (u32, u32), std::ops::Range<u32>, Vec<MessageId>) -> MessageId,
) {
    let members = graph.members();
    let mut came: Vec<Vec<MessageId>> = vec![Vec::new(); members as usize];
    let mut half = 1;
    while half < members {
        for to in (0..members - half).step_by(2 * half as usize) {
            let from = to + half;
            let part = from..members.min(from.saturating_add(half));
            let below = std::mem::take(&mut came[from as usize]);
            let message = send(graph, (from, to), part, below);
            came[to as usize].push(message);
        }
        half = half.saturating_mul(2);
    }
}

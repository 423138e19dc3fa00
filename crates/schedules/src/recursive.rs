//! Exchanges with partners at doubled or halved distances (Thakur, Rabenseifner, Gropp: Optimization of Collective
//! Communication Operations in MPICH, IJHPCA 19, 2005; Rabenseifner: Optimization of Collective Reduction
//! Operations, ICCS 2004). Members are a power of two, and it takes log2 n rounds.
//!
//! A member goes on when all that was sent to it so far has come: what comes next may have overtaken it.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// Everything that came to each member.
type Came = Vec<Vec<MessageId>>;

/// Member i begins with block i, and all end with all.
pub(crate) fn allgather(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    gather(&mut graph, vec![Vec::new(); given.members as usize]);
    graph
}

/// Partners exchange all of their sums.
pub(crate) fn allreduce(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    let mut came: Came = vec![Vec::new(); given.members as usize];
    for distance in doubled(given.members) {
        exchange(&mut graph, &mut came, distance, true, |_| Blocks::one(0));
    }
    graph
}

/// Member i ends with the sum of block i.
pub(crate) fn reduce_scatter(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    reduce(&mut graph);
    graph
}

/// Reduce-scatter by halving, then allgather by doubling.
pub(crate) fn halving_doubling(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    let came = reduce(&mut graph);
    gather(&mut graph, came);
    graph
}

/// Member i has block i, and begins when these messages have come.
pub(crate) fn gather(graph: &mut Graph, mut came: Came) {
    for distance in doubled(graph.members()) {
        exchange(graph, &mut came, distance, false, |from| of(from, distance));
    }
}

/// Halves go to the partner that keeps them, until member i has the sum of block i.
fn reduce(graph: &mut Graph) -> Came {
    let members = graph.members();
    let mut came: Came = vec![Vec::new(); members as usize];
    for distance in doubled(members).collect::<Vec<_>>().into_iter().rev() {
        exchange(graph, &mut came, distance, true, |from| of(from ^ distance, distance));
    }
    came
}

/// The blocks of the members that differ from a member by less than a distance, a power of two.
fn of(member: u32, distance: u32) -> Blocks {
    Blocks { first: (member & !(distance - 1)).into(), count: distance.into() }
}

/// 1, 2, 4 and so on, below the number of members.
fn doubled(members: u32) -> impl Iterator<Item = u32> {
    (0..members.ilog2()).map(|power| 1 << power)
}

/// Everybody sends blocks to the partner at a distance.
fn exchange(
    graph: &mut Graph,
    came: &mut Came,
    distance: u32,
    adds: bool,
    blocks: impl Fn(u32) -> Blocks,
) {
    let send = |from: u32| {
        let (to, blocks) = (from ^ distance, blocks(from));
        let after = came[from as usize].iter().copied();
        match adds {
            true => (to, graph.send_to_add(from, to, blocks, after)),
            false => (to, graph.send(from, to, blocks, after)),
        }
    };
    let sent: Vec<(u32, MessageId)> = (0..graph_members(came)).map(send).collect();
    for (to, message) in sent {
        came[to as usize].push(message);
    }
}

fn graph_members(came: &Came) -> u32 {
    u32::try_from(came.len()).unwrap_or(u32::MAX)
}

//! The binomial pipeline (RDMC: Behrens, Jha, Birman, Tremel, DSN 2018; Ganesan, Seshadri: On Cooperative
//! Content Distribution and the Price of Barter, ICDCS 2005): members are the corners of a hypercube, and in each round
//! everybody exchanges one slice with the neighbour along the next dimension. With n = 2^l members and k slices it
//! takes l + k - 1 rounds.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

/// `given.members` is a power of two.
pub(crate) fn broadcast(given: &Given) -> Graph {
    let slices = given.slices(given.bytes);
    let mut graph = given.graph(slices);
    let dimensions = given.members.ilog2();
    let members = given.members as usize;
    // The message that brought each slice to each member, and the last that each sent and received.
    let mut arrived: Vec<Vec<Option<MessageId>>> =
        vec![vec![None; usize::try_from(slices).unwrap_or(usize::MAX)]; members];
    let mut sent: Vec<Option<MessageId>> = vec![None; members];
    let mut came = sent.clone();
    for round in 0..slices + u64::from(dimensions) - 1 {
        let dimension = u32::try_from(round % u64::from(dimensions)).unwrap_or(0);
        let mut next = came.clone();
        for from in 0..given.members {
            let to = from ^ (1 << dimension);
            let Some(slice) = slice_of(from, round, (dimensions, dimension), slices) else {
                continue;
            };
            let at = usize::try_from(slice).unwrap_or(usize::MAX);
            if to == 0 || arrived[to as usize][at].is_some() {
                continue;
            }
            // A round begins at a member when its part of the round before is over.
            let before = sent[from as usize].into_iter().chain(came[from as usize]);
            let after = arrived[from as usize][at].into_iter().chain(before);
            let message = graph.send(from, to, Blocks::one(slice), after);
            arrived[to as usize][at] = Some(message);
            (sent[from as usize], next[to as usize]) = (Some(message), Some(message));
        }
        came = next;
    }
    graph
}

/// The slice that a member sends in a round. `None`: it sends nothing.
fn slice_of(
    member: u32,
    round: u64,
    (dimensions, dimension): (u32, u32),
    slices: u64,
) -> Option<u64> {
    let last = slices - 1;
    if member == 0 {
        return Some(round.min(last));
    }
    // Its number, turned to the right by the dimensions that were used: what it got last it got as long ago as this has
    // zeros at its end.
    let turned = (member >> dimension)
        | member.checked_shl(dimensions - dimension).unwrap_or(0) & ((1 << dimensions) - 1);
    let slice = (round + u64::from(turned.trailing_zeros())).checked_sub(dimensions.into())?;
    Some(slice.min(last))
}

//! Broadcasts of panels in HPL (Petitet, Whaley, Dongarra, Cleary: HPL, the sections on panel broadcast and on update):
//! whole messages along rings, or pieces that are spread and rolled. A message goes on when it has come, and a member
//! that sends twice sends one after the other.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};
use crate::scatter::scattered;

/// 0 to 1, 1 to 2, and so on.
pub(crate) fn increasing_ring(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    along(&mut graph, (0, None), 1..given.members);
    graph
}

/// 0 to 1, then 0 to 2, 2 to 3, and so on: the next to compute is served first, and hands nothing on.
pub(crate) fn modified_ring(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    let first = graph.send(0, 1, Blocks::one(0), None);
    along(&mut graph, (0, Some(first)), 2..given.members);
    graph
}

/// 0 to 1, then 0 to n/2, and from both on along a half of the ring.
pub(crate) fn two_rings(given: &Given) -> Graph {
    let mut graph = given.graph(1);
    let middle = (given.members / 2).max(2);
    let first = graph.send(0, 1, Blocks::one(0), None);
    along(&mut graph, (1, Some(first)), 2..middle);
    along(&mut graph, (0, Some(first)), middle..given.members);
    graph
}

/// From a member, after a message, to the first of these, and from each to the next.
fn along(
    graph: &mut Graph,
    (from, after): (u32, Option<MessageId>),
    members: std::ops::Range<u32>,
) {
    let (mut from, mut after) = (from, after);
    for to in members {
        after = Some(graph.send(from, to, Blocks::one(0), after));
        from = to;
    }
}

/// Pieces are spread over a binary tree, then rolled.
pub(crate) fn long(given: &Given) -> Graph {
    let (mut graph, last) = scattered(given);
    roll(&mut graph, last.into_iter().map(|last| last.into_iter().collect()).collect());
    graph
}

/// Pieces are rolled: what a swap of rows does where every member has as many of them.
pub(crate) fn rolled(given: &Given) -> Graph {
    let mut graph = given.graph(given.members.into());
    roll(&mut graph, vec![Vec::new(); given.members as usize]);
    graph
}

/// In n - 1 steps members exchange a block with the next one and with the one before in turns. Member i has block i and
/// begins after these messages. It sends on what it received two steps before, first its own block. With an odd number
/// of members the first and the last are a step apart.
fn roll(graph: &mut Graph, mut before: Vec<Vec<MessageId>>) {
    let members = graph.members();
    // With whom a member exchanges in a step, and the block that it sends.
    let partner = |member: u32, step: u32| match (member + step).is_multiple_of(2) {
        true => ((member + 1) % members, (member + members - step / 2) % members),
        false => ((member + members - 1) % members, (member + step / 2) % members),
    };
    let steps = members - 1;
    let mut done = vec![0; members as usize];
    while done.iter().any(|done| *done < steps) {
        for one in 0..members {
            if done[one as usize] == steps {
                continue;
            }
            let (other, own) = partner(one, done[one as usize]);
            if done[other as usize] == steps {
                continue;
            }
            let (back, others) = partner(other, done[other as usize]);
            if back != one {
                continue;
            }
            let mut sent = |from: u32, to: u32, block: u32| {
                let after = before[from as usize].clone();
                graph.send(from, to, Blocks::one(block.into()), after)
            };
            let both = vec![sent(one, other, own), sent(other, one, others)];
            before[one as usize].clone_from(&both);
            before[other as usize] = both;
            done[one as usize] += 1;
            done[other as usize] += 1;
        }
    }
}

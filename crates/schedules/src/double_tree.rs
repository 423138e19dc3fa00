//! Two binary trees (Sanders, Speck, Träff: Two-tree algorithms for full bandwidth broadcast, reduction and scan,
//! Parallel Computing 35, 2009; as NCCL lays them): half of the slices go down each. Who hands on in one tree is a leaf
//! of the other, so everybody receives everything once and sends at most as much.

use crate::given::Given;
use crate::graph::{Blocks, Graph, MessageId};

pub(crate) fn broadcast(given: &Given) -> Graph {
    // Each half has as many slices.
    let slices = given.slices(given.bytes.div_ceil(2));
    let mut graph = given.graph(2 * slices);
    let others = given.members - 1;
    let mut arrived: Vec<Option<MessageId>> = vec![None; given.members as usize];
    for slice in 0..slices {
        for (tree, first) in [(Tree::First, 0), (Tree::Second, slices)] {
            let mut step = others.next_power_of_two();
            // Places with more zeros at their ends are nearer to the root.
            while step > 0 {
                for place in (step..=others).step_by(2 * step as usize) {
                    let (from, to) =
                        (tree.member(above(place, others), others), tree.member(place, others));
                    let before = if from == 0 { None } else { arrived[from as usize] };
                    let message = graph.send(from, to, Blocks::one(first + slice), before);
                    arrived[to as usize] = Some(message);
                }
                step /= 2;
            }
        }
    }
    graph
}

/// The place above a place of a binary tree that is laid over the places from 1 on in order; 0 above its top.
fn above(place: u32, places: u32) -> u32 {
    let lowest = place & place.wrapping_neg();
    let above = (place ^ lowest) | (lowest << 1);
    if above > places { place ^ lowest } else { above }
}

#[derive(Clone, Copy)]
enum Tree {
    First,
    Second,
}

impl Tree {
    /// The member at a place. Places with odd numbers are leaves; the second tree gives each member a place of the
    /// other kind.
    fn member(self, place: u32, places: u32) -> u32 {
        match self {
            _ if place == 0 => 0,
            Self::First => place,
            Self::Second if places.is_multiple_of(2) => places + 1 - place,
            Self::Second => place % places + 1,
        }
    }
}

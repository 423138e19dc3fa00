//! Every schedule moves what it should. Each message carries what its sender can be sure to have by then: its own data,
//! and what the messages brought that it waits for, directly or by way of others. Contributions of members are counted
//! one by one, so that nothing is added twice or left out.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use lightloom_schedules::{Blocks, Given, Graph, MessageId, Operation, Schedule, To};
use proptest::prelude::*;

/// What a member has of a block: how often it holds the contribution of each member.
type Held = Vec<u32>;

/// What a member has of all blocks. `None`: nothing of that block.
pub(crate) type Buffer = Vec<Option<Held>>;

/// The buffers of all members before the first message.
fn before(operation: Operation, members: usize, blocks: usize) -> Vec<Buffer> {
    let only = |of: usize| {
        let mut held = vec![0; members];
        held[of] = 1;
        Some(held)
    };
    let has = |member: usize, block: usize| match operation {
        Operation::Broadcast | Operation::Refresh => member == 0,
        Operation::Allgather => block == member,
        Operation::AllToAll => block / members == member,
        Operation::ReduceScatter | Operation::Allreduce => true,
        Operation::Barrier => false,
        Operation::Scatter => member == 0,
        Operation::Gather => block == member,
        Operation::Reduce => true,
        // Without tokens nothing is sent.
        Operation::Dispatch | Operation::Combine => false,
    };
    let block = |member, block| if has(member, block) { only(member) } else { None };
    (0..members).map(|member| (0..blocks).map(|at| block(member, at)).collect()).collect()
}

fn places(blocks: Blocks, of: usize) -> impl Iterator<Item = usize> {
    (blocks.first..blocks.first + blocks.count).map(move |block| block as usize % of)
}

/// The messages that have ended for sure when each begins.
fn known(graph: &Graph) -> Vec<FixedBitSet> {
    let mut known: Vec<FixedBitSet> = Vec::new();
    for message in graph.messages() {
        let mut all = FixedBitSet::with_capacity(graph.messages().len());
        for &MessageId(before) in &message.after {
            all.insert(before as usize);
            all.union_with(&known[before as usize]);
        }
        known.push(all);
    }
    known
}

fn receives(to: To, from: u32, member: u32) -> bool {
    match to {
        To::Member(to) => to == member,
        To::Others => member != from,
    }
}

/// What a member has after some of the messages, in their order.
fn after(
    graph: &Graph,
    carried: &[Vec<Option<Held>>],
    of: impl Iterator<Item = usize>,
    member: u32,
    buffer: &mut Buffer,
) {
    let blocks = buffer.len();
    for number in of {
        let message = &graph.messages()[number];
        if !receives(message.to, message.from, member) {
            continue;
        }
        for (place, brought) in places(message.blocks, blocks).zip(&carried[number]) {
            let (Some(brought), slot) = (brought, &mut buffer[place]) else {
                panic!("message {number} brings a block that its sender does not have");
            };
            match (message.adds, slot.as_mut()) {
                (true, Some(held)) => held.iter_mut().zip(brought).for_each(|(a, b)| *a += b),
                _ => *slot = Some(brought.clone()),
            }
        }
    }
}

/// Follows all messages from what members have at the beginning. Returns what each has at the end.
pub(crate) fn follow(begin: Vec<Buffer>, graph: &Graph) -> Vec<Buffer> {
    let blocks = graph.blocks() as usize;
    let known = known(graph);
    let mut carried: Vec<Vec<Option<Held>>> = Vec::new();
    for (number, message) in graph.messages().iter().enumerate() {
        for &MessageId(before) in &message.after {
            let earlier = &graph.messages()[before as usize];
            assert!((before as usize) < number, "message {number} waits for a later one");
            assert!(
                earlier.from == message.from || receives(earlier.to, earlier.from, message.from),
                "message {number} waits for one that its sender hears nothing of"
            );
        }
        let mut buffer = begin[message.from as usize].clone();
        let heard = known[number].ones();
        after(graph, &carried, heard, message.from, &mut buffer);
        let takes: Vec<Option<Held>> =
            places(message.blocks, blocks.max(1)).map(|place| buffer[place].clone()).collect();
        assert!(takes.iter().all(Option::is_some), "message {number} sends what it has not");
        carried.push(takes);
    }
    let end = |(member, mut buffer): (u32, Buffer)| {
        after(graph, &carried, 0..graph.messages().len(), member, &mut buffer);
        buffer
    };
    (0..).zip(begin).map(end).collect()
}

/// Checks what all members have at the end.
fn check(operation: Operation, graph: &Graph) {
    let members = graph.members() as usize;
    let ends = follow(before(operation, members, graph.blocks() as usize), graph);
    let only = |of: usize| (0..members).map(|member| u32::from(member == of)).collect::<Held>();
    for (member, buffer) in ends.iter().enumerate() {
        for (block, held) in buffer.iter().enumerate() {
            let expected = match operation {
                Operation::Broadcast | Operation::Refresh => (member > 0).then(|| only(0)),
                Operation::Allgather => Some(only(block)),
                Operation::Allreduce => Some(vec![1; members]),
                Operation::ReduceScatter => (block == member).then(|| vec![1; members]),
                Operation::AllToAll => (block % members == member).then(|| only(block / members)),
                Operation::Barrier | Operation::Dispatch | Operation::Combine => None,
                Operation::Scatter => (block == member).then(|| only(0)),
                Operation::Gather => (member == 0).then(|| only(block)),
                Operation::Reduce => (member == 0).then(|| vec![1; members]),
            };
            if let Some(expected) = expected {
                assert_eq!(held.as_ref(), Some(&expected), "member {member}, block {block}");
            }
        }
    }
    if operation == Operation::Barrier {
        let known = known(graph);
        for member in 0..graph.members() {
            let mut heard: BTreeSet<u32> = BTreeSet::from([member]);
            for (number, message) in graph.messages().iter().enumerate() {
                if receives(message.to, message.from, member) {
                    heard.insert(message.from);
                    heard.extend(known[number].ones().map(|id| graph.messages()[id].from));
                }
            }
            assert_eq!(heard.len(), members, "member {member} goes on before all have come");
        }
    }
}

/// Every schedule of every operation, for numbers of members that it takes.
pub(crate) fn all(
    members: u32,
    bytes: u64,
    slice: u64,
    at_once: u32,
) -> Vec<(Operation, Schedule, Graph)> {
    let given = Given { slice, at_once, ..Given::new(members, bytes) };
    let pairs = Operation::ALL.into_iter().flat_map(|operation| {
        Schedule::ALL
            .into_iter()
            .filter(move |one| one.operations().contains(&operation))
            .map(move |one| (operation, one))
    });
    pairs
        .filter_map(|(operation, one)| Some((operation, one, one.graph(operation, &given).ok()?)))
        .collect()
}

#[test]
fn small_groups_of_every_size() {
    for members in 2..=17 {
        for (bytes, slice) in [(1, 1), (7, 1), (12_288, 4096), (1_000_001, 100_000)] {
            let all = all(members, bytes, slice, 1);
            let expected = if members.is_power_of_two() { 38 } else { 32 };
            assert_eq!(all.len(), expected, "{members}");
            for (operation, _, graph) in &all {
                check(*operation, graph);
            }
        }
    }
}

proptest! {
    #[test]
    fn random_groups_and_sizes(
        members in 2..40_u32,
        bytes in prop_oneof![1..40_u64, 1..2_000_000_u64],
        slices in 1..9_u64,
        at_once in 1..5_u32,
    ) {
        for (operation, _, graph) in all(members, bytes, bytes.div_ceil(slices), at_once) {
            check(operation, &graph);
        }
    }
}

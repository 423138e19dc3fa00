//! What a trace has.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_units::{DataSize, Span};

use lightloom_schedules::Operation;

use crate::program::{Rank, Trace, What};

/// What a trace has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Number of ranks.
    pub ranks: usize,
    /// Number of ranks without operations.
    pub idle: usize,
    /// Number of messages.
    pub messages: usize,
    /// Number of receives.
    pub receives: usize,
    /// Number of computations.
    pub computations: usize,
    /// Payload of all messages. None: more than 64 bits.
    pub bytes: Option<DataSize>,
    /// The smallest and the largest message. None: there are none.
    pub sizes: Option<(DataSize, DataSize)>,
    /// Number of pairs of ranks, the sender first, with messages between them.
    pub pairs: usize,
    /// Sum of the times of all computations. None: longer than the clock.
    pub computing: Option<Span>,
    /// The most of one rank. None: longer than the clock.
    pub most_computing: Option<Span>,
    /// The most streams of a rank.
    pub streams: usize,
    /// Number of messages and receives that name another network interface than 0.
    pub other_nics: usize,
    /// Number of receives with room for more than their message.
    pub with_room: usize,
    /// Collective operations, by process group and kind.
    pub calls: Vec<Calls>,
}

/// The collective operations of one kind of a process group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// The place of the group.
    pub group: usize,
    /// What its ranks do.
    pub operation: Operation,
    /// Number of them.
    pub number: usize,
    /// Size of the data of all. None: more than 64 bits.
    pub bytes: Option<DataSize>,
}

impl Summary {
    /// What a trace has; `messages` are its pairs.
    pub fn new(trace: &Trace, messages: &[crate::pairs::Message]) -> Self {
        let mut all = Self {
            ranks: trace.ranks.len(),
            bytes: Some(DataSize::ZERO),
            computing: Some(Span::ZERO),
            most_computing: Some(Span::ZERO),
            ..Self::default()
        };
        let mut pairs: BTreeSet<(Rank, Rank)> = BTreeSet::new();
        for (rank, program) in trace.programs() {
            all.idle += usize::from(program.ops().is_empty());
            let mut computing = Some(Span::ZERO);
            let mut streams = BTreeSet::new();
            for op in program.ops() {
                streams.insert(op.stream);
                all.other_nics += usize::from(op.nic != 0);
                match op.what {
                    What::Send { to, size, .. } => {
                        all.messages += 1;
                        all.bytes = all.bytes.and_then(|sum| sum.checked_add(size));
                        let (least, most) = all.sizes.unwrap_or((size, size));
                        all.sizes = Some((least.min(size), most.max(size)));
                        pairs.insert((rank, to));
                    }
                    What::Receive { .. } => all.receives += 1,
                    What::Collective { .. } => {}
                    What::Compute { takes } => {
                        all.computations += 1;
                        computing = computing.and_then(|sum| sum.checked_add(takes));
                    }
                }
            }
            let both = all.computing.zip(computing);
            all.computing = both.and_then(|(sum, own)| sum.checked_add(own));
            let both = all.most_computing.zip(computing);
            all.most_computing = both.map(|(most, own)| most.max(own));
            all.streams = all.streams.max(streams.len());
        }
        all.pairs = pairs.len();
        let size = |place| match trace.op(place).what {
            What::Send { size, .. } | What::Receive { size, .. } => size,
            What::Compute { .. } | What::Collective { .. } => DataSize::ZERO,
        };
        all.with_room = messages.iter().filter(|it| size(it.receive) > size(it.send)).count();
        all.calls = calls(trace);
        all
    }
}

/// The collective operations, by process group and kind.
fn calls(trace: &Trace) -> Vec<Calls> {
    let mut all: BTreeMap<(usize, &str), Calls> = BTreeMap::new();
    for call in &trace.calls {
        let (group, operation) = (call.group, call.operation);
        let none = Calls { group, operation, number: 0, bytes: Some(DataSize::ZERO) };
        let calls = all.entry((group, operation.name())).or_insert(none);
        calls.number += 1;
        calls.bytes = calls.bytes.and_then(|sum| sum.checked_add(call.size));
    }
    all.into_values().collect()
}

//! Whether a trace can run to its end, and its longest path.

use lightloom_units::{BitRate, DataSize, Span};

use crate::error::TraceError;
use crate::pairs::{Message, Place};
use crate::program::{Call, CallId, OpId, Rank, Stage, Trace, What};

/// An order in which operations begin and end: each after all that it waits for.
///
/// It has two events for each operation, and one for each collective operation. A message arrives after its send has
/// begun; a receive ends when it has begun and its message has arrived. A collective operation is possible when all its
/// ranks have begun it, a broadcast and a scatter when the root has; then it ends on its ranks.
#[derive(Debug)]
pub struct Order {
    /// The first operation of each rank, of all.
    first: Vec<usize>,
    /// Number of events of operations. Those of collective operations follow.
    of_ops: usize,
    /// What happens before each event, one event after the other.
    before: Vec<Edge>,
    /// For each event, the place after the last of these.
    ends: Vec<usize>,
    /// All events in order.
    events: Vec<u32>,
}

/// An event that another one waits for.
#[derive(Debug, Clone, Copy)]
struct Edge {
    event: u32,
    how: How,
}

/// How an event waits for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// On the same rank.
    Own,
    /// For a message between the two.
    Message,
    /// For its turn only: operations of a process group go one after the other, and share queue pairs. They may
    /// overlap.
    Turn,
}

/// The longest path of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Path {
    /// How long it takes.
    pub length: Span,
    /// Of that, the time of computations.
    pub computing: Span,
    /// Number of messages on it.
    pub messages: usize,
    /// Number of collective operations on it.
    pub collectives: usize,
    /// Payload of these messages, and what a rank receives at least in these operations.
    pub bytes: DataSize,
}

/// A network in which nothing waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ideal {
    /// Time that each message takes.
    pub latency: Span,
    /// Rate at which its bytes follow. None: all at once.
    pub rate: Option<BitRate>,
}

/// What moves between two events.
#[derive(Debug, Clone, Copy)]
enum Carried {
    /// A message of this size.
    Message(DataSize),
    /// A collective operation, in which a rank receives this much at least.
    Collective(DataSize),
}

/// The event of an operation: an even number where it begins, the next one where it ends.
const ENDS: usize = 1;

impl Order {
    /// The order of a trace whose messages are paired.
    ///
    /// # Errors
    /// [`TraceError`] if operations wait for each other in a ring. It names them.
    pub fn new(trace: &Trace, messages: &[Message]) -> Result<Self, TraceError> {
        let mut first = Vec::with_capacity(trace.ranks.len());
        let mut count = 0;
        for program in &trace.ranks {
            first.push(count);
            count += program.ops().len();
        }
        let (of_ops, events) = (2 * count, 2 * count + trace.calls.len());
        let (before, ends) = (Vec::new(), vec![0; events]);
        let mut order = Self { first, of_ops, before, ends, events: Vec::new() };
        order.enter(trace, messages);
        order.sort();
        match order.events.len() == events {
            true => Ok(order),
            false => Err(order.ring(trace)),
        }
    }

    /// The number of an event.
    fn event(&self, (rank, id): Place, which: usize) -> u32 {
        let number = 2 * (self.first[rank.index()] + id.index()) + which;
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// The operation of an event. None: it is that of a collective operation.
    fn place(&self, event: u32) -> Option<Place> {
        if event as usize >= self.of_ops {
            return None;
        }
        let op = event as usize / 2;
        let rank = self.first.partition_point(|first| *first <= op) - 1;
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Some((Rank(small(rank)), OpId(small(op - self.first[rank]))))
    }

    fn before(&self, event: u32) -> &[Edge] {
        let end = self.ends[event as usize];
        let begin = (event as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.before[begin..end]
    }

    /// Enters what each event waits for.
    fn enter(&mut self, trace: &Trace, messages: &[Message]) {
        let mut edges: Vec<(u32, Edge)> = Vec::new();
        for (rank, program) in trace.programs() {
            for (id, _, needs) in program.iter() {
                let begin = self.event((rank, id), 0);
                edges.push((begin + 1, Edge { event: begin, how: How::Own }));
                for need in needs {
                    let which = if need.how == Stage::Ended { ENDS } else { 0 };
                    let event = self.event((rank, need.on), which);
                    edges.push((begin, Edge { event, how: How::Own }));
                }
            }
        }
        for message in messages {
            let event = self.event(message.send, 0);
            edges.push((self.event(message.receive, ENDS), Edge { event, how: How::Message }));
        }
        let mut last: Vec<Option<u32>> = vec![None; trace.groups.len()];
        for (possible, call) in (self.of_ops..).zip(&trace.calls) {
            self.enter_call(possible, call, &mut edges);
            let possible = u32::try_from(possible).unwrap_or(u32::MAX);
            if let Some(event) = last[call.group].replace(possible) {
                edges.push((possible, Edge { event, how: How::Turn }));
            }
        }
        edges.sort_by_key(|(event, _)| *event);
        for (event, _) in &edges {
            self.ends[*event as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        self.before = edges.into_iter().map(|(_, edge)| edge).collect();
    }

    /// Enters what a collective operation waits for. `possible` is its event.
    fn enter_call(&self, possible: usize, call: &Call, edges: &mut Vec<(u32, Edge)>) {
        let possible = u32::try_from(possible).unwrap_or(u32::MAX);
        for (place, &member) in call.members.iter().enumerate() {
            let is_root = place == call.root;
            if is_root || !call.operation.is_from_root() {
                let event = self.event(member, 0);
                edges.push((possible, Edge { event, how: How::Own }));
            }
            // Who only sends need not wait for those that receive.
            let only_sends = match call.operation {
                operation if operation.is_from_root() => is_root,
                operation => operation.is_to_root() && !is_root,
            };
            if !only_sends {
                let how = if call.members.len() > 1 { How::Message } else { How::Own };
                let edge = Edge { event: possible, how };
                edges.push((self.event(member, ENDS), edge));
            }
        }
    }

    /// Puts the events in order, as far as there is one (A. B. Kahn, CACM 5(11), 1962).
    fn sort(&mut self) {
        let events = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        let mut missing: Vec<u32> = Vec::with_capacity(self.ends.len());
        let mut after: Vec<(u32, u32)> = Vec::with_capacity(self.before.len());
        for event in 0..events {
            let before = self.before(event);
            missing.push(u32::try_from(before.len()).unwrap_or(u32::MAX));
            after.extend(before.iter().map(|edge| (edge.event, event)));
        }
        after.sort_unstable();
        let mut ready: Vec<u32> =
            (0..events).rev().filter(|event| missing[*event as usize] == 0).collect();
        while let Some(event) = ready.pop() {
            self.events.push(event);
            let begin = after.partition_point(|(before, _)| *before < event);
            for &(_, next) in after[begin..].iter().take_while(|(before, _)| *before == event) {
                missing[next as usize] -= 1;
                if missing[next as usize] == 0 {
                    ready.push(next);
                }
            }
        }
    }

    /// The refusal of a trace that has no order.
    fn ring(&self, trace: &Trace) -> TraceError {
        let mut is_over = vec![false; self.ends.len()];
        self.events.iter().for_each(|event| is_over[*event as usize] = true);
        let open = |event: u32| {
            self.before(event).iter().map(|edge| edge.event).find(|event| !is_over[*event as usize])
        };
        // Each ring has events of operations.
        let start = is_over.iter().position(|is_over| !is_over).unwrap_or(0);
        let mut at = u32::try_from(start).unwrap_or(u32::MAX);
        // Each open event waits for an open one. After as many steps as there are events, the walk is within a ring.
        for _ in 0..self.ends.len() {
            at = open(at).unwrap_or(at);
        }
        let mut ring: Vec<Place> = self.place(at).into_iter().collect();
        let begin = at;
        while let Some(next) = open(at).filter(|next| *next != begin) {
            at = next;
            ring.extend(self.place(at).filter(|place| ring.last() != Some(place)));
        }
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        let least = (0..ring.len()).min_by_key(|at| ring[*at]).unwrap_or(0);
        ring.rotate_left(least);
        let shown: Vec<String> = ring
            .iter()
            .take(6)
            .map(|place| format!("rank {} {}", place.0.0, trace.at(*place)))
            .collect();
        let more =
            if ring.len() > 6 { format!(" and {} more", ring.len() - 6) } else { String::new() };
        let message = format!(
            "waits for itself, in a ring: {}{more}; each waits for the next",
            shown.join(", ")
        );
        let (rank, _) = ring[0];
        TraceError::new(message).of_rank(rank).at(trace.at(ring[0]))
    }

    /// The longest path of the trace over an ideal network. Streams do not count: what need not wait does not. None: it
    /// is longer than the clock.
    pub fn critical_path(&self, trace: &Trace, network: Ideal) -> Option<Path> {
        let at = self.paths(trace, network)?;
        Some(at.into_iter().max_by_key(|path| path.length).unwrap_or_default())
    }

    /// The collective operations by the times at which they would be possible over a network without any delay. Each
    /// comes after all that it waits for.
    pub fn calls_in_turn(&self, trace: &Trace) -> Vec<CallId> {
        let nothing = Ideal { latency: Span::ZERO, rate: None };
        let at = self.paths(trace, nothing);
        let is_call = |event: &&u32| **event as usize >= self.of_ops;
        let mut calls: Vec<u32> = Vec::new();
        // No earlier than the one before of its process group.
        let mut times = vec![None; trace.calls.len()];
        for &event in self.events.iter().filter(is_call) {
            let own = at.as_ref().map(|at| at[event as usize].length);
            let turns = self.before(event).iter().filter(|edge| edge.how == How::Turn);
            let before = turns.map(|edge| times[edge.event as usize - self.of_ops]).max();
            times[event as usize - self.of_ops] = own.max(before.flatten());
            calls.push(event);
        }
        // What waits for another is no earlier, and comes later among events: the sort keeps that.
        calls.sort_by_key(|event| times[*event as usize - self.of_ops]);
        let first = u32::try_from(self.of_ops).unwrap_or(u32::MAX);
        calls.into_iter().map(|event| CallId(event - first)).collect()
    }

    /// The longest path to each event. None: one is longer than the clock.
    fn paths(&self, trace: &Trace, network: Ideal) -> Option<Vec<Path>> {
        let mut at: Vec<Path> = vec![Path::default(); self.ends.len()];
        for &event in &self.events {
            let mut longest = Path::default();
            for edge in self.before(event) {
                let before = at[edge.event as usize];
                let path = match edge.how {
                    How::Own => before,
                    How::Message => before.with(self.carried(trace, edge.event), network)?,
                    How::Turn => continue,
                };
                if path.length > longest.length {
                    longest = path;
                }
            }
            if event as usize % 2 == ENDS
                && let Some(place) = self.place(event)
                && let What::Compute { takes } = trace.op(place).what
            {
                longest.length = longest.length.checked_add(takes)?;
                longest.computing = longest.computing.checked_add(takes)?;
            }
            at[event as usize] = longest;
        }
        Some(at)
    }

    /// What a message after an event carries.
    fn carried(&self, trace: &Trace, event: u32) -> Carried {
        let Some(place) = self.place(event) else {
            return Carried::Collective(trace.calls[event as usize - self.of_ops].least_bytes());
        };
        match trace.op(place).what {
            What::Send { size, .. } => Carried::Message(size),
            // Nothing else has messages after it.
            _ => Carried::Message(DataSize::ZERO),
        }
    }
}

impl Path {
    /// The same path with a message or a collective operation behind it.
    fn with(self, carried: Carried, network: Ideal) -> Option<Self> {
        let (size, messages, collectives) = match carried {
            Carried::Message(size) => (size, 1, 0),
            Carried::Collective(size) => (size, 0, 1),
        };
        let takes = match network.rate {
            None => Span::ZERO,
            Some(rate) => size.serialization_time(rate)?,
        };
        Some(Self {
            length: self.length.checked_add(network.latency)?.checked_add(takes)?,
            computing: self.computing,
            messages: self.messages + messages,
            collectives: self.collectives + collectives,
            bytes: self.bytes.checked_add(size)?,
        })
    }
}

//! What a trace of an application has.

use lightloom_schedules::{Operation, Schedule};
use lightloom_traces::{Calls, Ideal, Order, Path, Summary, Trace};
use lightloom_units::{DataSize, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::build::ReadTrace;

/// What a trace of an application has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceFileReport {
    /// The file.
    pub file: String,
    /// Number of ranks.
    pub ranks: usize,
    /// Number of ranks without operations.
    pub idle_ranks: usize,
    /// Number of sends, receives and computations.
    pub operations: usize,
    /// Number of messages. Each has one send and one receive.
    pub messages: usize,
    /// Number of computations.
    pub computations: usize,
    /// Payload of all messages in bytes. `None`: more than 64 bits.
    pub bytes: Option<u64>,
    /// Payload of the smallest message in bytes. `None`: there is no message.
    pub smallest_bytes: Option<u64>,
    /// Payload of the largest message in bytes.
    pub largest_bytes: Option<u64>,
    /// Number of pairs of a sender and a receiver.
    pub pairs: usize,
    /// The most streams of a rank.
    pub streams: usize,
    /// Time of all computations, in picoseconds. `None`: longer than the clock.
    pub computing_ps: Option<u64>,
    /// The same of the rank that computes the longest.
    pub most_computing_ps: Option<u64>,
    /// Number of sends and receives that name a network interface other than 0.
    pub other_nics: usize,
    /// Number of receives with room for more than their message.
    pub with_room: usize,
    /// Collective operations, by process group and kind.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub collectives: Vec<CallsReport>,
    /// What the reader of the file tells: attributes that are not used, and what is taken for granted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// The longest path where messages take no time. `None`: it is longer than the clock.
    pub path: Option<PathReport>,
    /// The longest path over the network that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub over_network: Option<PathReport>,
}

/// The collective operations of one kind of a process group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallsReport {
    /// Name of the process group. Empty: all ranks.
    pub group: String,
    /// Number of its ranks.
    pub ranks: usize,
    /// What they do.
    pub operation: Operation,
    /// Number of operations.
    pub calls: usize,
    /// Size of the data of all, in bytes. `None`: more than 64 bits.
    pub bytes: Option<u64>,
    /// Schedules with messages that light can carry.
    pub over_light: Vec<Schedule>,
}

/// The longest path of operations that wait for each other. Streams do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathReport {
    /// Time that each message takes, in picoseconds.
    pub latency_ps: u64,
    /// Rate of its bytes, in bits per second. `None`: they take no time.
    pub rate_bps: Option<u64>,
    /// Length of the path, in picoseconds.
    pub length_ps: u64,
    /// Of that, the time of computations.
    pub computing_ps: u64,
    /// Number of messages on it.
    pub messages: usize,
    /// Number of collective operations on it. Each takes as long as a message with what a rank receives at least.
    pub collectives: usize,
    /// Payload of these messages, and what a rank receives at least in these operations, in bytes.
    pub bytes: u64,
}

impl PathReport {
    fn new(path: Path, network: Ideal) -> Self {
        Self {
            latency_ps: network.latency.as_ps(),
            rate_bps: network.rate.map(lightloom_units::BitRate::as_bps),
            length_ps: path.length.as_ps(),
            computing_ps: path.computing.as_ps(),
            messages: path.messages,
            collectives: path.collectives,
            bytes: path.bytes.as_bytes(),
        }
    }
}

impl CallsReport {
    fn new(trace: &Trace, calls: &Calls) -> Self {
        let group = &trace.groups[calls.group];
        let lit = |schedule: &Schedule| {
            schedule.has_multicasts() && schedule.operations().contains(&calls.operation)
        };
        Self {
            group: group.name.clone(),
            ranks: group.ranks.len(),
            operation: calls.operation,
            calls: calls.number,
            bytes: calls.bytes.map(DataSize::as_bytes),
            over_light: Schedule::ALL.into_iter().filter(lit).collect(),
        }
    }
}

impl TraceFileReport {
    /// What a trace has. `network` is asked for beside one without any delay.
    pub fn new(file: String, read: &ReadTrace, network: Option<Ideal>) -> Self {
        let ReadTrace { trace, messages, path, .. } = read;
        let summary = Summary::new(trace, messages);
        let nothing = Ideal { latency: Span::ZERO, rate: None };
        let bytes = |size: DataSize| size.as_bytes();
        let over_network = network.and_then(|network| {
            let order = Order::new(trace, messages).ok()?;
            Some(PathReport::new(order.critical_path(trace, network)?, network))
        });
        Self {
            file,
            ranks: summary.ranks,
            idle_ranks: summary.idle,
            operations: trace.operations(),
            messages: summary.messages,
            computations: summary.computations,
            bytes: summary.bytes.map(bytes),
            smallest_bytes: summary.sizes.map(|(least, _)| bytes(least)),
            largest_bytes: summary.sizes.map(|(_, most)| bytes(most)),
            pairs: summary.pairs,
            streams: summary.streams,
            computing_ps: summary.computing.map(Span::as_ps),
            most_computing_ps: summary.most_computing.map(Span::as_ps),
            other_nics: summary.other_nics,
            with_room: summary.with_room,
            collectives: summary.calls.iter().map(|calls| CallsReport::new(trace, calls)).collect(),
            notes: trace.notes.clone(),
            path: path.map(|path| PathReport::new(path, nothing)),
            over_network,
        }
    }
}

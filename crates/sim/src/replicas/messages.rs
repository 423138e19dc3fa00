//! Messages to groups over several runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::scenario::GroupTransport;

use crate::groups::MulticastReport;
use crate::summary::IntervalReport;

/// A message to a group in one run of several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplicaMessage {
    /// Number of receivers whose application has all payload.
    pub completed: usize,
    /// Time from the request until the last receiver had all payload, in picoseconds. `None`: some receiver
    /// lacks a part.
    pub last_ps: Option<u64>,
    /// Payload in bits per second until the last receiver had it.
    pub goodput_bps: Option<f64>,
    /// Number of packets that were sent again.
    pub repeated: u64,
    /// Number of packets that were lost or dropped.
    pub dropped: u64,
}

/// A message to a group over all runs that reached their end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MessageIntervals {
    /// Name of the group.
    pub group: String,
    /// Its transport.
    pub transport: GroupTransport,
    /// The host that sends.
    pub from: String,
    /// Number of receivers.
    pub receivers: usize,
    /// Payload in bytes.
    pub bytes: u64,
    /// Number of runs in which every receiver had all payload. Only they count for the times and the goodput.
    pub completed: usize,
    /// Time from the request until the last receiver had all payload, in picoseconds.
    pub last_ps: Option<IntervalReport>,
    /// Payload in bits per second until the last receiver had it.
    pub goodput_bps: Option<IntervalReport>,
    /// Number of packets that were sent again.
    pub repeated: Option<IntervalReport>,
}

impl From<&MulticastReport> for ReplicaMessage {
    fn from(message: &MulticastReport) -> Self {
        Self {
            completed: message.completed,
            last_ps: message.last_ps,
            goodput_bps: message.goodput_bps,
            repeated: message.repeated,
            dropped: message.dropped,
        }
    }
}

impl MessageIntervals {
    /// A message over its runs. `one` is its report from any of them: what it is does not depend on the seed.
    pub(super) fn new(one: &MulticastReport, runs: &[ReplicaMessage]) -> Self {
        let over = |value: &dyn Fn(&ReplicaMessage) -> Option<f64>| {
            IntervalReport::of(&runs.iter().filter_map(value).collect::<Vec<_>>())
        };
        Self {
            group: one.group.clone(),
            transport: one.transport,
            from: one.from.clone(),
            receivers: one.receivers,
            bytes: one.bytes,
            completed: runs.iter().filter(|run| run.last_ps.is_some()).count(),
            last_ps: over(&|run| run.last_ps.map(|ps| ps as f64)),
            goodput_bps: over(&|run| run.goodput_bps),
            repeated: over(&|run| Some(run.repeated as f64)),
        }
    }
}

//! What a run has done so far.

use lightloom_twin::Look;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::scenario::Scenario;

/// What a run has done so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SoFarReport {
    /// Simulated time, in picoseconds.
    pub at_ps: u64,
    /// Payload that arrived in order, in bytes.
    pub delivered_bytes: u64,
    /// Number of messages that receiving applications have. A message to a group counts for each receiver.
    pub completed: u64,
    /// Number of bytes that wait in switches.
    pub queued_bytes: u64,
    /// The port of a switch with the longest queue. `None`: nothing waits.
    pub longest: Option<QueueReport>,
}

/// The queue of a port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueReport {
    /// The node.
    pub node: String,
    /// Number of the port.
    pub port: u16,
    /// Number of waiting bytes.
    pub bytes: u32,
}

impl SoFarReport {
    /// What a run of a scenario has done so far.
    pub fn new(scenario: &Scenario, look: &Look<'_>) -> Self {
        let sample = look.sample();
        let queue =
            |(node, port, bytes)| QueueReport { node: scenario.network.name(node), port, bytes };
        Self {
            at_ps: look.at.as_ps(),
            delivered_bytes: sample.delivered,
            completed: sample.completed,
            queued_bytes: sample.queued,
            longest: sample.longest.map(queue),
        }
    }
}

//! Collective operations over several runs.

use lightloom_schedules::{Operation, Schedule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::collectives::CollectiveReport;
use crate::summary::IntervalReport;

/// A collective operation in one run of several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplicaCollective {
    /// Number of times that all members had all.
    pub completed: usize,
    /// From the first request until the last member had all, the mean over these times, in picoseconds.
    pub mean_ps: Option<u64>,
    /// Bus bandwidth in bits per second.
    pub bus_bps: Option<f64>,
}

/// A collective operation over all runs that reached their end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CollectiveIntervals {
    /// Its name.
    pub name: String,
    /// What the members do.
    pub operation: Operation,
    /// Who sends what to whom.
    pub schedule: Schedule,
    /// Number of members.
    pub members: usize,
    /// Size of the data in bytes.
    pub bytes: u64,
    /// Number of runs in which it completed each time. Only they count for time and rate.
    pub completed: usize,
    /// From the first request until the last member had all, in picoseconds.
    pub mean_ps: Option<IntervalReport>,
    /// Bus bandwidth in bits per second.
    pub bus_bps: Option<IntervalReport>,
}

impl From<&CollectiveReport> for ReplicaCollective {
    fn from(one: &CollectiveReport) -> Self {
        Self {
            completed: one.completed,
            mean_ps: one.completion.map(|times| times.mean_ps),
            bus_bps: one.bus_bps,
        }
    }
}

impl CollectiveIntervals {
    /// An operation over its runs. `one` is its report from any of them: what it is does not depend on the seed.
    pub(super) fn new(one: &CollectiveReport, runs: &[ReplicaCollective]) -> Self {
        let whole: Vec<_> = runs.iter().filter(|run| run.completed == one.times.len()).collect();
        let over = |value: &dyn Fn(&ReplicaCollective) -> Option<f64>| {
            IntervalReport::of(&whole.iter().filter_map(|run| value(run)).collect::<Vec<_>>())
        };
        Self {
            name: one.name.clone(),
            operation: one.operation,
            schedule: one.schedule,
            members: one.members,
            bytes: one.bytes,
            completed: whole.len(),
            mean_ps: over(&|run| run.mean_ps.map(|ps| ps as f64)),
            bus_bps: over(&|run| run.bus_bps),
        }
    }
}

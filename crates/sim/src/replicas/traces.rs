//! Traces over several runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::summary::IntervalReport;
use crate::traces::TraceRunReport;

/// A trace in one run of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplicaTrace {
    /// Number of ranks that have done all.
    pub completed: usize,
    /// Time from the start until half of those ranks had, in picoseconds.
    pub median_ps: Option<u64>,
    /// The same until the last rank had. `None`: some rank has not.
    pub last_ps: Option<u64>,
}

/// A trace over all runs that reached their end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceIntervals {
    /// Its name.
    pub name: String,
    /// Number of ranks.
    pub ranks: usize,
    /// Number of runs in which all ranks have done all. Only they count for times.
    pub completed: usize,
    /// Time from the start until half of the ranks had done all, in picoseconds.
    pub median_ps: Option<IntervalReport>,
    /// The same until the last rank had.
    pub last_ps: Option<IntervalReport>,
}

impl From<&TraceRunReport> for ReplicaTrace {
    fn from(one: &TraceRunReport) -> Self {
        Self { completed: one.completed, median_ps: one.median_ps, last_ps: one.last_ps }
    }
}

impl TraceIntervals {
    /// A trace over its runs. `one` is its report from any of them: what it is does not depend on the seed.
    pub(super) fn new(one: &TraceRunReport, runs: &[ReplicaTrace]) -> Self {
        let whole: Vec<_> = runs.iter().filter(|run| run.completed == one.ranks).collect();
        let over = |value: &dyn Fn(&ReplicaTrace) -> Option<u64>| {
            let values = whole.iter().filter_map(|run| value(run)).map(|ps| ps as f64);
            IntervalReport::of(&values.collect::<Vec<_>>())
        };
        Self {
            name: one.name.clone(),
            ranks: one.ranks,
            completed: whole.len(),
            median_ps: over(&|run| run.median_ps),
            last_ps: over(&|run| run.last_ps),
        }
    }
}

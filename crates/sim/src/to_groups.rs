//! All messages to groups of a run together.

use lightloom_twin::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::groups::taken;
use crate::summary::TimesReport;

/// All messages to groups together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToGroupsReport {
    /// Number of messages that every receiver has.
    pub completed: usize,
    /// Number of all other messages.
    pub unfinished: usize,
    /// Number of receivers, over all messages.
    pub receivers: usize,
    /// Number of receivers that have all payload of their message.
    pub completed_receivers: usize,
    /// Time from the request until the last receiver has all payload, over the completed messages.
    pub completion: Option<TimesReport>,
    /// Number of packets that were sent again.
    pub repeated: u64,
    /// Number of packets that arrived at receivers that had them.
    pub twice: u64,
    /// Number of timeouts.
    pub timeouts: u64,
}

impl ToGroupsReport {
    /// Adds up the messages to groups. `None`: the scenario has none.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let casts = || outcome.casts.iter();
        let receivers = || casts().flat_map(|cast| &cast.receivers);
        let last: Vec<u64> =
            casts().filter_map(|cast| taken(cast.all.asked, cast.all.received)).collect();
        (!outcome.casts.is_empty()).then(|| Self {
            completed: last.len(),
            unfinished: outcome.casts.len() - last.len(),
            receivers: receivers().count(),
            completed_receivers: receivers().filter(|got| got.received.is_some()).count(),
            completion: TimesReport::of(last),
            repeated: casts().map(|cast| cast.all.repeated).sum(),
            twice: casts().map(|cast| cast.all.spurious).sum(),
            timeouts: casts().map(|cast| cast.all.timeouts).sum(),
        })
    }
}

//! A recovery as it is reported.

use lightloom_routing::recovery::{MethodName, Objective};
use std::collections::BTreeMap;

use lightloom_routing::recovery;
use lightloom_routing::verify::{Accept, Via};
use lightloom_topology::TorId;
use lightloom_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::throughput::ThroughputReport;

/// What a recovery is and does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecoverReport {
    /// The failures.
    pub failed: Vec<String>,
    /// How it was recovered.
    pub method: MethodName,
    /// What `replan` kept small.
    pub objective: Option<Objective>,
    /// The sources that can no longer transmit themselves. With power they count as all others do, and
    /// send through a stand-in (`via`); without power they reach nobody.
    pub failed_sources: Vec<TorId>,
    /// The failed sources that `restored` and `unreachable` leave out: none but with Algorithm 2, which
    /// gives all of them up.
    pub not_counted: Vec<TorId>,
    /// Whether every source that counts reaches every other ToR, itself or through its stand-in. A ToR
    /// without power counts, as a source and as one to be reached, so nothing restores all then.
    pub restored: bool,
    /// For each source that counts the other ToRs that it does not reach.
    pub unreachable: BTreeMap<TorId, Vec<TorId>>,
    /// The stand-in that transmits first for a source whose own transmitter is out.
    pub via: Via,
    /// For each ToR the sources that it takes from one ToR's splitter only.
    pub accept: Accept,
    /// Against the installed tables.
    pub changes: BTreeMap<TorId, ChangeReport>,
    /// The order in which to make them.
    pub phases: Vec<Phase>,
    /// For each source whose rules change, how many ToRs it does not reach between the deletions
    /// and the additions.
    pub outage: BTreeMap<TorId, usize>,
    /// Moved sources that not every live relay of a cassette could take, so that they may burden one
    /// beyond an even share (fewest changes).
    pub restricted: Vec<TorId>,
    /// Hops to the farthest ToR that is reached.
    pub max_hops: u32,
    /// For each source the hops to the farthest ToR that it reaches.
    pub hops: BTreeMap<TorId, u32>,
    /// The most sources at line rate at once when trees are planned for them, over the ToRs that
    /// still light all their receivers.
    pub parallel_sources: usize,
    /// Mean rates before and after, by number of active sources; only where asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub throughput: Vec<ThroughputReport>,
    /// Why what Algorithm 2 leads to is not safe.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
}

/// The rules of one ToR that change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeReport {
    /// Sources that it relays from now on, ascending.
    pub add: Vec<TorId>,
    /// Sources that it relays no more, ascending.
    pub delete: Vec<TorId>,
}

/// One step of a rollout; the next begins when it is done everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Phase {
    /// Delete rules: sources by ToR.
    Delete {
        /// What to delete.
        rules: BTreeMap<TorId, Vec<TorId>>,
    },
    /// Wait until every switch has answered that it is done.
    Barrier,
    /// Wait until the last packet under the old rules has arrived.
    Drain {
        /// How long.
        time: Span,
    },
    /// Take sources from one named ToR's splitter only, by ToR.
    Accept {
        /// By ToR and source.
        only: Accept,
    },
    /// Add rules: sources by ToR.
    Add {
        /// What to add.
        rules: BTreeMap<TorId, Vec<TorId>>,
    },
}

impl From<recovery::Phase> for Phase {
    fn from(phase: recovery::Phase) -> Self {
        match phase {
            recovery::Phase::Delete(rules) => Self::Delete { rules },
            recovery::Phase::Barrier => Self::Barrier,
            recovery::Phase::Drain(time) => Self::Drain { time },
            recovery::Phase::Accept(only) => Self::Accept { only },
            recovery::Phase::Add(rules) => Self::Add { rules },
        }
    }
}

//! Reports of recoveries.

use lightloom_routing::recovery::{MethodName, Objective};
use std::collections::BTreeMap;

use lightloom_routing::recovery;
use lightloom_routing::verify::{Accept, Via};
use lightloom_topology::TorId;
use lightloom_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cascade::CascadeReport;
use crate::recover::drain::DrainReport;
use crate::throughput::ThroughputReport;

/// Report of a recovery.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecoverReport {
    /// The failures, in standard form.
    pub failed: Vec<String>,
    /// Method of recovery.
    pub method: MethodName,
    /// The objective of `replan`.
    pub objective: Option<Objective>,
    /// The sources that can no longer transmit. Those with power count like all others, and send through a
    /// stand-in (`via`). Those without power reach no ToR.
    pub failed_sources: Vec<TorId>,
    /// The failed sources that `restored` and `unreachable` leave out. Only Algorithm 2 has such sources: it
    /// gives up all of them.
    pub not_counted: Vec<TorId>,
    /// Whether every counted source reaches every other ToR, directly or through its stand-in. ToRs without
    /// power count, as sources and as receivers, so with such a ToR this is false.
    pub restored: bool,
    /// For each counted source, the other ToRs that it does not reach.
    pub unreachable: BTreeMap<TorId, Vec<TorId>>,
    /// The stand-in of each source without a working transmitter: the ToR that transmits first.
    pub via: Via,
    /// For each ToR, the sources that it accepts only from one ToR's splitter.
    pub accept: Accept,
    /// Changes relative to the installed tables.
    pub changes: BTreeMap<TorId, ChangeReport>,
    /// Whether nothing is said about the rollout: `phases`, `drain` and `outage` were not asked for. Only the final
    /// state is proved then.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub without_rollout: bool,
    /// The order of the changes.
    pub phases: Vec<Phase>,
    /// What the time of the drain is made of. `None`: no rules change.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub drain: Option<DrainReport>,
    /// For each source whose rules change, the number of ToRs that it does not reach between the deletions
    /// and the additions.
    pub outage: BTreeMap<TorId, usize>,
    /// Moved sources that not every live relay of a cassette can serve. They may load one relay beyond an
    /// even share (only with fewest changes).
    pub restricted: Vec<TorId>,
    /// Number of hops to the farthest reached ToR.
    pub max_hops: u32,
    /// For each source, the number of hops to the farthest ToR that it reaches.
    pub hops: BTreeMap<TorId, u32>,
    /// The counted sources by the hops that the repair adds to their way to the farthest ToR that they reach
    /// (shufflecast:fig7b). Empty in a plan.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub added_hops: Vec<AddedHops>,
    /// Largest number of sources at line rate at the same time if trees are planned for them, each to every ToR with
    /// power. 0 if some of these are cut off. Only ToRs that still light all their receivers are used.
    pub parallel_sources: usize,
    /// Mean rates before and after, by number of active sources. Empty unless requested.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub throughput: Vec<ThroughputReport>,
    /// Why the final state of Algorithm 2 is not safe.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
    /// The ToRs that link fault signalling silences. The recovery repairs their loss too. `None`: it is off.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault_signalling: Option<CascadeReport<RecoverFigures>>,
}

/// Sources with as many hops more than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddedHops {
    /// Number of hops.
    pub hops: u32,
    /// Number of sources.
    pub sources: usize,
}

/// The figures of a recovery.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecoverFigures {
    /// Whether every counted source reaches every other ToR.
    pub restored: bool,
    /// Number of sources that can no longer transmit.
    pub failed_sources: usize,
    /// Number of sources that send through a stand-in.
    pub stand_ins: usize,
    /// Number of counted sources that do not reach all other ToRs.
    pub incomplete_sources: usize,
    /// Number of rules to add.
    pub rules_to_add: usize,
    /// Number of rules to delete.
    pub rules_to_delete: usize,
    /// Number of hops to the farthest reached ToR.
    pub max_hops: u32,
    /// Largest number of sources at line rate at the same time if trees are planned for them.
    pub parallel_sources: usize,
}

/// What comes before a failed part goes back into service under the rules of a repair.
const WAY_BACK: &str = "Before a failed part goes back into service, put the old rules back, in this order: delete the \
    rules that were added, barrier, drain, remove filters and stand-ins, barrier, add the rules that were deleted, \
    barrier. Under the new rules a mended fibre can bring second copies or a loop.";

impl RecoverReport {
    /// The warning before a failed part goes back into service. `None`: no rule changes.
    pub fn way_back(&self) -> Option<&'static str> {
        (!self.changes.is_empty() || !self.phases.is_empty()).then_some(WAY_BACK)
    }

    /// What came of the recovery, as a clause without a period.
    pub fn outcome(&self) -> String {
        match (self.restored, self.via.len()) {
            (false, _) => "not all is restored".to_owned(),
            (true, 0) if !self.not_counted.is_empty() => {
                "every other source reaches everyone".to_owned()
            }
            (true, 0) => "every source reaches everyone".to_owned(),
            (true, through) => {
                format!("every source reaches everyone, {through} of them through a stand-in")
            }
        }
    }

    /// The hops that the repair adds, as a sentence. `None`: no source is counted.
    pub fn added_hops_line(&self) -> Option<String> {
        let sources: usize = self.added_hops.iter().map(|added| added.sources).sum();
        let part = |added: &AddedHops| match added.hops {
            0 => format!("none for {}", added.sources),
            more => format!("{more} for {}", added.sources),
        };
        let parts: Vec<String> = self.added_hops.iter().map(part).collect();
        let parts = parts.join(", ");
        (sources > 0).then(|| format!("Added hops of the {sources} sources: {parts}."))
    }

    /// The figures of this recovery.
    pub fn figures(&self) -> RecoverFigures {
        RecoverFigures {
            restored: self.restored,
            failed_sources: self.failed_sources.len(),
            stand_ins: self.via.len(),
            incomplete_sources: self.unreachable.len(),
            rules_to_add: self.changes.values().map(|change| change.add.len()).sum(),
            rules_to_delete: self.changes.values().map(|change| change.delete.len()).sum(),
            max_hops: self.max_hops,
            parallel_sources: self.parallel_sources,
        }
    }
}

impl RecoverFigures {
    /// The figures that are compared with those without link fault signalling, with their names.
    pub fn rows(&self) -> [(&'static str, usize); 6] {
        [
            ("failed sources", self.failed_sources),
            ("stand-ins", self.stand_ins),
            ("sources not restored", self.incomplete_sources),
            ("rules to add", self.rules_to_add),
            ("rules to delete", self.rules_to_delete),
            ("parallel sources left", self.parallel_sources),
        ]
    }
}

/// Changed rules of one ToR.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeReport {
    /// Sources that it starts to relay, ascending.
    pub add: Vec<TorId>,
    /// Sources that it stops relaying, ascending.
    pub delete: Vec<TorId>,
}

/// One phase of a rollout. The next one begins when all switches are done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Phase {
    /// Delete rules: sources by ToR.
    Delete {
        /// The rules to delete.
        rules: BTreeMap<TorId, Vec<TorId>>,
    },
    /// Wait until every switch has reported that it is done.
    Barrier,
    /// Wait until the last packet under the old rules has arrived.
    Drain {
        /// Time to wait.
        time: Span,
    },
    /// Accept sources only from one ToR's splitter.
    Accept {
        /// The splitter's ToR, by receiving ToR and source.
        only: Accept,
    },
    /// Add rules: sources by ToR.
    Add {
        /// The rules to add.
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

//! Phases of a rollout: deletions, barrier, drain, filters, additions.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::TorId;
use lightloom_units::{Length, Span};

use crate::recovery::method::Answer;
use crate::recovery::rollout::{Change, Changes};
use crate::verify::Accept;

/// One phase of a rollout. The next one begins when all switches are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Delete rules: sources by ToR.
    Delete(BTreeMap<TorId, Vec<TorId>>),
    /// Wait until every switch has reported that it is done.
    Barrier,
    /// Wait this long, until the last packet under the old rules has arrived.
    Drain(Span),
    /// Accept sources only from one ToR's splitter, by receiving ToR and source.
    Accept(Accept),
    /// Add rules: sources by ToR.
    Add(BTreeMap<TorId, Vec<TorId>>),
}

/// The phases for the changes of an answer. Empty if nothing changes. `max_hops` is the largest number of
/// hops of a packet under the old rules.
pub fn phases(answer: &Answer, hop_delay: Span, max_hops: u32) -> Vec<Phase> {
    if answer.changes.by_tor().is_empty() {
        return Vec::new();
    }
    let time = hop_delay.checked_mul(max_hops.into()).unwrap_or(hop_delay);
    let [deletions, additions]: [fn(&Change) -> &BTreeSet<TorId>; 2] =
        [|change| &change.delete, |change| &change.add];
    let [deletions, additions] = [deletions, additions].map(|which| rules(&answer.changes, which));
    let mut phases = Vec::new();
    if !deletions.is_empty() {
        phases.extend([Phase::Delete(deletions), Phase::Barrier]);
    }
    // Nothing takes the place of old rules before their packets, and those from before the failure, have arrived.
    if !(answer.accept.is_empty() && additions.is_empty()) {
        phases.push(Phase::Drain(time));
    }
    if !answer.accept.is_empty() {
        phases.extend([Phase::Accept(answer.accept.clone()), Phase::Barrier]);
    }
    if !additions.is_empty() {
        phases.extend([Phase::Add(additions), Phase::Barrier]);
    }
    phases
}

/// Delay of the longest hop: the longest fibre as feed and as branch, plus the delay of a relay.
pub fn longest_hop(longest_fibre: Length, fibre_per_metre: Span, relay: Span) -> Span {
    let metres = (2 * longest_fibre.as_um()).div_ceil(1_000_000);
    let fibre = metres.saturating_mul(fibre_per_metre.as_ps());
    Span::from_ps(fibre.saturating_add(relay.as_ps()))
}

fn rules(
    changes: &Changes,
    which: impl Fn(&Change) -> &BTreeSet<TorId>,
) -> BTreeMap<TorId, Vec<TorId>> {
    let by_tor = changes.by_tor().iter();
    by_tor
        .map(|(&tor, change)| (tor, which(change).iter().copied().collect::<Vec<_>>()))
        .filter(|(_, sources)| !sources.is_empty())
        .collect()
}

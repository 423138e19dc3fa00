//! Proof of a state: replays every source over the damaged fabric with given rules.

use std::collections::BTreeMap;

use lightloom_topology::TorId;

use crate::failure::Damage;
use crate::recovery::method::Answer;
use crate::verify::{Hardware as _, InstalledRules, LightMap, Replay, RulesOverDamage, Violation};

/// Replays all sources over the damaged fabric.
pub(super) struct Proof<'a> {
    pub(super) damage: &'a Damage<'a>,
    pub(super) light: &'a LightMap,
}

/// Deliveries under some rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// For each source that misses ToRs, those ToRs.
    pub lost: BTreeMap<TorId, Vec<TorId>>,
    /// For each source that transmits, the hops to the farthest ToR that it reaches. The stand-in of a source has
    /// the packet without light.
    pub hops: BTreeMap<TorId, u32>,
    /// Number of hops of the last copy to another ToR than its source. The copies count that return to a stand-in,
    /// which drops them.
    pub last_copy: u32,
}

impl State {
    /// Number of hops to the farthest ToR that any source reaches.
    pub fn max_hops(&self) -> u32 {
        self.hops.values().copied().max().unwrap_or(0)
    }

    /// For each counted source that misses ToRs, those ToRs.
    pub fn unreachable(&self, not_counted: &[TorId]) -> BTreeMap<TorId, Vec<TorId>> {
        let mut lost = self.lost.clone();
        lost.retain(|source, _| !not_counted.contains(source));
        lost
    }

    /// The sources that lose more ToRs in another state.
    pub(super) fn sources_worse_in<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = TorId> + 'a {
        let before = |source: &TorId| self.lost.get(source).map_or(0, Vec::len);
        other.lost.iter().filter(move |(s, lost)| lost.len() > before(s)).map(|(s, _)| *s)
    }
}

impl Proof<'_> {
    /// Follows the packets of every source. A second copy or a loop is an error.
    pub(super) fn state(&self, lists: &[Vec<TorId>], answer: &Answer) -> Result<State, Violation> {
        let rules = InstalledRules::of_lists(lists).with(answer.accept.clone(), answer.via.clone());
        let mut replay = Replay::new(self.light);
        let mut state = State::default();
        for source in self.light.tor_ids() {
            let root = rules.root(source);
            let parts = RulesOverDamage { damage: self.damage, rules: &rules, source };
            let missed = if parts.has_rule(root) {
                replay.follow(source, root, &parts)?;
                let mut farthest = 0;
                for tor in self.light.tor_ids().filter(|&tor| tor != source) {
                    let hops = replay.hops(tor).unwrap_or(0);
                    state.last_copy = state.last_copy.max(hops);
                    farthest = if tor == root { farthest } else { farthest.max(hops) };
                }
                state.hops.insert(source, farthest);
                replay.missed(source, root)
            } else {
                self.light.tor_ids().filter(|&tor| tor != source).collect()
            };
            if !missed.is_empty() {
                state.lost.insert(source, missed);
            }
        }
        Ok(state)
    }
}

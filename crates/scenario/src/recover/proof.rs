//! Replays every source over what is left, under given rules.

use std::collections::BTreeMap;

use lightloom_routing::failure::Damage;
use lightloom_routing::verify::{InstalledRules, LightMap, Parts as _, Replay, RulesOverDamage};
use lightloom_topology::{Fabric, TorId};

use super::Answer;
use crate::Error;
use crate::impact::rejected;

/// Replays all sources over what is left.
pub(super) struct Proof<'a> {
    pub(super) fabric: &'a Fabric,
    pub(super) damage: &'a Damage<'a>,
    pub(super) wiring: &'a LightMap,
}

/// Who gets what under some tables.
#[derive(Debug, Default)]
pub(super) struct State {
    /// For each source that misses someone, whom.
    pub(super) lost: BTreeMap<TorId, Vec<TorId>>,
    /// For each source that transmits, the farthest ToR that it reaches.
    pub(super) hops: BTreeMap<TorId, u32>,
}

impl State {
    pub(super) fn max_hops(&self) -> u32 {
        self.hops.values().copied().max().unwrap_or(0)
    }

    /// Whom each source misses that counts.
    pub(super) fn unreachable(&self, not_counted: &[TorId]) -> BTreeMap<TorId, Vec<TorId>> {
        let mut lost = self.lost.clone();
        lost.retain(|source, _| !not_counted.contains(source));
        lost
    }

    /// The sources that lose more in another state.
    pub(super) fn sources_worse_in<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = TorId> + 'a {
        let before = |source: &TorId| self.lost.get(source).map_or(0, Vec::len);
        other.lost.iter().filter(move |(s, lost)| lost.len() > before(s)).map(|(s, _)| *s)
    }
}

impl Proof<'_> {
    /// Follows every source's packets; a second copy or a loop is an error.
    pub(super) fn state(&self, lists: &[Vec<TorId>], answer: &Answer) -> Result<State, Error> {
        let rules = InstalledRules::of_lists(lists).with(answer.accept.clone(), answer.via.clone());
        let mut replay = Replay::new(self.wiring);
        let mut state = State::default();
        for source in self.fabric.tor_ids() {
            let root = rules.root(source);
            let parts = RulesOverDamage { damage: self.damage, rules: &rules, source };
            let missed = if parts.has_rule(root) {
                replay.follow(source, root, &parts).map_err(rejected)?;
                let others = self.fabric.tor_ids().filter(|&tor| tor != source);
                let farthest = others.filter_map(|tor| replay.hops(tor)).max();
                state.hops.insert(source, farthest.unwrap_or(0));
                replay.missed(source, root)
            } else {
                self.fabric.tor_ids().filter(|&tor| tor != source).collect()
            };
            if !missed.is_empty() {
                state.lost.insert(source, missed);
            }
        }
        Ok(state)
    }
}

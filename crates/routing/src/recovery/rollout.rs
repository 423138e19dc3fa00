//! Changes between two sets of tables, rule by rule, in a safe order.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::TorId;

use crate::recovery::replan::Repair;
use crate::tables::RelayTables;

/// Rules to add and to delete, by ToR.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    by_tor: BTreeMap<TorId, Change>,
}

/// The sources whose rules one ToR adds and deletes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Sources that it starts to relay.
    pub add: BTreeSet<TorId>,
    /// Sources that it stops relaying.
    pub delete: BTreeSet<TorId>,
}

impl Changes {
    /// The changes that repairs make to installed tables.
    pub fn of_repairs(tables: &RelayTables, repairs: &[Repair]) -> Self {
        let mut changes = Self::default();
        for repair in repairs {
            let mut old = tables.row(repair.source).to_vec();
            old.sort_unstable();
            for &relay in old.iter().filter(|relay| repair.relays.binary_search(relay).is_err()) {
                changes.delete(relay, repair.source);
            }
            for &relay in repair.relays.iter().filter(|relay| old.binary_search(relay).is_err()) {
                changes.add(relay, repair.source);
            }
        }
        changes
    }

    /// The changes from one set of tables to another. Both are ascending lists of sources by relay.
    pub fn between(old: &[Vec<TorId>], new: &[Vec<TorId>]) -> Self {
        let mut changes = Self::default();
        for (tor, (old, new)) in old.iter().zip(new).enumerate() {
            for &source in old.iter().filter(|source| new.binary_search(source).is_err()) {
                changes.delete(TorId::at(tor), source);
            }
            for &source in new.iter().filter(|source| old.binary_search(source).is_err()) {
                changes.add(TorId::at(tor), source);
            }
        }
        changes
    }

    /// Adds a rule: the ToR relays the source.
    pub fn add(&mut self, tor: TorId, source: TorId) {
        self.by_tor.entry(tor).or_default().add.insert(source);
    }

    /// Deletes a rule: the ToR no longer relays the source.
    pub fn delete(&mut self, tor: TorId, source: TorId) {
        self.by_tor.entry(tor).or_default().delete.insert(source);
    }

    /// The ToRs with changes, ascending.
    pub fn by_tor(&self) -> &BTreeMap<TorId, Change> {
        &self.by_tor
    }

    /// The changes that undo these.
    #[must_use]
    pub fn undone(&self) -> Self {
        let undo =
            |change: &Change| Change { add: change.delete.clone(), delete: change.add.clone() };
        Self { by_tor: self.by_tor.iter().map(|(&tor, change)| (tor, undo(change))).collect() }
    }

    /// Applies the changes to lists of sources by relay. The lists stay ascending.
    pub fn apply(&self, sources_by_relay: &mut [Vec<TorId>]) {
        self.apply_deletes(sources_by_relay);
        for (tor, change) in &self.by_tor {
            let list = &mut sources_by_relay[tor.index()];
            list.extend(&change.add);
            list.sort_unstable();
            list.dedup();
        }
    }

    /// Applies only the deletions: the state between the phases of a rollout.
    pub fn apply_deletes(&self, sources_by_relay: &mut [Vec<TorId>]) {
        for (tor, change) in &self.by_tor {
            sources_by_relay[tor.index()].retain(|source| !change.delete.contains(source));
        }
    }

    /// The sources whose rules change, ascending. They lose packets between the phases.
    pub fn sources(&self) -> BTreeSet<TorId> {
        let changes = self.by_tor.values();
        changes.flat_map(|change| change.add.iter().chain(&change.delete)).copied().collect()
    }
}

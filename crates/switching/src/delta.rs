//! What one phase of a rollout changes on one switch.

use std::collections::BTreeMap;

use crate::config::{FirstStage, Replication, SwitchConfig};
use crate::stamp::Stamp;

/// The gate of a switch before and after a phase. An open gate has the stamp of the rules that the switch carries.
/// `None`: the gate is closed, so the switch relays and delivers nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// Before the phase.
    pub before: Option<Stamp>,
    /// After the phase.
    pub after: Option<Stamp>,
}

impl Gate {
    /// A gate that stays as it is.
    pub fn stays(stamp: Option<Stamp>) -> Self {
        Self { before: stamp, after: stamp }
    }

    /// Whether the phase changes the gate.
    pub fn changes(self) -> bool {
        self.before != self.after
    }

    /// Whether no packet passes during the phase.
    pub fn stays_closed(self) -> bool {
        self.before.is_none() && self.after.is_none()
    }
}

/// What one phase changes on one switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// Entries of the first stage that are added, or get another outcome.
    pub add: Vec<FirstStage>,
    /// Entries of the first stage that are removed.
    pub remove: Vec<FirstStage>,
    /// Entries of the second stage that are added, or get other ports.
    pub add_replications: Vec<Replication>,
    /// Entries of the second stage that are removed.
    pub remove_replications: Vec<Replication>,
    /// The gate.
    pub gate: Gate,
    /// The configuration before the phase.
    pub before: SwitchConfig,
    /// The configuration after the phase.
    pub after: SwitchConfig,
}

impl Delta {
    /// What leads from one configuration of a switch to another.
    pub fn between(old: &SwitchConfig, new: &SwitchConfig, gate: Gate) -> Self {
        let of = |config: &SwitchConfig| -> BTreeMap<_, FirstStage> {
            config.first.iter().map(|entry| (entry.key(), *entry)).collect()
        };
        let replications = |config: &SwitchConfig| -> BTreeMap<u64, Replication> {
            config.replications().into_iter().map(|one| (one.number(), one)).collect()
        };
        let (before, after) = (of(old), of(new));
        let changed = |key, entry: &&FirstStage| before.get(key) != Some(*entry);
        let (had, has) = (replications(old), replications(new));
        // The ports beside the members come from the configuration.
        let ports = |config: &SwitchConfig| (config.transmit_port(), config.stand_in);
        let ports_differ = ports(old) != ports(new);
        let differs = |number, one: &&Replication| ports_differ || had.get(number) != Some(*one);
        Self {
            add: after
                .iter()
                .filter(|(key, entry)| changed(key, entry))
                .map(|(_, entry)| *entry)
                .collect(),
            remove: before
                .iter()
                .filter(|(key, _)| !after.contains_key(key))
                .map(|(_, entry)| *entry)
                .collect(),
            add_replications: has
                .iter()
                .filter(|(number, one)| differs(number, one))
                .map(|(_, one)| one.clone())
                .collect(),
            remove_replications: had
                .iter()
                .filter(|(number, _)| !has.contains_key(number))
                .map(|(_, one)| one.clone())
                .collect(),
            gate,
            before: old.clone(),
            after: new.clone(),
        }
    }

    /// Whether it changes neither tables nor the gate.
    pub fn is_nothing(&self) -> bool {
        self.add.is_empty()
            && self.remove.is_empty()
            && self.add_replications.is_empty()
            && self.remove_replications.is_empty()
            && !self.gate.changes()
    }
}

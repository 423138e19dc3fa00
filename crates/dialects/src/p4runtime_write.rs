//! P4Runtime updates as protobuf text. They are checked against what the pipeline declares, before anything is written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::p4runtime_entry::{Entry, Refused, Value};
use crate::p4runtime_pipeline::Engine;

/// A multicast group.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub id: u64,
    /// Ports, with the instance that the egress sees.
    pub replicas: Vec<(Value, u16)>,
}

impl Group {
    fn check(&self, engine: &Engine) -> Result<(), Refused> {
        if self.id == 0 || u16::try_from(self.id).is_err() {
            return Err(Refused::Group(self.id));
        }
        let place = "a multicast group";
        for (port, instance) in &self.replicas {
            if !port.fits(engine.port) {
                let (field, value) = ("the port of a replica", port.clone());
                return Err(Refused::Overflow { place, field, value, is: engine.port });
            }
            if *instance == 0 {
                return Err(Refused::Missing { place, field: "the instance of a replica" });
            }
        }
        let different: BTreeSet<_> = self.replicas.iter().collect();
        if different.len() < self.replicas.len() {
            return Err(Refused::Replica(self.id));
        }
        at_most(place, "replicas", self.replicas.len(), engine.replicas_of_group)
    }

    /// What tells it from other groups, as it is deleted.
    pub(super) fn key_text(&self) -> String {
        Self { id: self.id, replicas: Vec::new() }.text()
    }

    /// The group, as it is inserted.
    pub(super) fn text(&self) -> String {
        let mut text = "    packet_replication_engine_entry {\n".to_owned();
        let _ = writeln!(
            text,
            "      multicast_group_entry {{\n        multicast_group_id: {}",
            self.id
        );
        for (port, instance) in &self.replicas {
            let port = port.text();
            let _ = writeln!(text, "        replicas {{ port: {port} instance: {instance} }}");
        }
        text + "      }\n    }\n"
    }
}

/// A `p4.v1.WriteRequest` that inserts multicast groups.
pub(super) fn groups(head: &str, engine: &Engine, groups: &[Group]) -> Result<String, Refused> {
    groups_fit(engine, groups)?;
    Ok(request(head, groups.iter().map(|group| Update::Insert.text(&group.text()))))
}

/// Checks multicast groups that one switch is told.
pub(super) fn groups_fit(engine: &Engine, groups: &[Group]) -> Result<(), Refused> {
    let mut numbers = BTreeSet::new();
    for group in groups {
        group.check(engine)?;
        if !numbers.insert(group.id) {
            return Err(Refused::Duplicate { place: "the list of multicast groups" });
        }
    }
    let place = "the packet replication engine";
    at_most(place, "multicast groups", groups.len(), engine.groups)?;
    let replicas = groups.iter().map(|group| group.replicas.len()).sum();
    at_most(place, "replicas", replicas, engine.replicas)
}

/// A `p4.v1.WriteRequest` that inserts entries of tables.
pub(super) fn entries(head: &str, entries: &[Entry]) -> Result<String, Refused> {
    fits(entries)?;
    Ok(request(head, entries.iter().map(|entry| Update::Insert.text(&entry.text()))))
}

/// Checks entries that one switch is told.
pub(super) fn fits(entries: &[Entry]) -> Result<(), Refused> {
    let mut keys = BTreeSet::new();
    for entry in entries {
        entry.check()?;
        if !keys.insert(entry.key()) {
            return Err(Refused::Duplicate { place: entry.table.name });
        }
    }
    let mut tables = BTreeMap::new();
    for entry in entries {
        tables.entry(entry.table.id).or_insert((entry.table, 0)).1 += 1;
    }
    tables
        .values()
        .try_for_each(|(table, found)| at_most(table.name, "entries", *found, table.size))
}

fn at_most(
    place: &'static str,
    what: &'static str,
    found: usize,
    most: usize,
) -> Result<(), Refused> {
    if found > most {
        return Err(Refused::Size { place, what, found, most });
    }
    Ok(())
}

/// What an update does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Update {
    Insert,
    Modify,
    Delete,
}

impl Update {
    /// The update of an entity.
    pub(super) fn text(self, entity: &str) -> String {
        let kind = match self {
            Self::Insert => "INSERT",
            Self::Modify => "MODIFY",
            Self::Delete => "DELETE",
        };
        format!("updates {{\n  type: {kind}\n  entity {{\n{entity}  }}\n}}\n")
    }
}

/// A `p4.v1.WriteRequest` of some updates.
pub(super) fn request(head: &str, updates: impl IntoIterator<Item = String>) -> String {
    let start = "# proto-file: p4/v1/p4runtime.proto\n# proto-message: p4.v1.WriteRequest\n";
    let mut text = start.to_owned() + head;
    text.extend(updates);
    text
}

#[cfg(test)]
mod tests;

//! Sizes of the tables of switches, against what their model holds.

use std::collections::BTreeMap;

use lightloom_plan::project::Project;
use lightloom_power_cost::parts::Pipeline;
use lightloom_request::InputError;
use lightloom_topology::{RackId, TorId};
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::{Outcome, Slot, SwitchConfig};
use crate::fabric::Configs;
use crate::single;

named_enum! {
    /// A table of a switch.
    #[derive(JsonSchema)]
    pub enum Table {
        /// Entries that match with a mask.
        Ternary = "ternary_entries",
        /// Entries that match exactly.
        Exact = "exact_entries",
        /// Replication groups.
        Groups = "multicast_groups",
    }
}

impl Table {
    /// The table in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Ternary => "entries that match with a mask",
            Self::Exact => "entries that match exactly",
            Self::Groups => "replication groups",
        }
    }
}

/// Number of entries that a switch needs of each table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Needs {
    /// Entries that match with a mask: ranges of addresses count as masks.
    pub ternary_entries: u64,
    /// Entries that match exactly.
    pub exact_entries: u64,
    /// Replication groups.
    pub multicast_groups: u64,
}

impl Needs {
    /// What a switch with this number of stages needs.
    pub fn of(config: &SwitchConfig, stages: u32) -> Self {
        let replications = config.replications();
        let multicast_groups = replications.len() as u64;
        let copies = config.copies.len() as u64;
        if stages < 2 {
            let mut by_outcome: BTreeMap<Outcome, u64> = BTreeMap::new();
            for replication in &replications {
                *by_outcome.entry(replication.outcome).or_default() += 1;
            }
            let entries = config.first.iter().map(|entry| single::entries(entry, &by_outcome));
            let ternary_entries = entries.sum();
            return Self { ternary_entries, exact_entries: copies, multicast_groups };
        }
        let is_exact = |destination: Option<crate::address::AddressMatch>| {
            destination.and_then(|group| group.prefix_length()) == Some(u32::BITS)
        };
        let exact = replications.iter().filter(|one| is_exact(one.destination)).count() as u64;
        let first = config.first.len() as u64;
        Self {
            ternary_entries: first + multicast_groups - exact,
            exact_entries: exact + copies,
            multicast_groups,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            ternary_entries: self.ternary_entries + other.ternary_entries,
            exact_entries: self.exact_entries + other.exact_entries,
            multicast_groups: self.multicast_groups + other.multicast_groups,
        }
    }

    /// The larger number of each table.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        Self {
            ternary_entries: self.ternary_entries.max(other.ternary_entries),
            exact_entries: self.exact_entries.max(other.exact_entries),
            multicast_groups: self.multicast_groups.max(other.multicast_groups),
        }
    }

    /// What is needed of a table.
    pub fn table(self, table: Table) -> u64 {
        match table {
            Table::Ternary => self.ternary_entries,
            Table::Exact => self.exact_entries,
            Table::Groups => self.multicast_groups,
        }
    }
}

/// What a switch needs: all of its logical ToRs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfSwitch {
    /// Its first ToR.
    pub tor: TorId,
    /// Whether it is one ToR, or a switch of several logical ones.
    pub slot: Slot,
    /// What it needs.
    pub needs: Needs,
}

impl OfSwitch {
    /// What a switch of one ToR needs, or one logical ToR of it.
    pub fn alone(config: &SwitchConfig, stages: u32) -> Self {
        Self { tor: config.tor, slot: config.slot, needs: Needs::of(config, stages) }
    }

    /// What each switch of a project needs, by its first ToR.
    pub fn all(project: &Project, configs: &[SwitchConfig], stages: u32) -> Vec<Self> {
        let mut switches: BTreeMap<RackId, Self> = BTreeMap::new();
        for config in configs {
            let of_tor = Self::alone(config, stages);
            let rack = project.placement().rack(config.tor);
            let found = switches.entry(rack);
            found.and_modify(|sum| sum.needs = sum.needs.and(of_tor.needs)).or_insert(of_tor);
        }
        let mut switches: Vec<Self> = switches.into_values().collect();
        switches.sort_unstable_by_key(|of| of.tor);
        switches
    }

    /// The switch in a sentence.
    fn words(&self) -> String {
        let switch = if self.slot.is_alone() { "" } else { "the switch of " };
        format!("{switch}ToR {}", self.tor)
    }
}

/// What a table of a model holds. `None`: unknown.
fn holds(pipeline: &Pipeline, table: Table) -> Option<u32> {
    match table {
        Table::Ternary => pipeline.ternary_entries,
        Table::Exact => pipeline.exact_entries,
        Table::Groups => pipeline.multicast_groups,
    }
}

/// A table that is too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lack {
    /// The switch.
    pub of: OfSwitch,
    /// The table.
    pub table: Table,
    /// Number of entries that the switch needs.
    pub needs: u64,
    /// Number of entries that the model holds.
    pub holds: u32,
    /// Number of stages.
    pub stages: u32,
}

impl Lack {
    /// What is wrong, with both numbers.
    pub fn text(&self, model: &str) -> String {
        let Self { of, table, needs, holds, stages } = self;
        let why = if *stages < 2 && *table == Table::Ternary {
            ", because one stage takes the product of relay entries and groups"
        } else {
            ""
        };
        let switch = of.words();
        format!("{switch} needs {needs} {}, and {model} holds {holds}{why}", table.words())
    }

    /// What to do.
    pub fn remedy(&self) -> &'static str {
        match self.table {
            Table::Ternary if self.stages < 2 => {
                "take a model with two stages, fewer groups, or an encoding with masks"
            }
            Table::Ternary => "take an encoding with masks, fewer servers, or another model",
            Table::Exact | Table::Groups => "take fewer groups, or another model",
        }
    }
}

/// The tables of a switch that its model is too small for.
pub fn lacks(of: OfSwitch, pipeline: &Pipeline, stages: u32) -> Vec<Lack> {
    let lack = |table: Table| {
        let (needs, holds) = (of.needs.table(table), holds(pipeline, table)?);
        (needs > u64::from(holds)).then_some(Lack { of, table, needs, holds, stages })
    };
    Table::ALL.into_iter().filter_map(lack).collect()
}

/// Number of stages of a table: those of the model, but no more than a dialect has.
pub fn stages(pipeline: &Pipeline, dialect: u32) -> u32 {
    pipeline.stages.unwrap_or(dialect).min(dialect)
}

/// Checks that the model of a project can do what its switches are told, in a dialect with this number of stages.
///
/// # Errors
/// [`InputError`] at the first table that is too small, with both numbers, and if copies must leave by the port that
/// they came in on and the model cannot do that.
pub fn check(
    configs: &Configs<'_>,
    switches: &[SwitchConfig],
    dialect: u32,
) -> Result<(), InputError> {
    let Some(model) = configs.project.platform().model() else { return Ok(()) };
    let stages = stages(&model.pipeline, dialect);
    for of in OfSwitch::all(configs.project, switches, stages) {
        if let Some(lack) = lacks(of, &model.pipeline, stages).first() {
            let (what, remedy) = (lack.text(&model.name), lack.remedy());
            return Err(InputError::new(format!("{what}; {remedy}")));
        }
    }
    for config in switches {
        if model.pipeline.hairpin == Some(false) && config.names(Outcome::Hairpin) {
            let tor = config.tor;
            return Err(InputError::new(format!(
                "ToR {tor} relays what arrives at its transmit port, and {} cannot send a packet out of the port that \
                 it came in on; {HAIRPIN}",
                model.name
            )));
        }
    }
    Ok(())
}

/// What to do about a model that cannot send a packet out of the port that it came in on.
pub const HAIRPIN: &str = "take another model, or give the transmit fibre a port of its own";

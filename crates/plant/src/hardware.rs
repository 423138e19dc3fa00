//! Sizes of shelves, modules and trunks.

use lightloom_topology::hall::THICKEST;
use lightloom_units::Length;
use serde::{Deserialize, Serialize};

use crate::connector::Connector;

/// Sizes of shelves, modules and trunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hardware {
    /// Slots for modules in a shelf of one rack unit.
    pub slots_per_unit: u16,
    /// LC ports in front of a module that takes one slot. A panel module has an MPO port behind for each twelve.
    pub ports_per_slot: u16,
    /// Sizes of trunks, by ascending number of fibres.
    pub trunks: Vec<TrunkSize>,
}

impl Default for Hardware {
    /// Sizes before any catalogue is read: four modules of 24 LC ports in a unit, and no trunks.
    fn default() -> Self {
        Self { slots_per_unit: 4, ports_per_slot: 24, trunks: Vec::new() }
    }
}

/// A size of trunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrunkSize {
    /// Number of fibres, a multiple of 12.
    pub fibres: u16,
    /// Outer diameter.
    pub diameter: Length,
}

/// What a module of splitters holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModuleSize {
    /// Number of splitters.
    pub splitters: u16,
    /// Number of slots.
    pub slots: u16,
}

impl Hardware {
    /// Largest number of fibres of a trunk: that of the largest ribbon cables.
    pub const MOST_FIBRES: u16 = 6_912;

    /// Checks sizes that were read back from a plan.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let mpo = Connector::MPO_FIBRES;
        let size = |size: u16, step: u16| (1..=1_000).contains(&size) && size.is_multiple_of(step);
        let is_trunk = |trunk: &TrunkSize| {
            (1..=Self::MOST_FIBRES).contains(&trunk.fibres)
                && trunk.fibres.is_multiple_of(mpo)
                && trunk.diameter > Length::ZERO
                && trunk.diameter <= THICKEST
        };
        let good = size(self.slots_per_unit, 1)
            && size(self.ports_per_slot, mpo)
            && self.trunks.iter().all(is_trunk)
            && self.trunks.is_sorted_by(|a, b| a.fibres < b.fibres);
        if good { Ok(()) } else { Err("has a size that no shelf, module or trunk can have".into()) }
    }

    /// Whether shelves and modules have the same sizes. Trunks may differ.
    pub fn same_shelves_as(&self, other: &Self) -> bool {
        (self.slots_per_unit, self.ports_per_slot) == (other.slots_per_unit, other.ports_per_slot)
    }

    /// The size of modules of 1:`fan_out` splitters with one LC port for each input and output: as many as fit a
    /// slot, or one in several slots.
    pub fn module(&self, fan_out: u32) -> ModuleSize {
        let ports = fan_out.saturating_add(1);
        let small = |count: u32| u16::try_from(count).unwrap_or(u16::MAX);
        match u32::from(self.ports_per_slot) / ports {
            0 => ModuleSize {
                splitters: 1,
                slots: small(ports.div_ceil(self.ports_per_slot.into())),
            },
            splitters => ModuleSize { splitters: small(splitters), slots: 1 },
        }
    }

    /// Rack units of shelves for a number of slots.
    pub fn units(&self, slots: u32) -> u16 {
        u16::try_from(slots.div_ceil(self.slots_per_unit.into())).unwrap_or(u16::MAX)
    }

    /// Rack units of a shelf for splitters with this many outputs.
    pub fn shelf_units(&self, splitters: usize, fan_out: u32) -> u16 {
        let size = self.module(fan_out);
        let modules = splitters.div_ceil(size.splitters.into());
        self.units(u32::try_from(modules).unwrap_or(u32::MAX).saturating_mul(size.slots.into()))
    }

    /// MPO ports behind a panel module.
    pub fn rear_ports(&self) -> u16 {
        self.ports_per_slot / Connector::MPO_FIBRES
    }
}

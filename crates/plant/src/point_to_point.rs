//! One cord from port to port, with the splitters at the senders or at the receivers.

use std::collections::BTreeMap;

use lightloom_power_cost::StockLengths;
use lightloom_topology::hall::Housing;
use lightloom_topology::{RackId, TorId};

use crate::cable::{CableKind, Part};
use crate::error::PlantError;
use crate::fibre::FibreId;
use crate::hardware::Hardware;
use crate::plant::Plant;
use crate::room::{free_units, largest_piece};
use crate::scheme::Scheme;
use crate::site::Site;
use crate::thing::{Thing, ThingId, ThingKind};

/// Places a shelf for each ToR or each cassette, and lays one cord for each fibre.
pub(crate) fn lay(
    site: Site,
    scheme: Scheme,
    hardware: &Hardware,
    stock: &StockLengths,
) -> Result<Plant, PlantError> {
    let mut plant = Plant::bare(site.clone(), scheme, hardware);
    plant.add_switches();
    let fabric = &site.fabric;
    plant.module_of = vec![(ThingId(0), 0); fabric.tors()];
    if scheme.housing == Housing::Sender {
        // One shelf a switch: its first ToR is in slot 0.
        for tor in fabric.tor_ids().filter(|&tor| site.placement.slot(tor) == 0) {
            let splitters = site.placement.beside(tor).map(Some).collect();
            add_shelf(&mut plant, hardware, site.placement.rack(tor), &[splitters], 0)?;
        }
    } else {
        for (rack, splitters, others) in shelves_at_receivers(&site, hardware) {
            add_shelf(&mut plant, hardware, rack, &splitters, others)?;
        }
    }
    add_cords(&mut plant, stock);
    Ok(plant)
}

/// The shelves of splitters at the receivers: rack, splitters, and the number of other racks that were tried. A rack
/// has the splitters of one cassette, or of several where its switch is several logical ToRs. Each cassette has modules
/// of its own.
fn shelves_at_receivers(site: &Site, hardware: &Hardware) -> Vec<(RackId, Vec<Splitters>, usize)> {
    let fabric = &site.fabric;
    let mut shelves: Vec<(RackId, Vec<Splitters>, usize)> = Vec::new();
    let mut by_rack: BTreeMap<RackId, usize> = BTreeMap::new();
    for cassette in fabric.cassette_ids() {
        let splitters = fabric.splitters(cassette);
        let rack = site.cassette_rack(cassette, hardware);
        let others = match site.placement.shelf(cassette) {
            Some(_) => 0,
            None => site.receiver_racks(cassette).len() - 1,
        };
        match by_rack.get(&rack).filter(|_| site.placement.per_switch() > 1) {
            Some(&there) => shelves[there].1.push(splitters),
            None => {
                by_rack.insert(rack, shelves.len());
                shelves.push((rack, vec![splitters], others));
            }
        }
    }
    shelves
}

/// The splitters of one or more modules. `None` is a splitter whose ToR left.
type Splitters = Vec<Option<TorId>>;

/// Adds the modules of splitters in one shelf. The splitters of different groups are in different modules. A module
/// that has only splitters whose ToRs left is taken out, and the others keep their places. `others` is the number of
/// other racks that were tried.
fn add_shelf(
    plant: &mut Plant,
    hardware: &Hardware,
    rack: RackId,
    groups: &[Splitters],
    others: usize,
) -> Result<(), PlantError> {
    let size = hardware.module(plant.site.fabric.fan_out());
    let modules: Vec<&[Option<TorId>]> =
        groups.iter().flat_map(|group| group.chunks(size.splitters.into())).collect();
    let slots = u32::try_from(modules.len()).unwrap_or(u32::MAX).saturating_mul(size.slots.into());
    let units = hardware.units(slots);
    let top = free_units(&plant.site, rack, units);
    let no_room = || PlantError::NoRoomInRack {
        rack: plant.site.hall.rack(rack).name.clone(),
        units,
        most: largest_piece(&plant.site, rack),
        others,
    };
    let mut place = (top.ok_or_else(no_room)?, 1);
    for of_module in modules {
        let (unit, slot) = place;
        if of_module.iter().any(Option::is_some) {
            let kind = module_of(plant, of_module, false);
            add_module(plant, Thing { kind, rack, unit, slot: Some(slot) }, of_module);
        }
        place = next_slot(hardware, place, size.slots);
    }
    Ok(())
}

/// The kind of a module for these splitters, which are the next ones.
pub(crate) fn module_of(plant: &Plant, splitters: &[Option<TorId>], shuffles: bool) -> ThingKind {
    ThingKind::Splitters {
        first: u32::try_from(plant.splitters.len()).unwrap_or(u32::MAX),
        count: u16::try_from(splitters.len()).unwrap_or(u16::MAX),
        shuffles,
    }
}

/// Adds a module of splitters.
pub(crate) fn add_module(plant: &mut Plant, thing: Thing, splitters: &[Option<TorId>]) -> ThingId {
    let id = plant.add_thing(thing);
    for (place, &tor) in (0..).zip(splitters) {
        if let Some(tor) = tor {
            plant.module_of[tor.index()] = (id, place);
        }
        plant.splitters.push(tor);
    }
    id
}

/// The unit and slot after a module.
fn next_slot(hardware: &Hardware, (unit, slot): (u16, u16), slots: u16) -> (u16, u16) {
    let next = slot + slots;
    match next > hardware.slots_per_unit {
        true => (unit.saturating_sub(slots.div_ceil(hardware.slots_per_unit)).max(1), 1),
        false => (unit, next),
    }
}

/// Adds one cord for each fibre.
pub(crate) fn add_cords(plant: &mut Plant, stock: &StockLengths) {
    let diameter = plant.site.hall.rules().space.fibre_diameter;
    for at in 0..plant.fibres.len() {
        let id = FibreId::at(at);
        let (switch, splitter) = (plant.switch_end(id), plant.splitter_end(id));
        let is_feed = plant.fibres[at].is_feed();
        let ends = if is_feed { [switch, splitter] } else { [splitter, switch] };
        let cable = plant.add_cable(CableKind::Cord(id, Part::Whole), ends, stock, diameter);
        let (length, stock) = (plant.cable(cable).length, plant.cable(cable).stock);
        (plant.fibres[at].length, plant.fibres[at].stock) = (length, stock);
    }
}

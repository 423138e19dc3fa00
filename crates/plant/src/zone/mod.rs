//! Splitters in frames, with cords or trunks to the rows.

mod frames;
mod panels;
mod rows;
mod there;
mod trunks;

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::hall::Shuffle;
use lightloom_topology::{RackId, TorId};

use crate::error::PlantError;
use crate::hardware::Hardware;
use crate::plant::{Plant, Stock};
use crate::point_to_point::{add_cords, add_module, module_of};
use crate::scheme::Scheme;
use crate::site::Site;
use crate::thing::{Thing, ThingId};

use frames::{Frames, Shortage};
use panels::place_panels;
use rows::{HomeRow, home_rows};
use there::Strands;

pub(crate) use rows::outputs_by_row;

/// Places all splitters in the frames of the hall, and lays cords or trunks.
pub(crate) fn lay<'a>(
    site: Site<'a>,
    scheme: Scheme,
    hardware: &Hardware,
    stock: Stock<'_>,
) -> Result<Plant<'a>, PlantError> {
    let mut plant = Plant::bare(site, scheme, hardware);
    plant.add_switches();
    plant.module_of = vec![(ThingId(0), 0); site.fabric.tors()];
    let told = |shortage: Shortage| shortage.told(site.hall);
    let mut frames = Frames::new(site, hardware).map_err(told)?;
    // A plan that is compared with itself in another cabling is built anew.
    let is_there = scheme.is_trunked() != site.placement.trunks().panels.is_empty();
    let mut strands = Strands::default();
    let (mut given, mut there) = (BTreeSet::new(), Vec::new());
    if is_there && scheme.shuffle == Shuffle::Jumpers {
        given = place_given(&mut plant, &mut frames, hardware)?;
        there = place_panels(&mut plant, &mut frames, hardware)?;
        strands = Strands::of(&plant, hardware)?;
    }
    let rows = home_rows(&plant, hardware, &given, &mut strands);
    let panels = frames.share(&rows).map_err(told)?;
    for (row, home) in rows.iter().zip(&panels) {
        place_splitters(&mut plant, &mut frames, row, home.frame).map_err(told)?;
    }
    if scheme.is_trunked() {
        trunks::lay(&mut plant, hardware, stock, (&there, &strands), (&rows, &panels))?;
    } else {
        add_cords(&mut plant, stock.cords);
    }
    Ok(plant)
}

/// Number of frames of this height that a zone needs.
pub fn frames_needed(site: Site<'_>, scheme: Scheme, hardware: &Hardware, units: u16) -> u32 {
    let plant = Plant::bare(site, scheme, hardware);
    let rows = home_rows(&plant, hardware, &BTreeSet::new(), &mut Strands::default());
    let slots: u32 = rows.iter().map(HomeRow::slots).sum();
    let least = slots.div_ceil(u32::from(units.max(1)) * u32::from(hardware.slots_per_unit)).max(1);
    let fits = |&count: &u32| {
        let racks = (0..count).map(|rack| (RackId(rack), (1..=units).rev().collect()));
        Frames::of(racks, hardware).is_ok_and(|frames| all_fit(frames, &rows))
    };
    // What belongs to a row stays together, which can take a frame more. Every row fits a frame of its own, or
    // none.
    (least..=least + u32::try_from(rows.len()).unwrap_or(0)).find(fits).unwrap_or(least)
}

/// Whether all panels and modules find room.
fn all_fit(mut frames: Frames, rows: &[HomeRow]) -> bool {
    let Ok(homes) = frames.share(rows) else { return false };
    rows.iter().zip(&homes).all(|(row, home)| {
        row.modules.iter().all(|module| frames.take_near(home.frame, module.slots).is_ok())
    })
}

/// Places the modules whose places are given, and returns the ToRs that transmit into their splitters. A module
/// without a lit splitter is taken out.
fn place_given(
    plant: &mut Plant<'_>,
    frames: &mut Frames,
    hardware: &Hardware,
) -> Result<BTreeSet<TorId>, PlantError> {
    let site = plant.site;
    let size = hardware.module(site.fabric.fan_out());
    let tors = site.fabric.tor_ids().map(|tor| (site.fabric.splitter_number(tor), tor));
    let by_number: BTreeMap<u32, TorId> = tors.collect();
    let mut given = BTreeSet::new();
    for module in site.placement.modules() {
        let tor = |number: &Option<u32>| by_number.get(number.as_ref()?).copied();
        let splitters: Vec<Option<TorId>> = module.splitters.iter().map(tor).collect();
        let once = splitters.iter().flatten().all(|&tor| given.insert(tor));
        let count = (1..=usize::from(size.splitters)).contains(&splitters.len());
        let place = (module.rack, module.unit, module.slot);
        if !(once && count && frames.take_given(place, size.slots)) {
            let rack = site.hall.rack(module.rack).name.clone();
            return Err(PlantError::GivenModule { rack, unit: module.unit, slot: module.slot });
        }
        if splitters.iter().any(Option::is_some) {
            let kind = module_of(plant, &splitters, false);
            let (rack, unit, slot) = (module.rack, module.unit, Some(module.slot));
            add_module(plant, Thing { kind, rack, unit, slot }, &splitters);
        }
    }
    Ok(given)
}

/// Places the modules of the splitters that belong to a row: in the frame of the row, or else in the next one
/// with room.
fn place_splitters(
    plant: &mut Plant<'_>,
    frames: &mut Frames,
    row: &HomeRow,
    frame: usize,
) -> Result<(), Shortage> {
    for module in &row.modules {
        let (rack, unit, slot) = frames.take_near(frame, module.slots)?;
        let kind = module_of(plant, &module.splitters, module.shuffles);
        add_module(plant, Thing { kind, rack, unit, slot: Some(slot) }, &module.splitters);
    }
    Ok(())
}

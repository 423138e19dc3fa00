//! Splitters in frames, with cords or trunks to the rows.

mod frames;
mod full;
mod needed;
mod panels;
mod rows;
mod there;
mod trunks;

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::TorId;
use lightloom_topology::hall::Shuffle;

use crate::error::PlantError;
use crate::hardware::Hardware;
use crate::plant::{Plant, Stock};
use crate::point_to_point::{add_cords, add_module, module_of};
use crate::scheme::Scheme;
use crate::site::Site;
use crate::thing::{Thing, ThingId};

use frames::{Frames, Share, Shortage};
use panels::place_panels;
use rows::{HomeRow, home_rows};
use there::Strands;

pub use needed::frames_needed;
pub(crate) use rows::outputs_by_row;

/// Places all splitters in the frames of the hall, and lays cords or trunks.
pub(crate) fn lay(
    site: Site,
    scheme: Scheme,
    hardware: &Hardware,
    stock: Stock<'_>,
) -> Result<Plant, PlantError> {
    let mut plant = Plant::bare(site.clone(), scheme, hardware);
    plant.add_switches();
    plant.module_of = vec![(ThingId(0), 0); site.fabric.tors()];
    let told = |shortage: Shortage| shortage.into_error(&site.hall);
    let mut frames = Frames::new(&site, hardware).map_err(told)?;
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
    let shares: Vec<Share> = rows.iter().map(HomeRow::share).collect();
    let panels = frames.share(&shares).map_err(told)?;
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

/// Places the modules whose places are given, and returns the ToRs that transmit into their splitters. A module
/// without a lit splitter is taken out.
fn place_given(
    plant: &mut Plant,
    frames: &mut Frames,
    hardware: &Hardware,
) -> Result<BTreeSet<TorId>, PlantError> {
    let site = plant.site.clone();
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
    plant: &mut Plant,
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

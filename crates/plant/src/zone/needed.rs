//! How many frames a zone needs. Everything is counted, and no fibre is listed, so that large fabrics take little
//! memory.

use std::collections::BTreeMap;

use lightloom_topology::hall::{Cabling, Shuffle};
use lightloom_topology::{CassetteId, RackId, RowId, TorId};

use crate::connector::Connector;
use crate::hardware::Hardware;
use crate::scheme::Scheme;
use crate::site::Site;
use crate::zone::frames::{Frames, Share};
use crate::zone::rows::{
    home_of, receivers_by_row, shuffle_slots, shuffled_splitters, tors_by_row, trunks_of,
};

/// What a row takes in the frames.
struct CountedRow {
    share: Share,
    /// Its modules in order: the width of each in slots.
    modules: Vec<u16>,
}

/// Number of frames of this height that a zone needs. If no number is enough, because something is larger than a frame,
/// the number whose slots would be enough.
pub fn frames_needed(site: &Site, scheme: Scheme, hardware: &Hardware, units: u16) -> u32 {
    let rows = counted(site, scheme, hardware);
    let per_unit = u32::from(hardware.slots_per_unit);
    let whole = u32::from(units.max(1)) * per_unit;
    let slots: u64 = rows.iter().map(|row| u64::from(row.share.slots)).sum();
    let by_slots = small(slots.div_ceil(whole.into())).max(1);
    let is_larger = |row: &CountedRow| {
        row.share.panel_slots > whole || row.modules.iter().any(|&width| u32::from(width) > whole)
    };
    if rows.iter().any(is_larger) {
        return by_slots;
    }
    let frames = |count: u32| {
        let racks = (0..count).map(|rack| (RackId(rack), (1..=units).rev().collect()));
        Frames::of(racks, hardware).ok()
    };
    // The modules of each width by themselves.
    let mut widths: BTreeMap<u16, u64> = BTreeMap::new();
    for &width in rows.iter().flat_map(|row| &row.modules) {
        *widths.entry(width).or_default() += 1;
    }
    let apart = widths.iter().map(|(&width, &count)| {
        let mut one = frames(1);
        let fit = std::iter::from_fn(|| one.as_mut()?.take_near(0, width).ok()).count().max(1);
        count.div_ceil(fit as u64)
    });
    let apart: Vec<u64> = apart.collect();
    // Each width needs as many frames as it would have to itself, at least. Frames of their own for each width, and one
    // more for each row, whose panel stays together, are enough.
    let panels: u64 = rows.iter().map(|row| u64::from(row.share.panel_slots)).sum();
    let least = by_slots.max(small(apart.iter().copied().max().unwrap_or(0))).max(small(by_units(
        &widths,
        panels,
        (whole, per_unit),
    )));
    let most = apart.iter().sum::<u64>() + panels.div_ceil(whole.into()) + rows.len() as u64;
    let (shares, modules): (Vec<Share>, Vec<Vec<u16>>) =
        rows.into_iter().map(|row| (row.share, row.modules)).unzip();
    let fits = |&count: &u32| frames(count).is_some_and(|all| all_fit(all, &shares, &modules));
    (least..=small(most).max(least)).find(fits).unwrap_or(least)
}

/// Number of frames that modules wider than a rack unit need at least: each starts at a new unit. 0 if others are
/// narrower, which can stand beside them.
fn by_units(widths: &BTreeMap<u16, u64>, panels: u64, (whole, per_unit): (u32, u32)) -> u64 {
    let whole_units = |(&width, &count): (&u16, &u64)| {
        let width = u32::from(width);
        (width > per_unit).then(|| u64::from(width.next_multiple_of(per_unit)) * count)
    };
    let all: Option<u64> = widths.iter().map(whole_units).sum();
    // The last module of a frame may be short of the end of its unit.
    all.map_or(0, |all| (all + panels).div_ceil(u64::from(whole + per_unit - 1)))
}

fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether all panels and modules find room.
fn all_fit(mut frames: Frames, rows: &[Share], modules: &[Vec<u16>]) -> bool {
    let Ok(homes) = frames.share(rows) else { return false };
    modules.iter().zip(&homes).all(|(modules, home)| {
        modules.iter().all(|&width| frames.take_near(home.frame, width).is_ok())
    })
}

/// All rows with ToRs, in hall order, as [`super::rows::home_rows`] has them where nothing is there before.
fn counted(site: &Site, scheme: Scheme, hardware: &Hardware) -> Vec<CountedRow> {
    let fabric = &site.fabric;
    let mut cassettes: BTreeMap<RowId, Vec<CassetteId>> = BTreeMap::new();
    for cassette in fabric.cassette_ids() {
        cassettes.entry(home_of(site, cassette)).or_default().push(cassette);
    }
    let branches_to = |tor: &TorId| fabric.transmitters(fabric.receives_from(*tor)).len();
    let row = |(row, tors): (RowId, Vec<TorId>)| {
        let own = cassettes.get(&row).map_or(&[][..], Vec::as_slice);
        let modules = widths(site, scheme, hardware, own);
        let branches = tors.iter().map(branches_to).sum();
        let (_, panel_slots) = trunks_of(scheme, hardware, (branches, tors.len()));
        let of_modules: u32 = modules.iter().map(|&width| u32::from(width)).sum();
        let slots = panel_slots.saturating_add(of_modules);
        CountedRow { share: Share { slots, panel_slots, there: None }, modules }
    };
    tors_by_row(site).into_iter().map(row).collect()
}

/// The widths of the modules for the splitters of these cassettes.
fn widths(site: &Site, scheme: Scheme, hardware: &Hardware, cassettes: &[CassetteId]) -> Vec<u16> {
    let fabric = &site.fabric;
    let splitters = || {
        let of = |&cassette: &CassetteId| fabric.transmitters(cassette).len();
        cassettes.iter().map(of).sum::<usize>()
    };
    if scheme.cabling != Cabling::Trunked || scheme.shuffle != Shuffle::Modules {
        let size = hardware.module(fabric.fan_out());
        return vec![size.slots; splitters().div_ceil(size.splitters.into())];
    }
    // Splitters of a cassette have the same receivers.
    let all: Vec<(CassetteId, usize)> =
        cassettes.iter().map(|&cassette| (cassette, fabric.transmitters(cassette).len())).collect();
    let per_module = shuffled_splitters(site, hardware);
    let mut modules = Vec::new();
    let (mut outputs, mut taken): (BTreeMap<RowId, usize>, usize) = (BTreeMap::new(), 0);
    let mut close = |outputs: &mut BTreeMap<RowId, usize>, taken: &mut usize| {
        let mpo = usize::from(Connector::MPO_FIBRES);
        let connectors = outputs.values().map(|&fibres| fibres.div_ceil(mpo)).sum();
        modules.push(shuffle_slots(hardware, (*taken, connectors)));
        outputs.clear();
        *taken = 0;
    };
    for (cassette, mut left) in all {
        let receivers = receivers_by_row(site, cassette);
        while left > 0 {
            let count = left.min(per_module - taken);
            for (&row, &fibres) in &receivers {
                *outputs.entry(row).or_default() += fibres * count;
            }
            (taken, left) = (taken + count, left - count);
            if taken == per_module {
                close(&mut outputs, &mut taken);
            }
        }
    }
    if taken > 0 {
        close(&mut outputs, &mut taken);
    }
    modules
}

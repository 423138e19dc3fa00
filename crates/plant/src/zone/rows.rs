//! What belongs to each row: its ToRs, the splitters that feed most of them, and the connectors of its trunks.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::hall::{Cabling, Shuffle};
use lightloom_topology::{CassetteId, RackId, RowId, TorId};

use crate::connector::Connector;
use crate::fibre::{Far, FibreId};
use crate::hardware::Hardware;
use crate::plant::Plant;
use crate::scheme::Scheme;
use crate::site::Site;
use crate::zone::frames::Share;
use crate::zone::there::Strands;

/// A row with what belongs to it.
pub(super) struct HomeRow {
    /// The row.
    pub row: RowId,
    /// The modules of the splitters whose receivers are mostly in this row.
    pub modules: Vec<ModulePlan>,
    /// Feeds of the ToRs of the row that need new trunks, in the order of their racks.
    pub feeds: Vec<FibreId>,
    /// Branches to the ToRs of the row that need new trunks, in the order of their racks, then by port.
    pub branches: Vec<FibreId>,
    /// Number of connectors of each new trunk between the panel of the row and its panel in a frame.
    pub trunks: Vec<usize>,
    /// Slots of its panel in a frame.
    pub panel_slots: u32,
    /// The frame of the panel that it has already.
    pub frame: Option<RackId>,
}

/// A module of splitters before it has a place.
pub(super) struct ModulePlan {
    pub splitters: Vec<Option<TorId>>,
    pub slots: u16,
    pub shuffles: bool,
}

impl HomeRow {
    /// What it takes in the frames.
    pub fn share(&self) -> Share {
        let modules: u32 = self.modules.iter().map(|module| u32::from(module.slots)).sum();
        let slots = self.panel_slots.saturating_add(modules);
        Share { slots, panel_slots: self.panel_slots, there: self.frame }
    }
}

/// All rows with ToRs, in hall order. Splitters of a cassette belong to the row of most of their receivers. Those
/// that are in `given` modules have their place already. Fibres take free `strands` before they need new trunks.
pub(super) fn home_rows(
    plant: &Plant,
    hardware: &Hardware,
    given: &BTreeSet<TorId>,
    strands: &mut Strands,
) -> Vec<HomeRow> {
    let (feeds, branches) = fibres_by_tor(plant);
    let mut cassettes: BTreeMap<RowId, Vec<CassetteId>> = BTreeMap::new();
    for cassette in plant.site.fabric.cassette_ids() {
        cassettes.entry(home_of(&plant.site, cassette)).or_default().push(cassette);
    }
    let mut home = |(row, tors): (RowId, Vec<TorId>)| {
        let own = cassettes.get(&row).map_or(&[][..], Vec::as_slice);
        let modules = modules(plant, hardware, own, given);
        let feeds: Vec<FibreId> = tors.iter().map(|tor| feeds[tor.index()]).collect();
        let branches: Vec<FibreId> =
            tors.iter().flat_map(|tor| &branches[tor.index()]).copied().collect();
        let all: Vec<FibreId> = branches.iter().chain(&feeds).copied().collect();
        let left: BTreeSet<FibreId> = strands.fill(plant, row, &all).into_iter().collect();
        let without_strand = |fibres: Vec<FibreId>| -> Vec<FibreId> {
            fibres.into_iter().filter(|fibre| left.contains(fibre)).collect()
        };
        let (branches, feeds) = (without_strand(branches), without_strand(feeds));
        let (trunks, panel_slots) =
            trunks_of(plant.scheme, hardware, (branches.len(), feeds.len()));
        let frame = strands.frame(row);
        HomeRow { row, modules, feeds, branches, trunks, panel_slots, frame }
    };
    tors_by_row(&plant.site).into_iter().map(&mut home).collect()
}

/// The feed of each ToR, and the branches to it by port.
fn fibres_by_tor(plant: &Plant) -> (Vec<FibreId>, Vec<Vec<FibreId>>) {
    let tors = plant.site.fabric.tors();
    let (mut feeds, mut branches) = (vec![FibreId(0); tors], vec![Vec::new(); tors]);
    for (at, fibre) in plant.fibres.iter().enumerate() {
        match fibre.far {
            Far::SplitterInput => feeds[fibre.from.index()] = FibreId::at(at),
            Far::Receiver { tor, port, .. } => branches[tor.index()].push((port, FibreId::at(at))),
        }
    }
    let by_port = |mut of_tor: Vec<(u32, FibreId)>| {
        of_tor.sort_unstable();
        of_tor.into_iter().map(|(_, fibre)| fibre).collect()
    };
    (feeds, branches.into_iter().map(by_port).collect())
}

/// The trunks of a row with this many branches and feeds, and the slots of its panel in a frame.
pub(super) fn trunks_of(
    scheme: Scheme,
    hardware: &Hardware,
    (branches, feeds): (usize, usize),
) -> (Vec<usize>, u32) {
    let spare = scheme.spare_percent;
    let connectors = match (scheme.cabling, scheme.shuffle) {
        (Cabling::PointToPoint, _) => 0,
        (Cabling::Trunked, Shuffle::Jumpers) => {
            connectors(spare, branches) + connectors(spare, feeds)
        }
        (Cabling::Trunked, Shuffle::Modules) => connectors(spare, feeds),
    };
    let trunks = cut(hardware, connectors);
    let slots = trunks.iter().sum::<usize>().div_ceil(hardware.rear_ports().into());
    (trunks, u32::try_from(slots).unwrap_or(u32::MAX))
}

/// The receivers of a cassette by row.
pub(super) fn receivers_by_row(site: &Site, cassette: CassetteId) -> BTreeMap<RowId, usize> {
    let mut receivers: BTreeMap<RowId, usize> = BTreeMap::new();
    for &tor in site.fabric.receivers(cassette) {
        let rack = site.placement.rack(tor);
        *receivers.entry(site.hall.rack(rack).row).or_default() += 1;
    }
    receivers
}

/// The row of most receivers of a cassette; of equal ones, the first.
pub(super) fn home_of(site: &Site, cassette: CassetteId) -> RowId {
    let receivers = receivers_by_row(site, cassette);
    let most = receivers.iter().max_by_key(|&(&row, &count)| (count, std::cmp::Reverse(row)));
    // Every cassette has a receiver.
    most.map_or(RowId(0), |(&row, _)| row)
}

/// The modules for the splitters of these cassettes.
fn modules(
    plant: &Plant,
    hardware: &Hardware,
    cassettes: &[CassetteId],
    given: &BTreeSet<TorId>,
) -> Vec<ModulePlan> {
    let fabric = &plant.site.fabric;
    let all = cassettes.iter().flat_map(|&cassette| fabric.transmitters(cassette)).copied();
    let splitters: Vec<Option<TorId>> = all.filter(|tor| !given.contains(tor)).map(Some).collect();
    if plant.scheme.is_trunked() && plant.scheme.shuffle == Shuffle::Modules {
        return shuffle_modules(plant, hardware, &splitters);
    }
    let size = hardware.module(fabric.fan_out());
    let module = |splitters: &[Option<TorId>]| ModulePlan {
        splitters: splitters.to_vec(),
        slots: size.slots,
        shuffles: false,
    };
    splitters.chunks(size.splitters.into()).map(module).collect()
}

/// Modules whose outputs leave on MPO connectors: as many splitters as fill the connectors of two slots.
fn shuffle_modules(
    plant: &Plant,
    hardware: &Hardware,
    splitters: &[Option<TorId>],
) -> Vec<ModulePlan> {
    let module = |splitters: &[Option<TorId>]| {
        let slots =
            shuffle_slots(hardware, (splitters.len(), outputs_by_row(plant, splitters).len()));
        ModulePlan { splitters: splitters.to_vec(), slots, shuffles: true }
    };
    splitters.chunks(shuffled_splitters(&plant.site, hardware)).map(module).collect()
}

/// Number of splitters in a shuffle module.
pub(super) fn shuffled_splitters(site: &Site, hardware: &Hardware) -> usize {
    const SLOTS: u16 = 2;
    let outputs = u32::from(SLOTS * hardware.rear_ports() * Connector::MPO_FIBRES);
    (outputs / site.fabric.fan_out()).max(1) as usize
}

/// Slots of a shuffle module with this many splitters and connectors.
pub(super) fn shuffle_slots(hardware: &Hardware, (splitters, connectors): (usize, usize)) -> u16 {
    let slots = connectors
        .div_ceil(hardware.rear_ports().into())
        .max(splitters.div_ceil(hardware.ports_per_slot.into()));
    u16::try_from(slots).unwrap_or(u16::MAX)
}

/// A branch with the receiver and port that it goes to.
type ByReceiver = ((TorId, u32), FibreId);

/// The MPO connectors behind a shuffle module, in order: the row that each goes to, and what its positions carry.
pub(crate) fn outputs_by_row(
    plant: &Plant,
    splitters: &[Option<TorId>],
) -> Vec<(RowId, Vec<FibreId>)> {
    let site = &plant.site;
    let mut outputs: BTreeMap<RowId, Vec<ByReceiver>> = BTreeMap::new();
    for &splitter in splitters.iter().flatten() {
        let first = plant.first_fibre(splitter);
        let port = site.fabric.receive_port(splitter);
        let receivers = site.fabric.receivers(site.fabric.transmits_into(splitter));
        for (branch, &tor) in (1..).zip(receivers) {
            let row = site.hall.rack(site.placement.rack(tor)).row;
            outputs.entry(row).or_default().push(((tor, port), FibreId(first.0 + branch)));
        }
    }
    let mut connectors = Vec::new();
    for (row, mut fibres) in outputs {
        fibres.sort_unstable();
        let fibres: Vec<FibreId> = fibres.into_iter().map(|(_, fibre)| fibre).collect();
        let parts = fibres.chunks(Connector::MPO_FIBRES.into());
        connectors.extend(parts.map(|part| (row, part.to_vec())));
    }
    connectors
}

/// MPO connectors for a number of fibres, with spare positions.
fn connectors(spare_percent: u32, fibres: usize) -> usize {
    let spare = (fibres * spare_percent as usize).div_ceil(100);
    (fibres + spare).div_ceil(Connector::MPO_FIBRES.into())
}

/// Divides connectors among trunks: the largest size as often as it fits, and then the smallest size that takes
/// the rest, if that fills more than half of it.
pub(super) fn cut(hardware: &Hardware, connectors: usize) -> Vec<usize> {
    let sizes: Vec<usize> = hardware
        .trunks
        .iter()
        .map(|size| usize::from(size.fibres / Connector::MPO_FIBRES))
        .collect();
    let mut rest = connectors;
    let mut trunks = Vec::new();
    while rest > 0 {
        let taking = sizes.iter().copied().find(|&size| size >= rest && 2 * rest > size);
        let within = sizes.iter().copied().rfind(|&size| size <= rest);
        // The smallest size takes what is left.
        let Some(size) = taking.or(within).or(sizes.first().copied()) else { break };
        trunks.push(size);
        rest = rest.saturating_sub(size);
    }
    trunks
}

/// The ToRs of each row, in the order of their racks.
pub(super) fn tors_by_row(site: &Site) -> BTreeMap<RowId, Vec<TorId>> {
    let mut rows: BTreeMap<RowId, Vec<TorId>> = BTreeMap::new();
    for tor in site.fabric.tor_ids() {
        rows.entry(site.hall.rack(site.placement.rack(tor)).row).or_default().push(tor);
    }
    for tors in rows.values_mut() {
        tors.sort_by_key(|&tor| (site.hall.rack(site.placement.rack(tor)).x, tor));
    }
    rows
}

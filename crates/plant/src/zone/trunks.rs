//! Trunks between the panels of rows and the frames, with drops in the rows and jumpers in the frames.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::hall::Shuffle;
use lightloom_topology::{RackId, RowId};
use lightloom_units::Length;

use crate::cable::{CableId, CableKind, End, Leg, Link, Part, Port, Trunk};
use crate::connector::Connector;
use crate::error::PlantError;
use crate::fibre::FibreId;
use crate::hardware::Hardware;
use crate::plant::{Plant, Stock};
use crate::room::{free_units_beside, largest_piece};
use crate::thing::{Thing, ThingId, ThingKind};
use crate::zone::frames::Home;
use crate::zone::panels::socket;
use crate::zone::rows::{HomeRow, cut, outputs_by_row};
use crate::zone::there::Strands;

/// Fibres of one MPO connector.
const POSITIONS: usize = Connector::MPO_FIBRES as usize;

/// A trunk before it has a place at the row.
struct Bundle {
    /// Number of connectors at each end.
    connectors: usize,
    /// Those that are plugged in. The others stay at the end of the trunk, as spares.
    plugs: Vec<Plug>,
}

/// A connector of a trunk before it has a place at the row: what its positions carry, and where it is plugged in
/// at the frame.
struct Plug {
    carries: [Option<FibreId>; POSITIONS],
    frame_end: End,
}

/// Where the ends of a fibre are in the panels.
#[derive(Clone, Copy)]
struct Spot {
    trunk: CableId,
    strand: u16,
    /// The front port at the row.
    row: End,
    /// The front port in the frame. `None`: the fibre comes out of a shuffle module.
    frame: Option<End>,
}

/// Lays the trunks, drops and jumpers of all rows: first the trunks that are there, between panels that are there.
pub(super) fn lay(
    plant: &mut Plant,
    hardware: &Hardware,
    stock: Stock<'_>,
    (panels, strands): (&[ThingId], &Strands),
    (rows, homes): (&[HomeRow], &[Home]),
) -> Result<(), PlantError> {
    let mut outputs = outputs_of_modules(plant);
    let mut spots = vec![None; plant.fibres.len()];
    let placement = plant.site.placement.clone();
    let given = placement.trunks().trunks.iter().take(strands.count());
    for (at, trunk) in given.enumerate() {
        let plugs = trunk
            .legs
            .iter()
            .zip(strands.carried(at))
            .map(|([_, far], carries)| Plug { carries, frame_end: socket(panels, *far) });
        let bundle =
            Bundle { connectors: usize::from(trunk.fibres) / POSITIONS, plugs: plugs.collect() };
        let mut ends = trunk.legs.iter().map(|[near, _]| socket(panels, *near));
        lay_trunk(plant, hardware, stock, &bundle, &mut ends, &mut spots);
    }
    for (row, home) in rows.iter().zip(homes) {
        let frame_panel = add_panel(plant, ThingKind::FramePanel(row.row), &home.panel);
        let mut trunks: Vec<Bundle> = Vec::new();
        if plant.scheme.shuffle == Shuffle::Modules {
            trunks.extend(shuffled(hardware, outputs.remove(&row.row).unwrap_or_default()));
        }
        trunks.extend(panelled(plant, hardware, row, &frame_panel));
        let plugs: usize = trunks.iter().map(|trunk| trunk.plugs.len()).sum();
        if plugs == 0 {
            continue;
        }
        let row_panel = row_panel(plant, hardware, row.row, plugs)?;
        let mut ends = rear_ends(hardware, &row_panel);
        for trunk in &trunks {
            lay_trunk(plant, hardware, stock, trunk, &mut ends, &mut spots);
        }
    }
    lay_cords(plant, stock, &spots);
    Ok(())
}

/// The connectors behind all shuffle modules, by the row that they go to.
fn outputs_of_modules(plant: &Plant) -> BTreeMap<RowId, Vec<(RackId, Plug)>> {
    let mut outputs: BTreeMap<RowId, Vec<(RackId, Plug)>> = BTreeMap::new();
    for (at, thing) in plant.things.iter().enumerate() {
        let ThingKind::Splitters { shuffles: true, .. } = thing.kind else { continue };
        let id = ThingId::at(at);
        for (port, (row, fibres)) in (1..).zip(outputs_by_row(plant, plant.splitters_of(id))) {
            let frame_end = End { thing: id, port: Port::Rear(port) };
            let plug = Plug { carries: positions(&fibres), frame_end };
            outputs.entry(row).or_default().push((thing.rack, plug));
        }
    }
    outputs
}

fn positions(fibres: &[FibreId]) -> [Option<FibreId>; POSITIONS] {
    std::array::from_fn(|position| fibres.get(position).copied())
}

/// The trunks from shuffle modules to a row. All connectors of a trunk are in one frame.
fn shuffled(hardware: &Hardware, outputs: Vec<(RackId, Plug)>) -> Vec<Bundle> {
    let mut by_frame: BTreeMap<RackId, Vec<Plug>> = BTreeMap::new();
    for (frame, plug) in outputs {
        by_frame.entry(frame).or_default().push(plug);
    }
    let mut trunks = Vec::new();
    for plugs in by_frame.into_values() {
        let sizes = cut(hardware, plugs.len());
        let mut plugs = plugs.into_iter();
        for connectors in sizes {
            trunks.push(Bundle { connectors, plugs: plugs.by_ref().take(connectors).collect() });
        }
    }
    trunks
}

/// The trunks between the panel of a row and its panel in a frame: branches first, then feeds, each with spare
/// positions in connectors of their own.
fn panelled(
    plant: &Plant,
    hardware: &Hardware,
    row: &HomeRow,
    frame_panel: &[ThingId],
) -> Vec<Bundle> {
    let branches = match plant.scheme.shuffle {
        Shuffle::Jumpers => &row.branches[..],
        Shuffle::Modules => &[],
    };
    let spread = |fibres: &[FibreId]| -> Vec<[Option<FibreId>; POSITIONS]> {
        fibres.chunks(POSITIONS).map(positions).collect()
    };
    let mut carries = spread(branches);
    carries.extend(spread(&row.feeds));
    let mut ends = rear_ends(hardware, frame_panel);
    let mut carries = carries.into_iter();
    let mut plug = || {
        let frame_end = ends.next()?;
        Some(Plug { carries: carries.next().unwrap_or_default(), frame_end })
    };
    let bundle = |&connectors: &usize| {
        let plugs = (0..connectors).map_while(|_| plug()).collect();
        Bundle { connectors, plugs }
    };
    row.trunks.iter().map(bundle).collect()
}

/// The rear ports of panel modules, in order.
fn rear_ends(hardware: &Hardware, modules: &[ThingId]) -> impl Iterator<Item = End> + use<> {
    let ports = hardware.rear_ports();
    let modules = modules.to_vec();
    modules
        .into_iter()
        .flat_map(move |thing| (1..=ports).map(move |port| End { thing, port: Port::Rear(port) }))
}

/// Adds the modules of a panel.
fn add_panel(plant: &mut Plant, kind: ThingKind, slots: &[(RackId, u16, u16)]) -> Vec<ThingId> {
    let thing = |&(rack, unit, slot)| Thing { kind, rack, unit, slot: Some(slot) };
    slots.iter().map(|at| plant.add_thing(thing(at))).collect()
}

/// Adds the panel of a row: in the rack nearest to its middle that has room.
fn row_panel(
    plant: &mut Plant,
    hardware: &Hardware,
    row: RowId,
    plugs: usize,
) -> Result<Vec<ThingId>, PlantError> {
    let modules = plugs.div_ceil(hardware.rear_ports().into());
    let modules = u32::try_from(modules).unwrap_or(u32::MAX);
    let units = hardware.units(modules);
    let hall = &plant.site.hall;
    let racks = hall.racks_of_row(row);
    let middle = middle(racks.iter().map(|&rack| hall.rack(rack).x));
    let mut near = racks;
    near.sort_by_key(|&rack| (hall.rack(rack).x.abs_diff(middle), rack));
    let taken: BTreeSet<(RackId, u16)> = plant
        .things
        .iter()
        .filter(|thing| matches!(thing.kind, ThingKind::RowPanel(_)))
        .map(|thing| (thing.rack, thing.unit))
        .collect();
    let free = |rack: RackId| {
        free_units_beside(&plant.site, rack, units, |at| taken.contains(&(rack, at)))
    };
    let found = near.iter().find_map(|&rack| Some((rack, free(rack)?)));
    let Some((rack, top)) = found else {
        let pieces = near.iter().map(|&rack| (largest_piece(&plant.site, rack), rack));
        // Of equal racks, the one nearest to the middle.
        let roomiest = pieces.rev().max_by_key(|&(most, _)| most).filter(|&(most, _)| most > 0);
        let roomiest = roomiest.map(|(most, rack)| (hall.rack(rack).name.clone(), most));
        return Err(PlantError::NoRoomInRow { row: hall.row_name(row), units, roomiest });
    };
    let per_unit = u32::from(hardware.slots_per_unit);
    let small = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    let slots: Vec<_> =
        (0..modules).map(|i| (rack, top - small(i / per_unit), small(i % per_unit + 1))).collect();
    Ok(add_panel(plant, ThingKind::RowPanel(row), &slots))
}

/// The middle between the first and the last place.
fn middle(places: impl Iterator<Item = Length> + Clone) -> Length {
    let first = places.clone().min().unwrap_or(Length::ZERO);
    let last = places.max().unwrap_or(Length::ZERO);
    Length::from_um(u64::midpoint(first.as_um(), last.as_um()))
}

/// Lays one trunk, and notes where its fibres are in the panels.
fn lay_trunk(
    plant: &mut Plant,
    hardware: &Hardware,
    stock: Stock<'_>,
    Bundle { connectors, plugs }: &Bundle,
    row_ends: &mut impl Iterator<Item = End>,
    spots: &mut [Option<Spot>],
) {
    // `zip` would take one row end too many from the iterator if it came first.
    let legs: Vec<Leg> =
        plugs.iter().zip(row_ends).map(|(plug, row)| Leg { ends: [row, plug.frame_end] }).collect();
    let Some(&Leg { ends }) = legs.first() else { return };
    let fibres = u16::try_from(connectors * POSITIONS).unwrap_or(u16::MAX);
    let size = hardware.trunks.iter().find(|size| size.fibres == fibres);
    let diameter = size.map_or(plant.site.hall.rules().space.fibre_diameter, |size| size.diameter);
    let number = u32::try_from(plant.trunks.len()).unwrap_or(u32::MAX);
    let trunk = plant.add_cable(CableKind::Trunk(number), ends, stock.trunks, diameter);
    for ((first, leg), plug) in (0..).step_by(POSITIONS).zip(&legs).zip(plugs) {
        for (position, fibre) in (0..).zip(plug.carries) {
            let Some(fibre) = fibre else { continue };
            let [row, frame] = leg.ends;
            spots[fibre.index()] = Some(Spot {
                trunk,
                strand: first + position,
                // A row panel always has LC ports in front.
                row: front_of(plant, row, position).unwrap_or(row),
                frame: front_of(plant, frame, position),
            });
        }
    }
    let strands = plugs.iter().flat_map(|plug| plug.carries).collect();
    plant.trunks.push(Trunk { fibres, diameter, legs, strands });
}

/// The LC port in front of a panel that is joined to a position (from 0) behind it. `None`: not a panel.
fn front_of(plant: &Plant, rear: End, position: u16) -> Option<End> {
    let is_panel = !matches!(plant.thing(rear.thing).kind, ThingKind::Splitters { .. });
    is_panel.then(|| Plant::across(rear, position).0)
}

/// Lays the cords at both ends of the trunks, and joins the chains.
fn lay_cords(plant: &mut Plant, stock: Stock<'_>, spots: &[Option<Spot>]) {
    let diameter = plant.site.hall.rules().space.fibre_diameter;
    for (at, spot) in spots.iter().enumerate() {
        let spot =
            spot.expect("every fibre has a ToR in a row, and each row has a position for it");
        let id = FibreId::at(at);
        let is_feed = plant.fibres[at].is_feed();
        let cord = |plant: &mut Plant, part, [switch_side, splitter_side]: [End; 2]| {
            let ends =
                if is_feed { [switch_side, splitter_side] } else { [splitter_side, switch_side] };
            let cable = plant.add_cable(CableKind::Cord(id, part), ends, stock.cords, diameter);
            Link { cable, strand: 0 }
        };
        let switch = plant.switch_end(id);
        let mut chain = vec![
            cord(plant, Part::Drop, [switch, spot.row]),
            Link { cable: spot.trunk, strand: spot.strand },
        ];
        if let Some(frame) = spot.frame {
            let splitter = plant.splitter_end(id);
            chain.push(cord(plant, Part::Jumper, [frame, splitter]));
        }
        if !is_feed {
            chain.reverse();
        }
        plant.join(id, &chain);
    }
}

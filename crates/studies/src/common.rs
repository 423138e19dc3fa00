//! What parts have in common, so that they fail together.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_design::rates::PartKind;
use lightloom_plan::laid::Laid;
use lightloom_plant::{Far, Fibre, Plant};
use lightloom_routing::failure::Failure;
use lightloom_topology::RackId;
use lightloom_topology::hall::{Housing, TrayId};

/// Parts that fail together: those of a tray or way, a row of racks, a housing, a frame, a trunk, or a switch that is
/// several logical ToRs, in that order.
pub(crate) fn common_causes(laid: &Laid) -> Vec<(PartKind, String, Vec<Failure>)> {
    let (project, wires) = (laid.project(), laid.plant());
    let mut trays: BTreeMap<_, Vec<Failure>> = BTreeMap::new();
    for (id, fibre) in wires.numbered() {
        let failure = failure_of(fibre);
        let in_trays: BTreeSet<_> = wires.runs(id).iter().map(|run| run.tray).collect();
        for tray in in_trays {
            trays.entry(tray).or_default().push(failure);
        }
    }
    let mut groups: Vec<(PartKind, String, Vec<Failure>)> = trays
        .into_iter()
        .map(|(tray, failures)| (PartKind::Tray, group_name(wires.tray_name(tray), tray), failures))
        .collect();
    let mut rows: BTreeMap<_, Vec<Failure>> = BTreeMap::new();
    for tor in project.fabric().tor_ids() {
        let rack = project.hall().rack(project.placement().rack(tor));
        rows.entry(rack.row).or_default().push(Failure::Tor(tor));
    }
    let named = |(row, failures)| {
        (PartKind::Row, format!("racks of {}", project.hall().row_name(row)), failures)
    };
    groups.extend(rows.into_iter().map(named));
    // With splitters at the senders, every splitter has its own housing, which is no group.
    if project.design().scheme.housing != Housing::Sender {
        groups.extend(project.fabric().cassette_ids().map(|cassette| {
            let name = format!("housing of cassette {cassette}");
            (PartKind::Housing, name, vec![Failure::Cassette(cassette)])
        }));
    }
    groups.extend(frames_and_trunks(wires));
    if project.is_logical() {
        groups.extend(project.switches().into_iter().map(|(rack, tors)| {
            let name = format!("switch in {}", project.hall().rack(rack).name);
            (PartKind::Tor, name, tors.into_iter().map(Failure::Tor).collect())
        }));
    }
    groups
}

/// Name of the group of a tray or way.
fn group_name(name: String, tray: TrayId) -> String {
    // A way's name says that it is one.
    if matches!(tray, TrayId::Way(_)) { name } else { format!("tray {name}") }
}

pub(crate) fn failure_of(fibre: &Fibre) -> Failure {
    match fibre.far {
        Far::SplitterInput => Failure::Transmitter(fibre.from),
        Far::Receiver { tor, .. } => Failure::Branch { from: fibre.from, to: tor },
    }
}

/// The splitters of each frame, and the fibres of each trunk.
fn frames_and_trunks(plant: &Plant) -> Vec<(PartKind, String, Vec<Failure>)> {
    let hall = &plant.site().hall;
    let in_frame = |&frame: &RackId| {
        let tors = plant.site().fabric.tor_ids();
        let splitters = tors.filter(|&tor| plant.splitter_rack(tor) == frame);
        let failures = splitters.map(Failure::Splitter).collect();
        (PartKind::Frame, format!("frame {}", hall.rack(frame).name), failures)
    };
    let frames = hall.frames();
    let mut groups: Vec<_> = frames.iter().map(in_frame).collect();
    groups.extend((1..).zip(plant.trunks()).map(|(number, trunk): (u32, _)| {
        let fibres = trunk.strands.iter().flatten();
        let failures = fibres.map(|fibre| failure_of(&plant.fibres()[fibre.index()])).collect();
        (PartKind::Trunk, format!("trunk T{number}"), failures)
    }));
    groups.retain(|(.., failures): &(PartKind, String, Vec<Failure>)| !failures.is_empty());
    groups
}

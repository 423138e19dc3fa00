//! The hops of a branch: things and cables in turn, each with its part of the loss.

use lightloom_plan::budget::{TracedLight, db};
use lightloom_plant::end_labels::{cable_label, end_labels, fibre_label, strand_label};
use lightloom_plant::{CableKind, End, Far, FibreId, Link, Plant, Port, ThingId, ThingKind};
use lightloom_power_cost::parts::PadPlace;
use lightloom_power_cost::{Case, Element, Optics, What};
use lightloom_topology::hall::TrayRun;
use lightloom_units::{Db, Length};

use crate::trace::report::{
    CableHop, CableName, Hop, HopReport, ThingHop, ThingName, TracedBranch, TracedFibre, TrayPart,
};

/// The optics that losses come from, and the case.
pub(super) struct Light<'a> {
    pub optics: &'a Optics,
    pub case: Case,
}

/// One cable on the way, with the fibre that it belongs to.
#[derive(Clone, Copy)]
struct Step {
    fibre: FibreId,
    link: Link,
    ends: [End; 2],
}

impl Light<'_> {
    /// The way of a branch. `None`: the plan has no such branch.
    pub fn follow(&self, wires: &Plant, lit: TracedLight) -> Option<TracedBranch> {
        let (from, to) = (lit.row.from_tor, lit.row.to_tor);
        let feed = wires.first_fibre(from);
        let (branch, _) = wires.numbered().skip(feed.index() + 1).find(
            |(_, fibre)| matches!(fibre.far, Far::Receiver { tor, .. } if fibre.from == from && tor == to),
        )?;
        let steps: Vec<Step> = [feed, branch]
            .into_iter()
            .flat_map(|fibre| {
                let steps = wires.chain(fibre).into_iter();
                steps.map(move |link| Step { fibre, link, ends: wires.link_ends(fibre, link) })
            })
            .collect();
        let length = wires.fibres()[feed.index()].length + wires.fibres()[branch.index()].length;
        Some(TracedBranch {
            light: lit.row,
            elements: lit.elements,
            length_m: length.as_m(),
            feed: fibre(wires, feed),
            branch: fibre(wires, branch),
            hops: self.hops(wires, feed, &steps),
        })
    }

    /// Things and cables in turn. Parts without a place follow the first cable of their fibre.
    fn hops(&self, wires: &Plant, feed: FibreId, steps: &[Step]) -> Vec<HopReport> {
        let mut way = Way::default();
        let mut before: Option<Step> = None;
        for &step in steps {
            way.pass(thing(wires, before, Some(step)), self.in_thing(before, Some(step)));
            let cable = wires.cable(step.link.cable);
            way.pass(Hop::Cable(cable_hop(wires, step)), self.over(cable.length));
            let is_first = before.is_none_or(|before| before.fibre != step.fibre);
            if is_first {
                let elements = match step.fibre == feed {
                    true => self.optics.feed(Length::ZERO),
                    false => self.optics.branch(Length::ZERO),
                };
                let is_unplaced = |element: &&Element| {
                    matches!(element.what, What::Splice | What::Panel | What::Inline)
                };
                let unplaced: Vec<Element> = elements.iter().filter(is_unplaced).copied().collect();
                if !unplaced.is_empty() {
                    let label = fibre(wires, step.fibre).label;
                    let parts = unplaced.iter().map(|element| element.what).collect();
                    let loss = unplaced.iter().map(|element| self.of(element)).sum();
                    way.pass(Hop::Unplaced { label, parts }, loss);
                }
            }
            before = Some(step);
        }
        way.pass(thing(wires, before, None), self.in_thing(before, None));
        way.hops
    }

    /// The loss of an element in the case.
    fn of(&self, element: &Element) -> Db {
        match self.case {
            Case::Typical => element.loss.typical,
            Case::Worst | Case::MonteCarlo | Case::Best => element.loss.most,
        }
    }

    fn sum(&self, elements: &[Element], is_meant: impl Fn(What) -> bool) -> Db {
        elements.iter().filter(|element| is_meant(element.what)).map(|one| self.of(one)).sum()
    }

    /// The loss of a length of fibre.
    fn over(&self, length: Length) -> Db {
        self.sum(&self.optics.feed(length), |what| what == What::Fibre)
    }

    /// The loss in a thing: of its connectors, of its splitter, and of the pad at it.
    fn in_thing(&self, before: Option<Step>, after: Option<Step>) -> Db {
        let (feed, branch) = (self.optics.feed(Length::ZERO), self.optics.branch(Length::ZERO));
        let ports = [before.map(|step| step.ends[1].port), after.map(|step| step.ends[0].port)];
        let joint = |what: What, ways: &[Element]| {
            let found = ways.iter().find(|element| element.what == what);
            found.map_or(Db::ZERO, |element| self.of(element))
        };
        let both: Vec<Element> = feed.iter().chain(&branch).copied().collect();
        let joints: Db = ports
            .into_iter()
            .flatten()
            .map(|port| match port {
                Port::Tx(_) | Port::Rx(_) => Db::ZERO,
                Port::Front(_) => joint(What::Connector, &both),
                Port::Rear(_) => joint(What::Mpo, &both),
            })
            .sum();
        let is_splitter = match (before, after) {
            (Some(before), Some(after)) => before.fibre != after.fibre,
            _ => false,
        };
        let of_splitter = |what| matches!(what, What::Splitter | What::Output | What::Polarisation);
        let splitter = if is_splitter { self.sum(&both, of_splitter) } else { Db::ZERO };
        let place = self.optics.pad.as_ref().map(|fitted| fitted.at);
        let has_pad = match place {
            Some(PadPlace::Transmitter) => before.is_none(),
            Some(PadPlace::Feed) => is_splitter,
            Some(PadPlace::Receiver) => after.is_none(),
            None => false,
        };
        let pad = if has_pad { self.sum(&both, |what| what == What::Pad) } else { Db::ZERO };
        joints + splitter + pad
    }
}

/// Hops with the loss so far.
#[derive(Default)]
struct Way {
    hops: Vec<HopReport>,
    lost: Db,
}

impl Way {
    fn pass(&mut self, what: Hop, loss: Db) {
        self.lost = self.lost + loss;
        self.hops.push(HopReport { what, loss_db: db(loss), lost_db: db(self.lost) });
    }
}

fn fibre(wires: &Plant, id: FibreId) -> TracedFibre {
    let fibre = &wires.fibres()[id.index()];
    let (near, far) = end_labels(wires, id);
    TracedFibre {
        label: fibre_label(&wires.site().fabric, fibre),
        near_label: format!("{near} / {far}"),
        far_label: format!("{far} / {near}"),
        length_m: fibre.length.as_m(),
        stock_m: fibre.stock.as_m(),
    }
}

/// The thing between two cables.
fn thing(wires: &Plant, before: Option<Step>, after: Option<Step>) -> Hop {
    let id = match (before, after) {
        (_, Some(after)) => after.ends[0].thing,
        (Some(before), None) => before.ends[1].thing,
        (None, None) => ThingId(0),
    };
    let thing = wires.thing(id);
    let hall = &wires.site().hall;
    let rack = hall.rack(thing.rack);
    let fed_by = before.or(after).map(|step| wires.fibres()[step.fibre.index()].from);
    let (kind, tor) = match thing.kind {
        ThingKind::Switch(tor) => (ThingName::Switch, Some(tor)),
        ThingKind::Splitters { .. } => (ThingName::Splitter, fed_by),
        ThingKind::RowPanel(_) => (ThingName::RowPanel, None),
        ThingKind::FramePanel(_) => (ThingName::FramePanel, None),
    };
    Hop::Thing(ThingHop {
        kind,
        tor,
        room: hall.room_name(thing.rack).map(ToString::to_string),
        row: hall.row_name(rack.row),
        rack: rack.name.to_string(),
        unit: thing.unit,
        slot: thing.slot,
        enters: before.map(|step| strand_label(wires, step.ends[1], step.link.strand)),
        leaves: after.map(|step| strand_label(wires, step.ends[0], step.link.strand)),
    })
}

fn cable_hop(wires: &Plant, step: Step) -> CableHop {
    let cable = wires.cable(step.link.cable);
    let mut runs = wires.cable_runs(cable);
    let is_trunk = matches!(cable.kind, CableKind::Trunk(_));
    if is_trunk && !wires.fibres()[step.fibre.index()].is_feed() {
        // A trunk's first end is at the row, where the light of a branch arrives.
        runs.reverse();
    }
    let [from_port, to_port] = step.ends.map(|end| strand_label(wires, end, step.link.strand));
    let part = |run: &TrayRun| TrayPart {
        tray: wires.tray_name(run.tray),
        from_m: run.from.as_m(),
        to_m: run.to.as_m(),
        length_m: run.to.abs_diff(run.from).as_m(),
    };
    CableHop {
        kind: if is_trunk { CableName::Trunk } else { CableName::Cord },
        label: cable_label(wires, cable),
        strand: is_trunk.then(|| step.link.strand + 1),
        from_port,
        to_port,
        length_m: cable.length.as_m(),
        stock_m: cable.stock.as_m(),
        bends: runs.windows(2).filter(|pair| pair[0].tray != pair[1].tray).count(),
        trays: runs.iter().map(part).collect(),
    }
}

//! Adds things and cables to a plant.

use std::sync::OnceLock;

use lightloom_power_cost::StockLengths;
use lightloom_topology::Fabric;
use lightloom_topology::hall::TrayFill;
use lightloom_units::Length;

use crate::cable::{Cable, CableId, CableKind, End, Link, Port};
use crate::fibre::{Far, Fibre, FibreId};
use crate::hardware::Hardware;
use crate::plant::Plant;
use crate::scheme::Scheme;
use crate::site::Site;
use crate::thing::{Thing, ThingId, ThingKind};

impl Plant {
    /// A plant without things and cables, and with all fibres.
    pub(crate) fn bare(site: Site, scheme: Scheme, hardware: &Hardware) -> Self {
        let (first_fibre, fibres) = (first_fibres(&site.fabric), all_fibres(&site.fabric));
        Self {
            site,
            scheme,
            hardware: hardware.clone(),
            things: Vec::new(),
            splitters: Vec::new(),
            module_of: Vec::new(),
            cables: Vec::new(),
            trunks: Vec::new(),
            first_fibre,
            fibres,
            first_link: Vec::new(),
            links: Vec::new(),
            fill: TrayFill::default(),
            maps: OnceLock::new(),
        }
    }

    pub(crate) fn add_thing(&mut self, thing: Thing) -> ThingId {
        let id = ThingId::at(self.things.len());
        self.things.push(thing);
        id
    }

    /// Adds the switches, ToR 0 first. They are the first things.
    pub(crate) fn add_switches(&mut self) {
        for tor in self.site.fabric.clone().tor_ids() {
            let rack = self.site.placement.rack(tor);
            let unit = self.site.hall.tor_unit(rack);
            self.add_thing(Thing { kind: ThingKind::Switch(tor), rack, unit, slot: None });
        }
    }

    /// Routes a cable between two ends, and adds it.
    pub(crate) fn add_cable(
        &mut self,
        kind: CableKind,
        ends: [End; 2],
        stock: &StockLengths,
        diameter: Length,
    ) -> CableId {
        let route = self.site.hall.route(self.place(ends[0].thing), self.place(ends[1].thing));
        self.fill.lay(&route.runs, diameter);
        let id = CableId::at(self.cables.len());
        let (length, stock) = (route.length, stock.round_up(route.length));
        self.cables.push(Cable { kind, ends, length, stock });
        id
    }

    /// Joins the chain of the next fibre. Fibres are joined in order.
    pub(crate) fn join(&mut self, fibre: FibreId, chain: &[Link]) {
        self.first_link.push(u32::try_from(self.links.len()).unwrap_or(u32::MAX));
        self.links.extend(chain);
        let cables = chain.iter().map(|link| &self.cables[link.cable.index()]);
        let (lengths, stock): (Vec<Length>, Vec<Length>) =
            cables.map(|cable| (cable.length, cable.stock)).unzip();
        let fibre = &mut self.fibres[fibre.index()];
        fibre.length = lengths.into_iter().sum();
        fibre.stock = stock.into_iter().sum();
    }

    /// The port of a ToR where a fibre ends.
    pub(crate) fn switch_end(&self, fibre: FibreId) -> End {
        let fibre = &self.fibres[fibre.index()];
        let number = |port: u32| u16::try_from(port).unwrap_or(u16::MAX);
        let port = match fibre.far {
            Far::SplitterInput => Port::Tx(number(self.site.fabric.transmit_port(fibre.from))),
            Far::Receiver { port, .. } => Port::Rx(number(port)),
        };
        End { thing: ThingId(fibre.tor().0), port }
    }

    /// The port in front of a splitter module where a fibre ends. A module that shuffles has only inputs there.
    pub(crate) fn splitter_end(&self, fibre: FibreId) -> End {
        let fibre = &self.fibres[fibre.index()];
        let (thing, place) = self.module_of[fibre.from.index()];
        let shuffles =
            matches!(self.thing(thing).kind, ThingKind::Splitters { shuffles: true, .. });
        let ports = if shuffles { 1 } else { self.site.fabric.fan_out() + 1 };
        let input = u32::from(place) * ports + 1;
        let front = match fibre.far {
            Far::SplitterInput => input,
            Far::Receiver { branch, .. } => input + 1 + branch,
        };
        End { thing, port: Port::Front(u16::try_from(front).unwrap_or(u16::MAX)) }
    }
}

/// All fibres of a fabric, by transmitter: first its feed, then its branches. They have no length yet.
fn all_fibres(fabric: &Fabric) -> Vec<Fibre> {
    let mut fibres = Vec::with_capacity(fabric.tors() * (fabric.fan_out() as usize + 1));
    let fibre = |from, far| Fibre { from, far, length: Length::ZERO, stock: Length::ZERO };
    for from in fabric.tor_ids() {
        fibres.push(fibre(from, Far::SplitterInput));
        let port = fabric.receive_port(from);
        let receivers = fabric.receivers(fabric.transmits_into(from)).iter();
        fibres.extend(receivers.map(|&tor| {
            let branch = u32::try_from(fabric.splitter_branch(tor)).unwrap_or(u32::MAX);
            fibre(from, Far::Receiver { branch, tor, port })
        }));
    }
    fibres
}

/// The position of each ToR's feed among the fibres.
fn first_fibres(fabric: &Fabric) -> Vec<u32> {
    let mut next = 0;
    let first = |tor| {
        let branches = fabric.receivers(fabric.transmits_into(tor)).len();
        let at = next;
        next += 1 + u32::try_from(branches).unwrap_or(u32::MAX);
        at
    };
    fabric.tor_ids().map(first).collect()
}

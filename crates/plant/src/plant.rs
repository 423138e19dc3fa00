//! The plant: things, cables, and the chain of each fibre.

use std::collections::BTreeSet;

use lightloom_power_cost::parts::Polish;
use lightloom_power_cost::{Mated, StockLengths};
use lightloom_topology::hall::{Cabling, Housing, Place, TrayFill, TrayId, TrayRun};
use lightloom_topology::{Fabric, RackId, RowId, TorId};
use lightloom_units::Length;

use crate::cable::{Cable, CableId, CableKind, End, Link, Port, Trunk};
use crate::connector::{Connector, Gender};
use crate::fibre::{Far, Fibre, FibreId};
use crate::hardware::Hardware;
use crate::lay::PlantError;
use crate::scheme::Scheme;
use crate::site::Site;
use crate::thing::{Thing, ThingId, ThingKind};
use crate::{point_to_point, zone};

/// Stock lengths of cords and of trunks.
#[derive(Debug, Clone, Copy)]
pub struct Stock<'a> {
    /// Cords.
    pub cords: &'a StockLengths,
    /// Trunks with connectors at both ends.
    pub trunks: &'a StockLengths,
}

/// All things and cables of a fabric in a hall.
#[derive(Debug, Clone)]
pub struct Plant<'a> {
    pub(crate) site: Site<'a>,
    pub(crate) scheme: Scheme,
    pub(crate) hardware: Hardware,
    pub(crate) things: Vec<Thing>,
    /// The splitters, by module.
    pub(crate) splitters: Vec<TorId>,
    /// The module of each splitter, and its position there, by the ToR that transmits into it.
    pub(crate) module_of: Vec<(ThingId, u16)>,
    pub(crate) cables: Vec<Cable>,
    pub(crate) trunks: Vec<Trunk>,
    pub(crate) fibres: Vec<Fibre>,
    /// The feed of each ToR.
    pub(crate) first_fibre: Vec<u32>,
    /// The first link of each fibre. Empty if each fibre is one cord.
    pub(crate) first_link: Vec<u32>,
    pub(crate) links: Vec<Link>,
    pub(crate) fill: TrayFill,
}

/// Sums over a plant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of fibres.
    pub fibres: u64,
    /// Number of fibres between a ToR and splitters elsewhere: branches with splitters at the senders, feeds
    /// with splitters at the receivers, all with splitters in frames.
    pub long_runs: u64,
    /// Routed length of these long runs.
    pub long_length: Length,
    /// Routed length of all fibres.
    pub length: Length,
    /// Total stock length to order.
    pub stock: Length,
    /// Number of cables whose ends are in different rows.
    pub beyond_rows: u64,
    /// Number of cables whose ends are in one row, but in different racks.
    pub within_rows: u64,
    /// Number of cables within a rack.
    pub within_racks: u64,
}

impl<'a> Plant<'a> {
    /// Places all things and routes all cables.
    ///
    /// # Errors
    /// [`PlantError`] if things do not fit their racks, or if the hall has no frames for a zone.
    pub fn new(
        site: Site<'a>,
        scheme: Scheme,
        hardware: &Hardware,
        stock: Stock<'_>,
    ) -> Result<Self, PlantError> {
        match (scheme.housing, scheme.cabling) {
            (Housing::Zone, _) => zone::lay(site, scheme, hardware, stock),
            (_, Cabling::Trunked) => Err(PlantError::TrunksWithoutFrames),
            (_, Cabling::PointToPoint) => {
                Ok(point_to_point::lay(site, scheme, hardware, stock.cords))
            }
        }
    }

    /// A plant without things and cables, and with all fibres.
    pub(crate) fn bare(site: Site<'a>, scheme: Scheme, hardware: &Hardware) -> Self {
        Self {
            site,
            scheme,
            hardware: hardware.clone(),
            things: Vec::new(),
            splitters: Vec::new(),
            module_of: Vec::new(),
            cables: Vec::new(),
            trunks: Vec::new(),
            first_fibre: first_fibres(site.fabric),
            fibres: all_fibres(site.fabric),
            first_link: Vec::new(),
            links: Vec::new(),
            fill: TrayFill::default(),
        }
    }

    pub(crate) fn add_thing(&mut self, thing: Thing) -> ThingId {
        let id = ThingId::at(self.things.len());
        self.things.push(thing);
        id
    }

    /// Adds the switches, ToR 0 first. They are the first things.
    pub(crate) fn add_switches(&mut self) {
        for tor in self.site.fabric.tor_ids() {
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

    /// The feed of a ToR. Its branches follow, by number.
    pub fn first_fibre(&self, tor: TorId) -> FibreId {
        FibreId(self.first_fibre[tor.index()])
    }

    /// The port of a ToR where a fibre ends.
    pub(crate) fn switch_end(&self, fibre: FibreId) -> End {
        let fibre = &self.fibres[fibre.index()];
        let number = |port: u32| u16::try_from(port).unwrap_or(u16::MAX);
        let port = match fibre.far {
            Far::SplitterInput => Port::Tx(number(lightloom_topology::TRANSMIT_PORT)),
            Far::Receiver { port, .. } => Port::Rx(number(port)),
        };
        End { thing: ThingId(fibre.tor().0), port }
    }

    /// The port of a splitter module where a fibre ends, if the module has all its ports in front.
    pub(crate) fn splitter_end(&self, fibre: FibreId) -> End {
        let fibre = &self.fibres[fibre.index()];
        let (thing, place) = self.module_of[fibre.from.index()];
        let taps = self.site.fabric.fan_out() + 1;
        let front = match fibre.far {
            Far::SplitterInput => u32::from(place) * taps + 1,
            Far::Receiver { branch, .. } => u32::from(place) * taps + 2 + branch,
        };
        End { thing, port: Port::Front(u16::try_from(front).unwrap_or(u16::MAX)) }
    }

    /// The fabric, hall and placement.
    pub fn site(&self) -> Site<'a> {
        self.site
    }

    /// Where splitters sit and how fibres run.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The things: first the switch of each ToR.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// A thing.
    pub fn thing(&self, id: ThingId) -> &Thing {
        &self.things[id.index()]
    }

    /// The splitters, by module and position. A splitter is named by the ToR that transmits into it.
    pub fn splitters(&self) -> &[TorId] {
        &self.splitters
    }

    /// The module of a ToR's splitter, and the position of the splitter in it, counted from 0.
    pub fn module_of(&self, tor: TorId) -> (ThingId, u16) {
        self.module_of[tor.index()]
    }

    /// The rack of a ToR's splitter.
    pub fn splitter_rack(&self, tor: TorId) -> RackId {
        self.thing(self.module_of(tor).0).rack
    }

    /// The cords and trunks.
    pub fn cables(&self) -> &[Cable] {
        &self.cables
    }

    /// A cable.
    pub fn cable(&self, id: CableId) -> &Cable {
        &self.cables[id.index()]
    }

    /// The trunks.
    pub fn trunks(&self) -> &[Trunk] {
        &self.trunks
    }

    /// The fibres with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (FibreId, &Fibre)> {
        (0..).map(FibreId).zip(&self.fibres)
    }

    /// The fibres, by transmitter: first its feed, then its branches.
    pub fn fibres(&self) -> &[Fibre] {
        &self.fibres
    }

    /// The cables on the way of a fibre, in the direction of the light.
    pub fn chain(&self, fibre: FibreId) -> Vec<Link> {
        let at = fibre.index();
        match self.first_link.get(at) {
            None => vec![Link { cable: CableId(fibre.0), strand: 0 }],
            Some(&first) => {
                let end = self.first_link.get(at + 1).map_or(self.links.len(), |&end| end as usize);
                self.links[first as usize..end].to_vec()
            }
        }
    }

    /// The rack units that hold modules, each a shelf: by rack, from the top.
    pub fn shelves(&self) -> BTreeSet<(RackId, std::cmp::Reverse<u16>)> {
        let modules = self.things.iter().filter(|thing| thing.slot.is_some());
        modules.map(|thing| (thing.rack, std::cmp::Reverse(thing.unit))).collect()
    }

    /// The switch of a ToR.
    pub fn switch_thing(&self, tor: TorId) -> ThingId {
        // Switches are the first things.
        ThingId(tor.0)
    }

    /// The two ends of one link of a fibre, in the direction of the light.
    pub fn link_ends(&self, fibre: FibreId, link: Link) -> [End; 2] {
        let cable = self.cable(link.cable);
        let CableKind::Trunk(number) = cable.kind else { return cable.ends };
        let leg =
            &self.trunks[number as usize].legs[usize::from(link.strand / Connector::MPO_FIBRES)];
        let [row, frame] = leg.ends;
        if self.fibres[fibre.index()].is_feed() { [row, frame] } else { [frame, row] }
    }

    /// The first and the last end of a fibre's chain.
    pub fn chain_ends(&self, fibre: FibreId) -> [End; 2] {
        let ends: Vec<[End; 2]> =
            self.chain(fibre).into_iter().map(|link| self.link_ends(fibre, link)).collect();
        [ends[0][0], ends[ends.len() - 1][1]]
    }

    /// Whether each cable of a fibre's chain starts behind the port where the one before ends.
    pub fn is_joined(&self, fibre: FibreId) -> bool {
        let chain = self.chain(fibre);
        chain.windows(2).all(|pair| {
            let (one, next) =
                (self.link_ends(fibre, pair[0])[1], self.link_ends(fibre, pair[1])[0]);
            one.thing == next.thing
                && self.behind(one, pair[0].strand) == self.behind(next, pair[1].strand)
        })
    }

    /// The front port of a panel that a port with a strand of a trunk belongs to.
    fn behind(&self, end: End, strand: u16) -> Port {
        match end.port {
            Port::Rear(port) => {
                let position = strand % Connector::MPO_FIBRES;
                Port::Front((port - 1) * Connector::MPO_FIBRES + position + 1)
            }
            port => port,
        }
    }

    /// The place of a thing.
    pub fn place(&self, thing: ThingId) -> Place {
        let thing = self.thing(thing);
        Site::place(thing.rack, thing.unit)
    }

    /// The row of a thing.
    pub fn row(&self, thing: ThingId) -> RowId {
        self.site.hall.rack(self.thing(thing).rack).row
    }

    /// The stretches of trays along a cable, from its first end.
    pub fn cable_runs(&self, cable: &Cable) -> Vec<TrayRun> {
        let [near, far] = cable.ends.map(|end| self.place(end.thing));
        self.site.hall.route(near, far).runs
    }

    /// The stretches of trays along a fibre, in the direction of the light.
    pub fn runs(&self, fibre: FibreId) -> Vec<TrayRun> {
        let mut runs = Vec::new();
        for link in self.chain(fibre) {
            let cable = self.cable(link.cable);
            let mut of_cable = self.cable_runs(cable);
            let is_trunk = matches!(cable.kind, CableKind::Trunk(_));
            if is_trunk && !self.fibres[fibre.index()].is_feed() {
                of_cable.reverse();
            }
            runs.append(&mut of_cable);
        }
        runs
    }

    /// The connector of a cable that is plugged into a port.
    pub fn connector(&self, end: End) -> Connector {
        match (end.port, self.thing(end.thing).kind) {
            (Port::Rear(_), _) => Connector::Mpo(Gender::Female),
            (Port::Front(_), ThingKind::Splitters { .. }) => {
                Connector::Lc(self.scheme.splitter_polish)
            }
            _ => Connector::Lc(Polish::Upc),
        }
    }

    /// The connector pairs on the way of a fibre, counted along its chain.
    pub fn mated(&self, fibre: FibreId) -> Mated {
        let mut mated = Mated { lc: 0, mpo: 0 };
        for link in self.chain(fibre) {
            for end in self.cable(link.cable).ends {
                match end.port {
                    Port::Tx(_) | Port::Rx(_) => {}
                    Port::Front(_) => mated.lc += 1,
                    Port::Rear(_) => mated.mpo += 1,
                }
            }
        }
        mated
    }

    /// The fill of the trays.
    pub fn tray_fill(&self) -> &TrayFill {
        &self.fill
    }

    /// Name of a tray or a way.
    pub fn tray_name(&self, tray: TrayId) -> String {
        self.site.hall.tray_name(tray)
    }

    /// Place of the splitters.
    pub fn housing(&self) -> Housing {
        self.scheme.housing
    }

    /// Sums over all fibres and cables.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for fibre in &self.fibres {
            totals.fibres += 1;
            totals.length = totals.length + fibre.length;
            totals.stock = totals.stock + fibre.stock;
            if self.is_long_run(fibre) {
                totals.long_runs += 1;
                totals.long_length = totals.long_length + fibre.length;
            }
        }
        for cable in &self.cables {
            let [near, far] = cable.ends.map(|end| self.thing(end.thing).rack);
            let row = |rack| self.site.hall.rack(rack).row;
            let count = match (near == far, row(near) == row(far)) {
                (true, _) => &mut totals.within_racks,
                (false, true) => &mut totals.within_rows,
                (false, false) => &mut totals.beyond_rows,
            };
            *count += 1;
        }
        totals
    }

    fn is_long_run(&self, fibre: &Fibre) -> bool {
        match self.scheme.housing {
            Housing::Sender => !fibre.is_feed(),
            Housing::Receiver => fibre.is_feed(),
            Housing::Zone => true,
        }
    }

    /// Outer diameter of a cable.
    pub fn diameter(&self, cable: &Cable) -> Length {
        match cable.kind {
            CableKind::Cord(..) => self.site.hall.rules().space.fibre_diameter,
            CableKind::Trunk(number) => self.trunks[number as usize].diameter,
        }
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
    let mut first = |tor| {
        let branches = fabric.receivers(fabric.transmits_into(tor)).len();
        let at = next;
        next += 1 + u32::try_from(branches).unwrap_or(u32::MAX);
        at
    };
    fabric.tor_ids().map(|tor| first(tor)).collect()
}

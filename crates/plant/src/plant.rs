//! The plant: things, cables, and the chain of each fibre.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use lightloom_power_cost::StockLengths;
use lightloom_power_cost::parts::Polish;
use lightloom_topology::hall::{Housing, Place, TrayFill, TrayId};
use lightloom_topology::{RackId, RowId, TorId};
use lightloom_units::Length;

use crate::cable::{Cable, CableId, CableKind, End, Link, Port, Trunk};
use crate::connector::{Connector, Gender};
use crate::fibre::{Fibre, FibreId};
use crate::hardware::Hardware;
use crate::scheme::Scheme;
use crate::site::Site;
use crate::thing::{Thing, ThingId, ThingKind};

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
pub struct Plant {
    pub(crate) site: Site,
    pub(crate) scheme: Scheme,
    pub(crate) hardware: Hardware,
    pub(crate) things: Vec<Thing>,
    /// The splitters, by module. `None`: no ToR transmits into it.
    pub(crate) splitters: Vec<Option<TorId>>,
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
    /// For each thing, the first one that is joined inside as it is. Made on first use.
    pub(crate) maps: OnceLock<Vec<ThingId>>,
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

impl Plant {
    /// The fabric, hall and placement.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// Where splitters sit and how fibres run.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The things: first the switch of each ToR.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// The numbers of all things.
    pub fn thing_ids(&self) -> impl Iterator<Item = ThingId> + use<> {
        (0..self.things.len()).map(ThingId::at)
    }

    /// A thing.
    pub fn thing(&self, id: ThingId) -> &Thing {
        &self.things[id.index()]
    }

    /// The splitters of a module, by position. A splitter is named by the ToR that transmits into it. `None`: it
    /// is dark, because its ToR left. Empty for other things.
    pub fn splitters_of(&self, thing: ThingId) -> &[Option<TorId>] {
        match self.thing(thing).kind {
            ThingKind::Splitters { first, count, .. } => {
                &self.splitters[first as usize..][..usize::from(count)]
            }
            _ => &[],
        }
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

    /// The rack units that hold modules, each a shelf: by rack, from the top.
    pub fn shelves(&self) -> BTreeSet<(RackId, std::cmp::Reverse<u16>)> {
        let modules = self.things.iter().filter(|thing| thing.slot.is_some());
        modules.map(|thing| (thing.rack, std::cmp::Reverse(thing.unit))).collect()
    }

    /// The shelf of each rack unit in which modules start, from its lowest to its top unit: as high as its widest
    /// module needs. By rack and top unit.
    pub fn shelf_spans(&self) -> BTreeMap<(RackId, u16), RangeInclusive<u16>> {
        let mut spans: BTreeMap<(RackId, u16), RangeInclusive<u16>> = BTreeMap::new();
        for (id, thing) in (0..).map(ThingId).zip(&self.things) {
            let Some(slot) = thing.slot else { continue };
            let last_slot = slot.saturating_sub(1).saturating_add(self.slots(id));
            let units = last_slot.div_ceil(self.slots_per_unit()).max(1);
            let lowest = (thing.unit + 1).saturating_sub(units).max(1);
            let span = spans.entry((thing.rack, thing.unit)).or_insert(lowest..=thing.unit);
            *span = lowest.min(*span.start())..=thing.unit;
        }
        spans
    }

    /// The switch of a ToR.
    pub fn switch_thing(&self, tor: TorId) -> ThingId {
        // Switches are the first things.
        ThingId(tor.0)
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

//! All fibres of a design: their ends, their ways and their lengths.

use lightloom_power_cost::StockLengths;
use lightloom_topology::hall::{Hall, Housing, Place, Placement, Route, TrayFill, TrayId, TrayRun};
use lightloom_topology::{CassetteId, Fabric, RackId, TorId};
use lightloom_units::Length;

/// A fabric in a hall.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The fabric.
    pub fabric: &'a Fabric,
    /// The hall.
    pub hall: &'a Hall,
    /// The rack of each ToR.
    pub placement: &'a Placement,
}

/// One fibre. Its light starts at the transmitter of `from`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cable {
    /// The ToR whose light it carries. It also identifies the splitter.
    pub from: TorId,
    /// The far end.
    pub far: Far,
    /// Routed length along trays, with drops, entries and slack.
    pub length: Length,
    /// Stock length to order.
    pub stock: Length,
}

/// Kinds of fibres, by their far end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Far {
    /// `feed`: from the transmitter to the splitter's input.
    SplitterInput,
    /// `branch`: from a splitter output to a receiver.
    Receiver {
        /// The splitter output.
        branch: u32,
        /// The receiving ToR.
        tor: TorId,
        /// Number of the receiver's port.
        port: u32,
    },
}

/// Sums over a wiring plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of fibres.
    pub fibres: u64,
    /// Number of fibres between a ToR and another place: branches with splitters at the senders, feeds with
    /// splitters at the receivers.
    pub long_runs: u64,
    /// Routed length of these long runs.
    pub long_length: Length,
    /// Routed length of all fibres.
    pub length: Length,
    /// Total stock length to order.
    pub stock: Length,
}

/// All fibres of a design, by transmitter: first its feed, then its branches.
#[derive(Debug, Clone)]
pub struct WiringPlan<'a> {
    site: Site<'a>,
    housing: Housing,
    /// The rack of each cassette. Only with splitters at the receivers.
    cassette_racks: Vec<RackId>,
    cables: Vec<Cable>,
    fill: TrayFill,
}

impl<'a> WiringPlan<'a> {
    /// Routes every fibre.
    ///
    /// # Panics
    /// Panics if the placement does not belong to this fabric and hall.
    pub fn new(site: Site<'a>, housing: Housing, stock: &StockLengths) -> Self {
        let fabric = site.fabric;
        let cassette_racks = match housing {
            Housing::Sender => Vec::new(),
            Housing::Receiver => fabric.cassette_ids().map(|c| site.cassette_rack(c)).collect(),
        };
        let cables = Vec::with_capacity(fabric.tors() * (fabric.fan_out() as usize + 1));
        let fill = TrayFill::default();
        let mut plan = Self { site, housing, cassette_racks, cables, fill };
        for from in fabric.tor_ids() {
            plan.lay(stock, from, Far::SplitterInput);
            let port = fabric.receive_port(from);
            for &tor in fabric.receivers(fabric.transmits_into(from)) {
                let branch = u32::try_from(fabric.splitter_branch(tor)).unwrap_or(u32::MAX);
                plan.lay(stock, from, Far::Receiver { branch, tor, port });
            }
        }
        plan
    }

    fn lay(&mut self, stock: &StockLengths, from: TorId, far: Far) {
        let route = self.route(from, far);
        self.fill.lay(&route.runs);
        let stock = stock.round_up(route.length);
        self.cables.push(Cable { from, far, length: route.length, stock });
    }

    fn route(&self, from: TorId, far: Far) -> Route {
        let end = match far {
            Far::SplitterInput => from,
            Far::Receiver { tor, .. } => tor,
        };
        let (shelf, end) = (self.shelf(from), self.site.tor_place(end));
        match far {
            Far::SplitterInput => self.site.hall.route(end, shelf),
            Far::Receiver { .. } => self.site.hall.route(shelf, end),
        }
    }

    /// The stretches of trays along a fibre of this plan, in order.
    pub fn runs(&self, cable: &Cable) -> Vec<TrayRun> {
        self.route(cable.from, cable.far).runs
    }

    /// The place of a ToR's splitter.
    fn shelf(&self, tor: TorId) -> Place {
        let rack = self.splitter_rack(tor);
        Place { rack, height: self.site.hall.shelf_height(rack) }
    }

    /// The rack of a ToR's splitter.
    pub fn splitter_rack(&self, tor: TorId) -> RackId {
        match self.housing {
            Housing::Sender => self.site.placement.rack(tor),
            Housing::Receiver => self.cassette_racks[self.site.fabric.transmits_into(tor).index()],
        }
    }

    /// The fabric, hall and placement.
    pub fn site(&self) -> Site<'a> {
        self.site
    }

    /// Place of the splitters.
    pub fn housing(&self) -> Housing {
        self.housing
    }

    /// The fibres, by transmitter: first its feed, then its branches.
    pub fn cables(&self) -> &[Cable] {
        &self.cables
    }

    /// Name of a tray.
    pub fn tray_name(&self, tray: TrayId) -> String {
        match tray {
            TrayId::Row(row) => format!("row {}", self.site.hall.row(row).name),
            TrayId::Cross(i) => format!("cross-aisle {}", i + 1),
        }
    }

    /// The fill of the trays.
    pub fn tray_fill(&self) -> &TrayFill {
        &self.fill
    }

    /// Sums over all fibres.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for cable in &self.cables {
            totals.fibres += 1;
            totals.length = totals.length + cable.length;
            totals.stock = totals.stock + cable.stock;
            if self.is_long_run(cable) {
                totals.long_runs += 1;
                totals.long_length = totals.long_length + cable.length;
            }
        }
        totals
    }

    fn is_long_run(&self, cable: &Cable) -> bool {
        matches!(
            (self.housing, cable.far),
            (Housing::Sender, Far::Receiver { .. }) | (Housing::Receiver, Far::SplitterInput)
        )
    }
}

impl Site<'_> {
    fn tor_place(&self, tor: TorId) -> Place {
        let rack = self.placement.rack(tor);
        Place { rack, height: self.hall.tor_height(rack) }
    }

    /// The rack of a cassette with splitters at the receivers. A cassette of a fabric that grew stays where
    /// it is.
    pub fn cassette_rack(&self, cassette: CassetteId) -> RackId {
        self.placement.shelf(cassette).unwrap_or_else(|| self.middle_rack(cassette))
    }

    /// Of the racks of a cassette's receivers, the one with the shortest fibres to all receivers.
    fn middle_rack(&self, cassette: CassetteId) -> RackId {
        let racks = self.fabric.receivers(cassette).iter().map(|&tor| self.placement.rack(tor));
        let total = |shelf: RackId| -> Length {
            let shelf = Place { rack: shelf, height: self.hall.shelf_height(shelf) };
            let ends = self.fabric.receivers(cassette).iter().map(|&tor| self.tor_place(tor));
            ends.map(|end| self.hall.route(shelf, end).length).sum()
        };
        // Every cassette of a fabric has a receiver.
        racks.min_by_key(|&rack| (total(rack), rack)).unwrap_or(RackId(0))
    }
}

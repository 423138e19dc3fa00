//! Every fibre of a design: its ends, its way and its length.

use lightloom_power_cost::StockLengths;
use lightloom_topology::hall::{Hall, Place, Placement, Route, TrayFill, TrayId, TrayRun};
use lightloom_topology::{CassetteId, Fabric, RackId, TorId};
use lightloom_units::{Length, named_enum};
use schemars::JsonSchema;

named_enum! {
    /// Where the splitters sit.
    #[derive(JsonSchema)]
    pub enum Housing {
        /// Each in the rack of the ToR that transmits into it, as in the paper: p long fibres a ToR.
        Sender = "sender",
        /// The splitters of a cassette together, in the rack among its receivers that is nearest to
        /// all of them: one long fibre a ToR and p short ones.
        Receiver = "receiver",
    }
}

/// What is built, and where.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The fabric.
    pub fabric: &'a Fabric,
    /// The hall.
    pub hall: &'a Hall,
    /// Which rack each ToR stands in.
    pub placement: &'a Placement,
}

/// One fibre; the light starts at the transmitter of `from`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cable {
    /// The ToR whose light it carries, which also names the splitter.
    pub from: TorId,
    /// Where it leads.
    pub far: Far,
    /// Along trays, with drops, entries and slack.
    pub length: Length,
    /// The piece to order.
    pub stock: Length,
    /// The trays it lies in, in order.
    pub trays: [Option<TrayId>; 3],
}

/// The two kinds of fibre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Far {
    /// `feed`: from the transmitter to the splitter's input.
    SplitterInput,
    /// `branch`: from a splitter output to a receiver.
    Receiver {
        /// The splitter output.
        branch: u32,
        /// Who receives.
        tor: TorId,
        /// On which of its ports.
        port: u32,
    },
}

/// Sums over a wiring plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Fibres.
    pub fibres: u64,
    /// Fibres between a ToR and a place away from it: branches with splitters at the senders,
    /// feeds with splitters at the receivers.
    pub long_runs: u64,
    /// Routed length of those.
    pub long_length: Length,
    /// Routed length of all.
    pub length: Length,
    /// Length of all pieces to order.
    pub stock: Length,
}

/// All fibres of a design, by transmitter: its feed, then its branches.
#[derive(Debug, Clone)]
pub struct WiringPlan<'a> {
    site: Site<'a>,
    housing: Housing,
    /// With splitters at the receivers, the rack of each cassette.
    cassette_racks: Vec<RackId>,
    cables: Vec<Cable>,
    fill: TrayFill,
}

impl<'a> WiringPlan<'a> {
    /// Routes every fibre.
    ///
    /// # Panics
    /// When the placement is not of this fabric and hall.
    pub fn new(site: Site<'a>, housing: Housing, stock: &StockLengths) -> Self {
        let fabric = site.fabric;
        let cassette_racks = match housing {
            Housing::Sender => Vec::new(),
            Housing::Receiver => fabric.cassette_ids().map(|c| site.middle_rack(c)).collect(),
        };
        let cables = Vec::with_capacity(fabric.tors() * (fabric.fan_out() as usize + 1));
        let fill = TrayFill::default();
        let mut plan = Self { site, housing, cassette_racks, cables, fill };
        for from in fabric.tor_ids() {
            plan.lay(stock, from, Far::SplitterInput);
            // A cassette's splitter in slot j serves port j of each receiver.
            let port = to_u32(fabric.splitter_slot(from));
            for (branch, &tor) in (0..).zip(fabric.receivers(fabric.transmits_into(from))) {
                plan.lay(stock, from, Far::Receiver { branch, tor, port });
            }
        }
        plan
    }

    fn lay(&mut self, stock: &StockLengths, from: TorId, far: Far) {
        let route = self.route(from, far);
        self.fill.lay(&route.runs);
        let mut trays = [None; 3];
        for (tray, run) in trays.iter_mut().zip(&route.runs) {
            *tray = Some(run.tray);
        }
        let stock = stock.round_up(route.length);
        self.cables.push(Cable { from, far, length: route.length, stock, trays });
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

    /// The stretches of trays that a fibre of this plan lies in, in order.
    pub fn runs(&self, cable: &Cable) -> Vec<TrayRun> {
        self.route(cable.from, cable.far).runs
    }

    /// Where the splitter of a ToR is.
    fn shelf(&self, tor: TorId) -> Place {
        let rack = self.splitter_rack(tor);
        Place { rack, height: self.site.hall.shelf_height(rack) }
    }

    /// The rack that a ToR's splitter sits in.
    pub fn splitter_rack(&self, tor: TorId) -> RackId {
        match self.housing {
            Housing::Sender => self.site.placement.rack(tor),
            Housing::Receiver => self.cassette_racks[self.site.fabric.transmits_into(tor).index()],
        }
    }

    /// What is built, and where.
    pub fn site(&self) -> Site<'a> {
        self.site
    }

    /// Where the splitters sit.
    pub fn housing(&self) -> Housing {
        self.housing
    }

    /// The fibres, by transmitter: its feed, then its branches.
    pub fn cables(&self) -> &[Cable] {
        &self.cables
    }

    /// The name of a tray.
    pub fn tray_name(&self, tray: TrayId) -> String {
        match tray {
            TrayId::Row(row) => format!("row {}", self.site.hall.row(row).name),
            TrayId::Cross(i) => format!("cross-aisle {}", i + 1),
        }
    }

    /// What lies in the trays.
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

    /// The rack among those of a cassette's receivers with the shortest fibres to all of them.
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

fn to_u32(slot: usize) -> u32 {
    u32::try_from(slot).unwrap_or(u32::MAX)
}

//! Assumptions of a plan: values that were not given.
//!
//! Settings and the inventory know which values were given. A given value is never an assumption, even if it
//! equals the default.

use std::collections::BTreeSet;

use lightloom_design::assumption::{Assumed, Assumption};
use lightloom_design::design::Design;
use lightloom_design::fittings::{BRANCH, FEED};
use lightloom_design::geometry::Geometry;
use lightloom_design::inventory::Inventory;
use lightloom_design::optics::DesignOptics;
use lightloom_power_cost::price::{Price, PriceRank, Term, UnitPrice};
use lightloom_request::choices::Family;
use lightloom_request::{Key, Value, setting};
use lightloom_topology::RackId;
use lightloom_topology::hall::{Hall, HallRules};
use lightloom_units::Length;

use crate::bom::BomLine;
use crate::project::Project;
use crate::verify::Verification;

/// The assumptions of a project that was opened from settings, in the order of [`Assumed`].
pub fn of(project: &Project) -> Vec<Assumption> {
    let mut list = List { design: &project.design, found: Vec::new() };
    list.fabric();
    let signalling = &setting::tor::FAULT_SIGNALLING;
    if !project.design.settings.has(signalling) && project.platform.ability().is_none() {
        let said_by = [signalling.name, setting::tor::MODEL.name];
        let value = project.platform.fault_signalling().name().to_owned();
        list.add(Assumed::FaultSignalling, &said_by, value, None);
    }
    list.geometry(&project.hall);
    list.racks(project);
    let catalogue = &setting::optics::CATALOGUE;
    list.unless_said(Assumed::Catalogue, catalogue, catalogue.default_value().name());
    if let Some(chosen) = &project.optics {
        list.optics(chosen);
    }
    list.found.sort_by_key(|assumption| assumption.what);
    list.found
}

/// The values that a plan rests on and that can be assumed, for a plan that was read back: its files do not say which
/// values were given. Those that only an inventory or the settings know are left out.
pub fn values(project: &Project) -> Vec<Assumption> {
    use Assumed as A;
    let only_said =
        [A::Hall, A::RackPitch, A::RowPitch, A::RackHeight, A::TorUnit, A::Placement, A::Catalogue];
    let mut values = of(project);
    values.retain(|assumption| !only_said.contains(&assumption.what));
    values
}

/// The assumption of a proof by a sample of sources. `None`: all sources were replayed.
pub fn of_proof(proved: &Verification) -> Option<Assumption> {
    let sample = proved.sample.as_ref()?;
    let value = format!(
        "{} of {} sources, drawn with seed {}",
        proved.sources_checked, proved.sources, sample.seed
    );
    Some(Assumption { what: Assumed::SampledProof, value, said_by: Vec::new(), racks: None })
}

/// The assumed prices that lines of a bill use, each row once.
pub fn of_prices(lines: &[BomLine]) -> Vec<Assumption> {
    let used = lines.iter().filter(|line| line.quantity > 0);
    let terms = used.filter_map(|line| line.unit_price.as_ref()).flat_map(UnitPrice::terms);
    let assumed = terms.filter(|term| term.price.rank == PriceRank::Assumed);
    let told: BTreeSet<String> = assumed.map(price_text).collect();
    let one = |value| Assumption {
        what: Assumed::Price,
        value,
        said_by: vec![setting::optics::PARTS.name.to_owned()],
        racks: None,
    };
    told.into_iter().map(one).collect()
}

/// A price as text: `transceiver.10g-l40: 150.00 USD, 70.00 to 3900.00 (by which rule)`.
fn price_text(term: &Term) -> String {
    let Price { range, source, .. } = &term.price;
    let rule = source.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
    format!(
        "{}: {}, {} to {}{rule}",
        term.row,
        term.price.amount(),
        range.low().to_decimal(),
        range.high().to_decimal()
    )
}

/// A value of a room as text.
type OfRoom = fn(&HallRules) -> String;
/// Whether a building file gives that value for a room.
type InFile = fn(&Geometry) -> bool;

struct List<'a> {
    design: &'a Design,
    found: Vec<Assumption>,
}

impl List<'_> {
    fn add(&mut self, what: Assumed, said_by: &[&str], value: String, racks: Option<usize>) {
        let said_by = said_by.iter().map(|&key| key.to_owned()).collect();
        self.found.push(Assumption { what, value, said_by, racks });
    }

    /// Adds an assumption, unless the settings give the value.
    fn unless_said(&mut self, what: Assumed, key: &Key, value: &(impl ToString + ?Sized)) {
        if !self.design.settings.has(key) {
            self.add(what, &[key.name], value.to_string(), None);
        }
    }

    fn fabric(&mut self) {
        let design = self.design;
        for (key, value) in design.fabric.settings() {
            let what = match key.name {
                "fabric.family" => Assumed::Family,
                "fabric.p" => Assumed::FanOut,
                "fabric.k" => Assumed::Columns,
                // The inventory gives the number of ToRs: one per rack.
                _ => continue,
            };
            let is_open = design.fabric.family() != Family::Custom;
            let value = match value {
                Value::Text(text) => text,
                other => other.to_string(),
            };
            if is_open {
                self.unless_said(what, &key, &value);
            }
        }
        self.unless_said(
            Assumed::Housing,
            &setting::splitters::HOUSING,
            design.scheme.housing.name(),
        );
        self.unless_said(Assumed::Spares, &setting::order::SPARES_PERCENT, &design.spares_percent);
        self.work();
    }

    /// Adds the rates of work that the settings do not give.
    fn work(&mut self) {
        let settings = &self.design.settings;
        let open = self.design.work.listed().into_iter().filter(|(key, ..)| !settings.has(key));
        let (keys, values): (Vec<_>, Vec<_>) =
            open.map(|(key, value, what)| (key.name, format!("{value} {what}"))).unzip();
        if !keys.is_empty() {
            self.add(Assumed::Work, &keys, values.join(", "), None);
        }
    }

    fn geometry(&mut self, hall: &Hall) {
        use Assumed as A;
        let (rules, geometry) = (hall.rules(), &self.design.geometry);
        let measured = self.design.inventory.as_ref().is_some_and(Inventory::is_measured);
        // If the places of racks are given, a pitch only keeps the walls away from them.
        let pitches = [
            (A::RackPitch, &setting::hall::RACK_PITCH, geometry.width.is_some()),
            (A::RowPitch, &setting::hall::ROW_PITCH, geometry.depth.is_some()),
        ];
        for (what, setting, is_walled) in pitches {
            if !(measured && is_walled) {
                self.unless_said(what, setting, &setting.default_value());
            }
        }
        let lengths: [(_, &Key, &Length); 3] = [
            (A::FibreDiameter, &setting::hall::FIBRE_DIAMETER, &rules.space.fibre_diameter),
            (A::RackEntry, &setting::hall::RACK_ENTRY, &rules.rack_entry),
            (A::Slack, &setting::hall::SLACK, &rules.slack),
        ];
        for (what, key, value) in lengths {
            self.unless_said(what, key, value);
        }
        let of_rooms: [(_, &Key, OfRoom, InFile); 6] = [
            (A::HallWidth, &setting::hall::WIDTH, |r| r.width.to_string(), |g| g.width.is_some()),
            (A::HallDepth, &setting::hall::DEPTH, |r| r.depth.to_string(), |g| g.depth.is_some()),
            (
                A::CrossAisles,
                &setting::hall::CROSS_AISLES,
                |r| aisles(&r.cross_aisles),
                |g| g.cross_aisles.is_some(),
            ),
            (
                A::TrayHeight,
                &setting::hall::TRAY_HEIGHT,
                |r| r.tray_height.to_string(),
                |g| g.tray_height.is_some(),
            ),
            (
                A::TrayWidth,
                &setting::hall::TRAY_WIDTH,
                |r| r.space.tray_width.to_string(),
                |g| g.tray_width.is_some(),
            ),
            (
                A::TrayDepth,
                &setting::hall::TRAY_DEPTH,
                |r| r.space.tray_depth.to_string(),
                |g| g.tray_depth.is_some(),
            ),
        ];
        for (what, key, value, in_file) in of_rooms {
            if let Some(value) = self.open_in_rooms(hall, value, in_file) {
                self.unless_said(what, key, &value);
            }
        }
    }

    /// The values of the rooms whose building file does not give them. `None`: it gives all.
    fn open_in_rooms(&self, hall: &Hall, value: OfRoom, in_file: InFile) -> Option<String> {
        let listed = self.design.building.iter().flat_map(|building| &building.rooms);
        let given = listed.map(|room| in_file(&room.item.geometry)).chain(std::iter::repeat(false));
        let rooms = hall.building().rooms.iter().zip(given).filter(|(_, given)| !given);
        let open: Vec<_> = rooms.map(|(room, _)| (value(&room.rules), &room.name)).collect();
        let (first, _) = open.first()?;
        if open.iter().all(|(value, _)| value == first) {
            return Some(first.clone());
        }
        let told = open.iter().map(|(value, name)| match name {
            Some(name) => format!("{value} ({name})"),
            None => value.clone(),
        });
        Some(told.collect::<Vec<_>>().join("; "))
    }

    /// Adds the assumptions about racks that hold ToRs.
    fn racks(&mut self, project: &Project) {
        let (design, hall) = (self.design, &project.hall);
        let used: Vec<RackId> = project.placement.switches().into_iter().collect();
        let Some(inventory) = &design.inventory else {
            let rows = hall.rows().len();
            let value = match design.geometry.racks_per_row {
                Some(most) => format!("{rows} rows of up to {most}"),
                None => format!("{rows} rows that make the hall square"),
            };
            self.add(Assumed::Hall, &["hall.inventory"], value, Some(used.len()));
            return self.heights(hall, &used, |_| true);
        };
        let open = inventory.racks.iter().filter(|rack| rack.units.is_none());
        let open: BTreeSet<&str> = open.map(|rack| rack.name.as_str()).collect();
        self.heights(hall, &used, |rack| open.contains(hall.rack(rack).name.as_str()));
        if design.placement.is_none() && design.keep.is_none() {
            let order = "ToRs by number, racks in the order of the rows".into();
            self.add(Assumed::Placement, &["hall.placement", "hall.keep"], order, None);
        }
        if !inventory.ignored_columns.is_empty() {
            self.add(Assumed::IgnoredColumns, &[], inventory.ignored_columns.join(", "), None);
        }
    }

    /// Adds the heights of racks and the units of ToRs. The height matters only if it places the ToR.
    fn heights(&mut self, hall: &Hall, used: &[RackId], is_open: impl Fn(RackId) -> bool) {
        let without_unit = used.iter().filter(|&&rack| hall.rack(rack).tor_unit.is_none());
        let without_unit: Vec<RackId> = without_unit.copied().collect();
        let open: Vec<RackId> =
            without_unit.iter().copied().filter(|&rack| is_open(rack)).collect();
        if let Some(&rack) = open.first() {
            let units = format!("{} units", hall.rack(rack).units);
            self.add(Assumed::RackHeight, &["u_height"], units, Some(open.len()));
        }
        if !without_unit.is_empty() {
            let top = "the top of the rack".into();
            self.add(Assumed::TorUnit, &["unit"], top, Some(without_unit.len()));
        }
    }

    fn optics(&mut self, chosen: &DesignOptics) {
        use Assumed as A;
        let optics = &chosen.optics;
        self.unless_said(A::Transceiver, &setting::optics::TRANSCEIVER, &optics.transceiver.name);
        self.unless_said(A::Splitter, &setting::optics::SPLITTER, &optics.splitter.name);
        if let Some(fibre) = &optics.fibre {
            self.unless_said(A::Fibre, &setting::optics::FIBRE, &fibre.name);
        }
        let splices = optics.feed.splices + optics.branch.splices;
        let panels = optics.feed.panels + optics.branch.panels;
        for (what, key, joint, count) in [
            (A::Connector, &setting::optics::CONNECTOR, &optics.connector, 1),
            (A::Splice, &setting::optics::SPLICE, &optics.splice, splices),
            (A::Panel, &setting::optics::PANEL, &optics.panel, panels),
        ] {
            if let Some(joint) = joint.as_ref().filter(|_| count > 0) {
                self.unless_said(what, key, &joint.name);
            }
        }
        for (what, kinds) in [(A::FeedFittings, FEED), (A::BranchFittings, BRANCH)] {
            let keys: [&Key; 3] = [kinds.splices, kinds.panels, kinds.inline];
            let open = ["splices", "panels", "inline parts"].into_iter().zip(keys);
            let open = open.filter(|(_, key)| !self.design.settings.has(key));
            let (none, keys): (Vec<_>, Vec<_>) = open.map(|(none, key)| (none, key.name)).unzip();
            if !keys.is_empty() {
                self.add(what, &keys, format!("no {}", none.join(", no ")), None);
            }
        }
        self.unless_said(A::Penalty, &setting::optics::PENALTY, &optics.penalty);
        self.unless_said(A::Ageing, &setting::optics::AGEING, &optics.ageing);
        self.unless_said(A::Margin, &setting::optics::MARGIN, &optics.least_margin);
        self.unless_said(A::Headroom, &setting::optics::HEADROOM, &optics.least_headroom);
        if let Some(fitted) = &optics.pad {
            let chosen = format!("{} at each {}", fitted.pad.name, fitted.at.name());
            self.unless_said(A::Pad, &setting::optics::PAD, &chosen);
        }
        self.unless_said(A::Case, &setting::optics::ACCEPT, "worst");
    }
}

/// The places of cross-aisle trays. If there are many, only their number.
fn aisles(at: &[Length]) -> String {
    match at {
        [first, .., last] if at.len() > 8 => {
            format!("{} of them, evenly from {first} to {last}", at.len())
        }
        _ => at.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

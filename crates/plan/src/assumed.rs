//! What a plan assumes because nobody said it.
//!
//! Whether something was said is what settings and the inventory know of where values come from. A
//! value that was said is no assumption, even if it is the one that would be assumed.

use std::collections::BTreeSet;

use lightloom_request::Value;
use lightloom_topology::RackId;
use lightloom_topology::hall::Hall;
use lightloom_units::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::DEFAULT;
use crate::design::Design;
use crate::fabric_spec::{FabricSpec, fabric_settings};
use crate::hall::{RACK_PITCH, ROW_PITCH};
use crate::inventory::{Inventory, Spot};
use crate::optics::{BRANCH, DesignOptics, FEED};
use crate::project::Project;
use crate::verify::Verification;

/// One thing that a plan assumes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    /// What it is.
    pub what: Assumed,
    /// What is assumed of it; where a key of a design file says it, as that would.
    pub value: String,
    /// The keys of a design file, or the column of the inventory, that would say it.
    pub said_by: Vec<String>,
    /// How many racks it is assumed for, where it may differ between racks.
    pub racks: Option<usize>,
}

/// What can be assumed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Assumed {
    /// The family of the fabric.
    Family,
    /// The fan-out of the splitters.
    FanOut,
    /// The columns of a Shufflecast.
    Columns,
    /// Where the splitters sit.
    Housing,
    /// Spares of what is ordered, in percent.
    Spares,
    /// Where the racks stand: in rows that make the hall square.
    Hall,
    /// From the middle of a rack to that of the next one in its row.
    RackPitch,
    /// From one row to the next.
    RowPitch,
    /// Extent along the rows.
    HallWidth,
    /// Extent across the rows.
    HallDepth,
    /// Where cross-aisle trays run.
    CrossAisles,
    /// Floor to tray.
    TrayHeight,
    /// Inner width of a tray.
    TrayWidth,
    /// Usable height of a tray.
    TrayDepth,
    /// Outer diameter of a fibre's jacket.
    FibreDiameter,
    /// From the port to the riser, for each end.
    RackEntry,
    /// Service loop of a fibre that leaves its rack.
    Slack,
    /// Height of racks, in rack units.
    RackHeight,
    /// The rack unit of ToRs.
    TorUnit,
    /// Which ToR stands in which rack.
    Placement,
    /// Columns of the inventory that are not read.
    IgnoredColumns,
    /// The catalogue that stock lengths, prices and optics are from.
    Catalogue,
    /// The transceiver.
    Transceiver,
    /// The splitter.
    Splitter,
    /// The fibre, for its attenuation.
    Fibre,
    /// The connector pairs at the splitters.
    Connector,
    /// The splices.
    Splice,
    /// The couplers in patch panels.
    Panel,
    /// What lies between transmitter and splitter besides the fibre.
    FeedFittings,
    /// What lies between splitter and receiver besides the fibre.
    BranchFittings,
    /// Margin for dispersion, reflections and the like.
    Penalty,
    /// Margin for ageing and repairs.
    Ageing,
    /// The margin below which a branch that closes is a warning.
    ComfortableMargin,
    /// How the light is judged.
    Case,
    /// The sources that were replayed stand for all.
    SampledProof,
}

impl Assumed {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Family => "family",
            Self::FanOut => "splitter fan-out",
            Self::Columns => "columns of the Shufflecast",
            Self::Housing => "splitters at the",
            Self::Spares => "spares, percent",
            Self::Hall => "places of the racks",
            Self::RackPitch => "rack pitch",
            Self::RowPitch => "row pitch",
            Self::HallWidth => "hall width",
            Self::HallDepth => "hall depth",
            Self::CrossAisles => "cross-aisle trays at",
            Self::TrayHeight => "tray height",
            Self::TrayWidth => "tray width",
            Self::TrayDepth => "tray depth",
            Self::FibreDiameter => "fibre diameter",
            Self::RackEntry => "rack entry, each end",
            Self::Slack => "slack",
            Self::RackHeight => "rack height",
            Self::TorUnit => "unit of the ToR",
            Self::Placement => "placement",
            Self::IgnoredColumns => "columns not read",
            Self::Catalogue => "catalogue",
            Self::Transceiver => "transceiver",
            Self::Splitter => "splitter",
            Self::Fibre => "fibre",
            Self::Connector => "connector",
            Self::Splice => "splice",
            Self::Panel => "panel",
            Self::FeedFittings => "on each feed",
            Self::BranchFittings => "on each branch",
            Self::Penalty => "optical penalty",
            Self::Ageing => "ageing margin",
            Self::ComfortableMargin => "comfortable margin",
            Self::Case => "case that decides on the light",
            Self::SampledProof => "proof by a sample",
        }
    }
}

/// What a project that was opened from settings assumes, in the order of [`Assumed`].
pub fn of(project: &Project) -> Vec<Assumption> {
    let mut list = List { design: &project.design, found: Vec::new() };
    list.fabric();
    list.geometry(&project.hall);
    list.racks(project);
    list.unless_said(Assumed::Catalogue, "optics.catalogue", DEFAULT);
    if let Some(chosen) = &project.optics {
        list.optics(chosen);
    }
    list.found.sort_by_key(|assumption| assumption.what);
    list.found
}

/// The sources that stand for all in a proof.
pub fn of_proof(proved: &Verification) -> Option<Assumption> {
    let sample = proved.sample.as_ref()?;
    let value = format!(
        "{} of {} sources, drawn with seed {}",
        proved.sources_checked, proved.sources, sample.seed
    );
    Some(Assumption { what: Assumed::SampledProof, value, said_by: Vec::new(), racks: None })
}

struct List<'a> {
    design: &'a Design,
    found: Vec<Assumption>,
}

impl List<'_> {
    fn add(&mut self, what: Assumed, said_by: &[&str], value: String, racks: Option<usize>) {
        let said_by = said_by.iter().map(|&key| key.to_owned()).collect();
        self.found.push(Assumption { what, value, said_by, racks });
    }

    /// An assumption, unless settings say the key.
    fn unless_said(&mut self, what: Assumed, key: &str, value: &(impl ToString + ?Sized)) {
        if !self.design.settings.has(key) {
            self.add(what, &[key], value.to_string(), None);
        }
    }

    fn fabric(&mut self) {
        let design = self.design;
        for (key, value) in fabric_settings(&design.fabric) {
            let what = match key {
                "fabric.family" => Assumed::Family,
                "fabric.p" => Assumed::FanOut,
                "fabric.k" => Assumed::Columns,
                // As many ToRs as racks: what the inventory says.
                _ => continue,
            };
            let is_open = !matches!(design.fabric, FabricSpec::Custom { .. });
            let value = match value {
                Value::Text(text) => text,
                other => other.to_string(),
            };
            if is_open {
                self.unless_said(what, key, &value);
            }
        }
        self.unless_said(Assumed::Housing, "splitters.housing", design.housing.name());
        self.unless_said(Assumed::Spares, "order.spares_percent", &design.spares_percent);
    }

    fn geometry(&mut self, hall: &Hall) {
        use Assumed as A;
        let (rules, geometry) = (hall.rules(), &self.design.geometry);
        let measured = self.design.inventory.as_ref().is_some_and(Inventory::is_measured);
        // Where racks are measured, a pitch only keeps the walls away from them.
        let pitches = [
            (A::RackPitch, "hall.rack_pitch", RACK_PITCH, geometry.width.is_some()),
            (A::RowPitch, "hall.row_pitch", ROW_PITCH, geometry.depth.is_some()),
        ];
        for (what, key, pitch, is_walled) in pitches {
            if !(measured && is_walled) {
                self.unless_said(what, key, &pitch);
            }
        }
        for (what, key, value) in [
            (A::HallWidth, "hall.width", rules.width.to_string()),
            (A::HallDepth, "hall.depth", rules.depth.to_string()),
            (A::CrossAisles, "hall.cross_aisles", aisles(&rules.cross_aisles)),
            (A::TrayHeight, "hall.tray_height", rules.tray_height.to_string()),
            (A::TrayWidth, "hall.tray_width", rules.space.tray_width.to_string()),
            (A::TrayDepth, "hall.tray_depth", rules.space.tray_depth.to_string()),
            (A::FibreDiameter, "hall.fibre_diameter", rules.space.fibre_diameter.to_string()),
            (A::RackEntry, "hall.rack_entry", rules.rack_entry.to_string()),
            (A::Slack, "hall.slack", rules.slack.to_string()),
        ] {
            self.unless_said(what, key, &value);
        }
    }

    /// What the inventory leaves open of the racks that hold ToRs.
    fn racks(&mut self, project: &Project) {
        let (design, hall) = (self.design, &project.hall);
        let used = project.fabric.tor_ids().map(|tor| project.placement.rack(tor));
        let used: Vec<RackId> = used.collect();
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

    /// Heights of racks and units of ToRs. The height matters where it places the ToR.
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
        self.unless_said(A::Transceiver, "optics.transceiver", &optics.transceiver.name);
        self.unless_said(A::Splitter, "optics.splitter", &optics.splitter.name);
        if let Some(fibre) = &optics.fibre {
            self.unless_said(A::Fibre, "optics.fibre", &fibre.name);
        }
        let splices = optics.feed.splices + optics.branch.splices;
        let panels = optics.feed.panels + optics.branch.panels;
        for (what, key, joint, count) in [
            (A::Connector, "optics.connector", &optics.connector, 1),
            (A::Splice, "optics.splice", &optics.splice, splices),
            (A::Panel, "optics.panel", &optics.panel, panels),
        ] {
            if let Some(joint) = joint.as_ref().filter(|_| count > 0) {
                self.unless_said(what, key, &joint.name);
            }
        }
        for (what, kinds) in [(A::FeedFittings, FEED), (A::BranchFittings, BRANCH)] {
            let open = ["splices", "panels", "inline parts"].into_iter().zip(kinds);
            let (none, keys): (Vec<_>, Vec<_>) =
                open.filter(|(_, key)| !self.design.settings.has(key)).unzip();
            if !keys.is_empty() {
                self.add(what, &keys, format!("no {}", none.join(", no ")), None);
            }
        }
        self.unless_said(A::Penalty, "optics.penalty", &optics.penalty);
        self.unless_said(A::Ageing, "optics.ageing", &optics.ageing);
        self.unless_said(A::ComfortableMargin, "optics.comfortable_margin", &optics.comfortable);
        self.unless_said(A::Case, "optics.accept", "worst");
    }
}

/// Where cross-aisle trays run; many of them are told by their number.
fn aisles(at: &[Length]) -> String {
    match at {
        [first, .., last] if at.len() > 8 => {
            format!("{} of them, evenly from {first} to {last}", at.len())
        }
        _ => at.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

impl Inventory {
    /// Whether the places of all racks are measured.
    fn is_measured(&self) -> bool {
        self.racks.iter().all(|rack| matches!(rack.spot, Spot::At { .. }))
    }
}

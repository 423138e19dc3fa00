//! The cables of a plan: trunks with their fibres and trays, the order in which cables are pulled, and what is ordered.

use std::collections::BTreeMap;

use lightloom_plant::{Cable, CableKind, Plant};
use lightloom_power_cost::price::{PriceRank, UnitPrice};
use lightloom_request::InputError;
use lightloom_topology::hall::TrayId;
use lightloom_units::{Length, Money};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bill::{self, TotalReport};
use crate::bom::{BomItem, BomLine};
use crate::project::Project;
use crate::trays::{self, TrayReport};
use lightloom_plant::end_labels::{cable_label, port_label};

/// The cables of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CablingReport {
    /// The trunks. Empty with `cabling = "point-to-point"`.
    pub trunks: Vec<TrunkReport>,
    /// Number of fibres of all trunks that carry no light: dark positions, and connectors that are not plugged in.
    pub spare_fibres: u64,
    /// All cables in the order in which they are pulled, as in `pull-sheet.csv`: those of one run follow each other.
    pub pulls: Vec<PullReport>,
    /// The trays and ways with cables, fullest first.
    pub trays: Vec<TrayReport>,
    /// What the plan is built of, as in `bom.csv`.
    pub orders: Vec<OrderReport>,
    /// Cost of everything that must be ordered, with spares. `None`: the design names no optics.
    pub to_order: Option<TotalReport>,
    /// Spares to order, in percent of most quantities.
    pub spares_percent: u32,
}

/// A trunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrunkReport {
    /// Its label.
    pub label: String,
    /// Number of its fibres.
    pub fibres: u32,
    /// Number of fibres that carry light.
    pub lit: u32,
    /// Number of fibres that carry none.
    pub spare: u32,
    /// Its first port at the row.
    pub near: String,
    /// Its first port in the frame.
    pub far: String,
    /// Routed length, in metres.
    pub length_m: f64,
    /// Length to order, in metres.
    pub stock_m: f64,
    /// The trays and ways that it lies in, from the row to the frame.
    pub trays: Vec<String>,
    /// Fill of the fullest of them at its fullest place, in percent.
    pub tray_fill_percent: f64,
}

/// A cable to pull.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PullReport {
    /// Its label.
    pub label: String,
    /// Row of its near end.
    pub row: String,
    /// Rack of its near end.
    pub rack: String,
    /// Port of its near end.
    pub near: String,
    /// Row of its far end.
    pub to_row: String,
    /// Rack of its far end.
    pub to_rack: String,
    /// Port of its far end.
    pub far: String,
    /// Routed length, in metres.
    pub length_m: f64,
    /// Length to order, in metres.
    pub stock_m: f64,
    /// The trays and ways that it lies in, from the near to the far end.
    pub trays: Vec<String>,
    /// Fill of the fullest of them at its fullest place, in percent.
    pub tray_fill_percent: f64,
}

/// A line of what is ordered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrderReport {
    /// The type.
    pub item: BomItem,
    /// The variant.
    pub variant: String,
    /// Length to order, in metres. `None`: it is no cable.
    pub stock_m: Option<f64>,
    /// Quantity that is built in.
    pub quantity: u64,
    /// Quantity of spares.
    pub spares: u64,
    /// Quantity to order. Switch ports are there already.
    pub order: u64,
    /// Row of the catalogue. Empty: none was chosen.
    pub part: String,
    /// Price of one. `None`: unknown.
    pub unit_price: Option<Money>,
    /// The lowest price of one.
    pub unit_low: Option<Money>,
    /// The highest price of one.
    pub unit_high: Option<Money>,
    /// How well the price is founded: the weakest of its parts.
    pub rank: Option<PriceRank>,
    /// Price of what is ordered. `None`: unknown.
    pub line_total: Option<Money>,
}

impl OrderReport {
    /// A line of a bill, with this share of spares.
    pub fn new(line: &BomLine, spares_percent: u32) -> Self {
        let spares = line.spares(spares_percent);
        let is_ordered = line.item != BomItem::SwitchPort;
        let order = if is_ordered { line.quantity + spares } else { 0 };
        let price = line.unit_price.as_ref();
        Self {
            item: line.item,
            variant: line.variant.clone(),
            stock_m: line.stock.map(Length::as_m),
            quantity: line.quantity,
            spares,
            order,
            part: line.part.clone(),
            unit_price: price.map(UnitPrice::amount),
            unit_low: price.map(|price| price.range().low()),
            unit_high: price.map(|price| price.range().high()),
            rank: price.map(UnitPrice::rank),
            line_total: price.and_then(|price| price.amount().checked_mul(order).ok()),
        }
    }
}

impl Project {
    /// The cables of the plan, as they were built.
    ///
    /// # Errors
    /// [`InputError`] if there are too many fibres, if things do not fit their racks, or if prices cannot be summed.
    pub fn cabling(&self) -> Result<CablingReport, InputError> {
        let laid = self.laid()?;
        let plant = laid.plant();
        let ways = Ways::new(plant);
        let trunks: Vec<TrunkReport> = plant
            .cables()
            .iter()
            .filter_map(|cable| match cable.kind {
                CableKind::Trunk(number) => Some(trunk(plant, cable, number, &ways)),
                CableKind::Cord(..) => None,
            })
            .collect();
        let lines = bill::lines(&laid, self.optics.as_deref())?;
        let spares = self.design.spares_percent;
        let priced = self.optics.as_deref();
        let to_order = priced.map(|chosen| bill::to_order(&lines, spares, &chosen.catalogue));
        Ok(CablingReport {
            spare_fibres: trunks.iter().map(|trunk| u64::from(trunk.spare)).sum(),
            trunks,
            pulls: pulls(plant, &ways),
            trays: trays::reports(plant),
            orders: lines.iter().map(|line| OrderReport::new(line, spares)).collect(),
            to_order: to_order.transpose()?,
            spares_percent: spares,
        })
    }
}

/// Names and fill of trays.
struct Ways<'p> {
    plant: &'p Plant,
    fills: BTreeMap<TrayId, f64>,
}

impl<'p> Ways<'p> {
    fn new(plant: &'p Plant) -> Self {
        let hall = &plant.site().hall;
        let fullest = plant.tray_fill().fullest().into_iter();
        let fill = |tray, squares| 100.0 * hall.fill(tray, squares);
        Self {
            plant,
            fills: fullest.map(|(tray, peak)| (tray, fill(tray, peak.squares))).collect(),
        }
    }

    /// The trays of a cable, and the fill of the fullest.
    fn of(&self, cable: &Cable) -> (Vec<String>, f64) {
        let runs = self.plant.cable_runs(cable);
        let fill = runs.iter().filter_map(|run| self.fills.get(&run.tray).copied());
        let names = runs.iter().map(|run| self.plant.tray_name(run.tray));
        (names.collect(), fill.fold(0.0, f64::max))
    }
}

fn trunk(plant: &Plant, cable: &Cable, number: u32, ways: &Ways<'_>) -> TrunkReport {
    let trunk = &plant.trunks()[number as usize];
    let fibres = u32::from(trunk.fibres);
    let lit = u32::try_from(trunk.strands.iter().flatten().count()).unwrap_or(fibres);
    let [near, far] = cable.ends.map(|end| port_label(plant, end));
    let (trays, tray_fill_percent) = ways.of(cable);
    TrunkReport {
        label: cable_label(plant, cable),
        fibres,
        lit,
        spare: fibres.saturating_sub(lit),
        near,
        far,
        length_m: cable.length.as_m(),
        stock_m: cable.stock.as_m(),
        trays,
        tray_fill_percent,
    }
}

/// All cables, by the rows and racks of their ends.
fn pulls(plant: &Plant, ways: &Ways<'_>) -> Vec<PullReport> {
    let hall = &plant.site().hall;
    let racks = |cable: &Cable| cable.ends.map(|end| plant.thing(end.thing).rack);
    let mut by_run: Vec<&Cable> = plant.cables().iter().collect();
    by_run.sort_by_key(|cable| {
        let racks = racks(cable);
        (racks.map(|rack| hall.rack(rack).row), racks)
    });
    let pull = |cable: &Cable| {
        let [near_rack, far_rack] = racks(cable).map(|rack| hall.rack(rack));
        let [near, far] = cable.ends.map(|end| port_label(plant, end));
        let (trays, tray_fill_percent) = ways.of(cable);
        PullReport {
            label: cable_label(plant, cable),
            row: hall.row(near_rack.row).name.to_string(),
            rack: near_rack.name.to_string(),
            near,
            to_row: hall.row(far_rack.row).name.to_string(),
            to_rack: far_rack.name.to_string(),
            far,
            length_m: cable.length.as_m(),
            stock_m: cable.stock.as_m(),
            trays,
            tray_fill_percent,
        }
    };
    by_run.into_iter().map(pull).collect()
}

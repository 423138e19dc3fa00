//! Reports of placements.

use lightloom_plan::bill;
use lightloom_plan::bom::{BomItem, BomLine};
use lightloom_plan::laid::Laid;
use lightloom_plan::trays;
use lightloom_plant::CableKind;
use lightloom_request::InputError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a placement makes least.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceObjective {
    /// The price of all cords, in this currency.
    Money(String),
    /// The stock length of all cords, because a price is unknown.
    StockMetres,
}

/// The cords of a placement, as the planner lays and prices them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceFigures {
    /// Stock length of the feeds, in metres.
    pub feeds_stock_m: f64,
    /// Stock length of the branches, in metres.
    pub branches_stock_m: f64,
    /// Stock length of the trunks, in metres. Zero without trunks.
    pub trunks_stock_m: f64,
    /// Routed length of all fibres, in metres.
    pub routed_m: f64,
    /// Price of all cords and trunks, without spares, in the currency of the catalogue. Null: a price is unknown.
    pub cords_cost: Option<f64>,
    /// The part of that price that rests on assumed prices.
    pub cords_cost_assumed: Option<f64>,
    /// Fill of the fullest tray, in percent. Null: no fibre is in a tray.
    pub fullest_tray_percent: Option<f64>,
    /// Number of trays above their planned share.
    pub crowded_trays: usize,
}

/// A placement that was searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceReport {
    /// What is least.
    pub objective: PlaceObjective,
    /// Currency of the prices. Null: no price is known.
    pub currency: Option<String>,
    /// Number of layouts that were annealed side by side.
    pub chains: u32,
    /// Number of rounds of each. The same chains, rounds and seed give the same placement on any machine.
    pub rounds: u32,
    /// Number of rounds that were done. Less than `rounds`: the search was stopped.
    pub rounds_done: usize,
    /// Seed of the random draws.
    pub seed: u64,
    /// Number of ToRs that could not move: those that an old plan or the user keeps.
    pub kept_tors: usize,
    /// Number of ToRs that stand in another rack than before the search.
    pub moved_tors: usize,
    /// Number of cords of the old plan that is kept which do not run between the same racks any more. Null: no plan is
    /// kept.
    pub moved_cords: Option<usize>,
    /// Before the search.
    pub before: PlaceFigures,
    /// After it.
    pub after: PlaceFigures,
    /// Share of the saved money that rests on assumed prices, from 0 to 1. Null: nothing was saved, or a price is
    /// unknown.
    pub assumed_share_of_gain: Option<f64>,
    /// Why what was found was not taken. Null: it was taken, or nothing better was found.
    pub not_taken: Option<String>,
    /// The least cost after each round: micro-units of the currency, or micrometres.
    pub curve: Vec<i64>,
}

/// A figure of the cords before and after a search.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceRow {
    /// What it is.
    pub name: &'static str,
    /// Its unit.
    pub unit: String,
    /// Before the search.
    pub before: f64,
    /// After it.
    pub after: f64,
}

impl PlaceRow {
    /// By how many percent it is less. `None`: it was zero.
    pub fn less_percent(&self) -> Option<f64> {
        (self.before > 0.0).then(|| 100.0 * (self.before - self.after) / self.before)
    }

    /// The cells of the row: what it is, before, after, and by how much it is less.
    pub fn cells(&self) -> [String; 4] {
        let decimals = usize::from(self.unit == "%");
        let number = |value: f64| format!("{value:.decimals$} {}", self.unit);
        let less = self.less_percent().map_or_else(String::new, |less| format!("{less:.1} %"));
        [self.name.into(), number(self.before), number(self.after), less]
    }
}

impl PlaceObjective {
    /// What the curve of a search shows, with its unit.
    pub fn title(&self) -> String {
        match self {
            Self::Money(currency) => format!("cost of all cords, {currency}"),
            Self::StockMetres => "stock length of all cords, m".into(),
        }
    }
}

impl PlaceReport {
    /// The titles of the table of [`Self::rows`].
    pub const TITLES: [&str; 4] = ["cords", "before", "after", "less"];

    /// The figures that are known before and after the search.
    pub fn rows(&self) -> Vec<PlaceRow> {
        let currency = self.currency.clone().unwrap_or_default();
        let of = |name, unit: &str, of: fn(&PlaceFigures) -> Option<f64>| {
            let (before, after) = of(&self.before).zip(of(&self.after))?;
            Some(PlaceRow { name, unit: unit.into(), before, after })
        };
        let rows = [
            of("stock length, feeds", "m", |one| Some(one.feeds_stock_m)),
            of("stock length, branches", "m", |one| Some(one.branches_stock_m)),
            of("stock length, all", "m", |one| Some(one.stock_m())),
            of("stock length, trunks", "m", |one| Some(one.trunks_stock_m).filter(|m| *m > 0.0)),
            of("routed length", "m", |one| Some(one.routed_m)),
            of("cost", &currency, |one| one.cords_cost),
            of("fullest tray", "%", |one| one.fullest_tray_percent),
        ];
        rows.into_iter().flatten().collect()
    }

    /// What was searched, in a sentence.
    pub fn line(&self) -> String {
        format!(
            "Placed: {} of {} x {} rounds with seed {}; {} ToRs stand in other racks, {} could not move.",
            self.rounds_done, self.chains, self.rounds, self.seed, self.moved_tors, self.kept_tors
        )
    }

    /// What else is to be known, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let moved = self.moved_cords.map(|moved| {
            format!("{moved} cords of the kept plan run between other racks than before.")
        });
        let assumed = self.assumed_share_of_gain.map(|share| {
            format!("{:.0} % of the saved money rest on assumed prices.", 100.0 * share)
        });
        let not_taken =
            self.not_taken.as_ref().map(|why| format!("What was found is not taken: {why}."));
        [moved, assumed, not_taken].into_iter().flatten().collect()
    }
}

impl PlaceFigures {
    /// The figures of a laid project, and the currency of its prices.
    ///
    /// # Errors
    /// [`InputError`] if prices do not add.
    #[allow(clippy::cast_precision_loss, reason = "amounts stay below 2^53")]
    pub(super) fn of(laid: &Laid) -> Result<(Self, Option<String>), InputError> {
        let plant = laid.plant();
        let [mut feeds, mut branches, mut trunks] = [0.0; 3];
        for cable in plant.cables() {
            let of = match cable.kind {
                CableKind::Cord(fibre, _) if plant.fibres()[fibre.index()].is_feed() => &mut feeds,
                CableKind::Cord(..) => &mut branches,
                CableKind::Trunk(_) => &mut trunks,
            };
            *of += cable.stock.as_m();
        }
        let lines = bill::lines(laid, laid.project().optics())?;
        let is_cable = |line: &&BomLine| matches!(line.item, BomItem::Cord | BomItem::Trunk);
        let cords = lines.iter().filter(is_cable);
        let (mut cost, mut assumed, mut currency) = (Some(0_i128), 0_i128, None);
        for line in cords {
            let (price, count) = (line.unit_price.as_ref(), i128::from(line.quantity));
            currency = price.map(|price| price.amount().currency().to_string()).or(currency);
            cost = cost
                .zip(price)
                .map(|(cost, price)| cost + i128::from(price.amount().as_micros()) * count);
            assumed += price.map_or(0, |price| i128::from(price.assumed().as_micros()) * count);
        }
        let trays = trays::reports(plant);
        let units = |micros: i128| micros as f64 / 1e6;
        let figures = Self {
            feeds_stock_m: feeds,
            branches_stock_m: branches,
            trunks_stock_m: trunks,
            routed_m: plant.totals().length.as_m(),
            cords_cost: cost.map(units),
            cords_cost_assumed: cost.map(|_| units(assumed)),
            fullest_tray_percent: trays.first().map(|tray| tray.fill_percent),
            crowded_trays: trays.iter().filter(|tray| tray.is_crowded()).count(),
        };
        Ok((figures, currency))
    }

    /// Stock length of all cords and trunks, in metres.
    pub fn stock_m(&self) -> f64 {
        self.feeds_stock_m + self.branches_stock_m + self.trunks_stock_m
    }

    /// What is compared: money or metres.
    pub(super) fn value(&self, objective: &PlaceObjective) -> f64 {
        match objective {
            PlaceObjective::Money(_) => self.cords_cost.unwrap_or_else(|| self.stock_m()),
            PlaceObjective::StockMetres => self.stock_m(),
        }
    }
}

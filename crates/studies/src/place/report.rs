//! Reports of placements.

use lightloom_plan::bill;
use lightloom_plan::bom::BomItem;
use lightloom_plan::laid::Laid;
use lightloom_plan::trays;
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
    /// Routed length of all cords, in metres.
    pub routed_m: f64,
    /// Price of all cords, without spares, in the currency of the catalogue. Null: a price is unknown.
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

impl PlaceFigures {
    /// The figures of a laid project, and the currency of its prices.
    ///
    /// # Errors
    /// [`InputError`] if prices do not add.
    #[allow(clippy::cast_precision_loss, reason = "amounts stay below 2^53")]
    pub(super) fn of(laid: &Laid) -> Result<(Self, Option<String>), InputError> {
        let plant = laid.plant();
        let stock = |is_feed: bool| -> f64 {
            let fibres = plant.fibres().iter().filter(|fibre| fibre.is_feed() == is_feed);
            fibres.map(|fibre| fibre.stock.as_m()).sum()
        };
        let lines = bill::lines(laid, laid.project().optics())?;
        let cords = lines.iter().filter(|line| line.item == BomItem::Cord);
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
            feeds_stock_m: stock(true),
            branches_stock_m: stock(false),
            routed_m: plant.totals().length.as_m(),
            cords_cost: cost.map(units),
            cords_cost_assumed: cost.map(|_| units(assumed)),
            fullest_tray_percent: trays.first().map(|tray| tray.fill_percent),
            crowded_trays: trays.iter().filter(|tray| tray.is_crowded()).count(),
        };
        Ok((figures, currency))
    }

    /// Stock length of all cords, in metres.
    pub fn stock_m(&self) -> f64 {
        self.feeds_stock_m + self.branches_stock_m
    }

    /// What is compared: money or metres.
    pub(super) fn value(&self, objective: &PlaceObjective) -> f64 {
        match objective {
            PlaceObjective::Money(_) => self.cords_cost.unwrap_or_else(|| self.stock_m()),
            PlaceObjective::StockMetres => self.stock_m(),
        }
    }
}

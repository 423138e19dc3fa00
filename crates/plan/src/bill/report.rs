//! Totals as reports: what a sum comes to, at least and at most, how much of it is assumed, and what it lacks.

use lightloom_power_cost::price::PriceCase;
use lightloom_power_cost::{Cost, MissingValue, Tally};
use lightloom_request::InputError;
use lightloom_units::{Money, MoneyError, Power};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stands behind a sum that lacks values.
pub const AND_MORE: &str = " and more";

/// A value that a sum lacks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingReport {
    /// Kind of the missing value.
    pub value: MissingValue,
    /// Name of the part.
    pub part: String,
    /// Quantity of the part.
    pub quantity: u64,
    /// Why it is missing.
    pub reason: String,
}

/// A sum of prices with its bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostRange {
    /// The sum of the lowest prices. What a part without a price costs is not in it.
    pub low: Money,
    /// The sum of the usual prices. It is a sum, and no median.
    pub typical: Money,
    /// The sum of the highest prices. Null: open, because a part has no price.
    pub high: Option<Money>,
    /// Which of the three sums counts as the cost.
    pub case: PriceCase,
    /// How much of the cost rests on assumed prices, in percent. Null: the cost is 0.
    pub assumed_percent: Option<f64>,
}

impl CostRange {
    /// The bounds of a cost. `all_priced`: no part lacks a price.
    pub fn new(cost: &Cost, all_priced: bool) -> Self {
        Self {
            low: cost.range.low(),
            typical: cost.range.typical(),
            high: Some(cost.range.high()).filter(|_| all_priced),
            case: cost.case,
            assumed_percent: cost.assumed_share().map(|share| 100.0 * share),
        }
    }
}

/// A sum of power and money over parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TotalReport {
    /// Power of the parts whose power is known.
    #[serde(skip)]
    pub power: Option<Power>,
    /// The same power in watts.
    pub power_w: Option<f64>,
    /// Cost of the parts whose price is known. `None` in another currency.
    pub cost_usd: Option<f64>,
    /// The same cost with its currency.
    pub cost: Option<Money>,
    /// Bounds of the cost, and how much of it is assumed. `None`: no part has a price.
    pub range: Option<CostRange>,
    /// Values that the sums lack.
    pub missing: Vec<MissingReport>,
}

/// A total as a report.
pub fn reported(tally: Tally, catalogue: &str) -> TotalReport {
    let range = tally.cost.as_ref().map(|cost| CostRange::new(cost, tally.all_priced()));
    let cost = tally.cost.map(|cost| cost.amount());
    let mut missing: Vec<MissingReport> = Vec::new();
    if let Some(cost) = cost.filter(|&cost| in_usd(cost).is_none()) {
        let reason = format!("prices are in {}, and there is no exchange rate", cost.currency());
        missing.push(MissingReport {
            value: MissingValue::CostUsd,
            part: "sum".into(),
            quantity: 1,
            reason,
        });
    }
    missing.extend(tally.missing.into_iter().map(|missing| MissingReport {
        value: missing.value,
        reason: format!("{catalogue} has no {} for it", missing.value),
        part: missing.part,
        quantity: missing.quantity,
    }));
    TotalReport {
        power: tally.power,
        power_w: tally.power.map(Power::as_watts),
        cost_usd: cost.and_then(in_usd),
        cost,
        range,
        missing,
    }
}

/// Places an error about money at the prices of the catalogue.
pub fn refuse_sum(error: MoneyError) -> InputError {
    InputError::new(error).in_field("prices of the catalogue")
}

/// An amount in dollars, as the nearest `f64`. `None` in another currency.
pub fn in_usd(money: Money) -> Option<f64> {
    (money.currency().to_string() == "USD").then(|| money.as_micros() as f64 / 1e6)
}

impl TotalReport {
    /// Whether every price is known.
    pub fn all_priced(&self) -> bool {
        self.cost.is_some()
            && self.missing.iter().all(|missing| missing.value != MissingValue::Price)
    }

    /// Whether every power is known.
    pub fn all_powered(&self) -> bool {
        self.power_w.is_some()
            && self.missing.iter().all(|missing| missing.value != MissingValue::Power)
    }
}

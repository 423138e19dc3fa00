//! Reports about explored designs.

use lightloom_plan::bill::{CostRange, MissingReport};
use lightloom_plan::provenance::CatalogueReport;
use lightloom_power_cost::{Case, Difference, Verdict};
use lightloom_request::choices::{Criterion, Family};
use lightloom_topology::hall::{Cabling, Housing};
use lightloom_units::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::Dearer;

/// All designs, ranked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExploreReport {
    /// Number of ToRs.
    pub tors: usize,
    /// Line rate.
    pub rate: String,
    /// The case in which the light must close.
    pub case: Case,
    /// Quantity by which designs are ranked.
    pub ranked_by: Criterion,
    /// Objectives of the Pareto front.
    pub objectives: Vec<Criterion>,
    /// Designs within all limits, best first.
    pub designs: Vec<DesignReport>,
    /// Rejected designs.
    pub rejected: Vec<RejectedReport>,
    /// Number of fabrics that are not explored yet.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unexplored: usize,
    /// Assumptions for values that were not given.
    pub assumed: Vec<String>,
    /// The catalogue, its currency, and its rows in the first design.
    pub catalogue: CatalogueReport,
}

/// One design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DesignReport {
    /// The family.
    pub family: Family,
    /// Fan-out of the splitters.
    pub p: u32,
    /// Number of columns of a Shufflecast.
    pub k: Option<u32>,
    /// Place of the splitters.
    pub housing: Housing,
    /// How fibres run.
    pub cabling: Cabling,
    /// Name of the transceiver.
    pub transceiver: String,
    /// Hops to the farthest ToR.
    pub max_hops: u32,
    /// Mean hops.
    pub mean_hops: f64,
    /// Sources at line rate at the same time.
    pub parallel_sources: Option<usize>,
    /// Number of ports of the ToR with the most ports.
    pub ports_per_tor: usize,
    /// Number of transceivers.
    pub transceivers: u64,
    /// Routed length of all fibres, in metres.
    pub fibre_m: f64,
    /// Number of fibres between a ToR and splitters in another rack.
    pub long_runs: u64,
    /// Number of cables between different rows.
    pub cables_beyond_rows: u64,
    /// Fill of the fullest tray, in percent of its cross-section.
    pub fullest_tray_percent: f64,
    /// Rack units of shelves for splitters and panels.
    pub rack_units: usize,
    /// Power of all ports and transceivers, in watts.
    pub power_w: Option<f64>,
    /// Cost of the whole bill in dollars, as far as prices are known.
    pub cost_usd: Option<f64>,
    /// The same cost with its currency.
    pub cost: Option<Money>,
    /// Bounds of the cost, and how much of it is assumed.
    pub cost_range: Option<CostRange>,
    /// How much more it costs than the first design, at one price for each row that both use. Null for the first
    /// design, and if one of both costs does not compare.
    pub cost_over_first: Option<CostDifference>,
    /// Whether it can cost more than the limit of the search, though the sum that counts does not.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub may_exceed: bool,
    /// Values that these sums lack.
    pub missing: Vec<MissingReport>,
    /// Whether all prices are known except those of housings, modules and frames. Only then can the cost be compared.
    pub cost_compares: bool,
    /// The splitter whose price is used, if this one has no price.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub priced_as: Option<String>,
    /// Smallest optical margin, in dB.
    pub worst_margin_db: Option<f64>,
    /// Smallest distance from the receiver's overload, in dB.
    pub worst_headroom_db: Option<f64>,
    /// The pad and its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pad: Option<String>,
    /// Unknown values of the optical budget.
    pub gaps: Vec<String>,
    /// Light that may be reported as lost, receivers in danger (by mistakes too), and lanes that differ.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hazards: Vec<String>,
    /// The worst verdict on the light.
    pub verdict: Verdict,
    /// Whether the design is on the Pareto front: no other design is at least as good in every objective and
    /// better in one.
    pub pareto: bool,
    /// Whether prices within their ranges decide if it is on the front.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub pareto_open: bool,
}

/// How much more a design costs than another one. What both have of a part is priced once, so its price cancels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostDifference {
    /// At least. Null: open, because a part has no price.
    pub low: Option<f64>,
    /// At the prices that count, in units of the currency.
    pub amount: f64,
    /// At most. Null: open, because a part has no price.
    pub high: Option<f64>,
    /// Which one is dearer, whatever the prices in their ranges.
    pub dearer: Dearer,
}

impl From<&Difference> for CostDifference {
    fn from(found: &Difference) -> Self {
        let units = |micros: i128| micros as f64 / 1e6;
        Self {
            low: found.low.map(units),
            amount: units(found.amount),
            high: found.high.map(units),
            dearer: Dearer::of(found),
        }
    }
}

/// A rejected design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RejectedReport {
    /// The family. `None`: the transceiver is rejected for all families.
    pub family: Option<Family>,
    /// Fan-out of the splitters.
    pub p: Option<u32>,
    /// Place of the splitters. `None`: no such fabric exists.
    pub housing: Option<Housing>,
    /// How fibres run. `None`: no such fabric exists.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cabling: Option<Cabling>,
    /// Name of the transceiver.
    pub transceiver: Option<String>,
    /// Reasons for the rejection.
    pub reasons: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

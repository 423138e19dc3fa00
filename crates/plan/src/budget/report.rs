//! Reports of optical budgets.

use std::collections::BTreeMap;

use lightloom_design::optics::DesignOptics;
use lightloom_power_cost::mend::Alternatives;
use lightloom_power_cost::parts::{LaunchKind, LightLevels, Pair, SensitivityKind};
use lightloom_power_cost::{
    Case, Optics, Reflections, Reflector, ShareIs, Verdict, VerdictCounts, What,
};
use lightloom_topology::TorId;
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::branch::{BranchField, BranchReport, db, pad_text, unknown};
use crate::budget::lights::{Lights, Lit};
use crate::provenance::CatalogueReport;

named_enum! {
    /// Start of margins.
    #[derive(JsonSchema)]
    pub enum MarginFrom {
        /// Launch power and sensitivity are known.
        LaunchPower = "launch power",
        /// Only their difference is known.
        BestCase = "best-case budget",
        /// Only the average minimum of the link class is known: the margin is what remains of its channel
        /// loss.
        ChannelLoss = "channel loss of the class",
    }
}

/// Number of failing branches that get suggestions for a repair.
const MENDED: usize = 1000;

/// Optical budget of every branch. A missing value is unknown; `unknown` gives the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetReport {
    /// The case of the budget.
    pub case: Case,
    /// Name of the transceiver.
    pub transceiver: String,
    /// Name of the splitter.
    pub splitter: String,
    /// The pad and its place, as in `lc-5db at the transmitter`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pad: Option<String>,
    /// Light that may be reported as lost, receivers in danger (by mistakes too), and lanes that differ.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hazards: Vec<String>,
    /// Assumptions for values that the design does not give.
    pub assumed: Vec<String>,
    /// Values that the catalogue lacks. With any of them, no branch passes without a warning.
    pub gaps: Vec<String>,
    /// Whether reflections stay within the limits of the link class.
    pub reflections: Reflections,
    /// The parts that reflect on the way of each branch.
    pub reflectors: Vec<ReflectorReport>,
    /// Reasons why fields of the branches are null, by field.
    pub unknown: BTreeMap<BranchField, String>,
    /// The worst verdict.
    pub verdict: Verdict,
    /// Start of margins.
    pub margin_from: MarginFrom,
    /// Launch powers and sensitivities that are compared, each pair of one kind. A margin is the least over
    /// all pairs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub compared: Vec<ComparedReport>,
    /// Smallest margin, in dB.
    pub worst_margin_db: Option<f64>,
    /// Smallest distance from the receiver's overload, in dB.
    pub worst_headroom_db: Option<f64>,
    /// Number of branches per verdict.
    pub count: Tallied,
    /// The worst branch, element by element.
    pub worst: Option<WorstReport>,
    /// Parameters and result of a Monte Carlo budget.
    pub monte_carlo: Option<MonteCarloReport>,
    /// Source of the values.
    pub catalogue: CatalogueReport,
    /// Every branch, worst first.
    pub branches: Vec<BranchReport>,
}

/// A kind of part that reflects light.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReflectorReport {
    /// Kind of the part.
    pub part: What,
    /// Its name in the catalogue.
    pub name: String,
    /// Number on the way from a transmitter to a receiver.
    pub count: u32,
    /// Its greatest reflectance, in dB. Null: unknown.
    pub reflectance_db: Option<f64>,
}

impl From<Reflector> for ReflectorReport {
    fn from(of: Reflector) -> Self {
        let reflectance_db = of.reflectance.map(db);
        Self { part: of.what, name: of.name, count: of.count, reflectance_db }
    }
}

/// A launch power and a sensitivity of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedReport {
    /// Kind of the launch power.
    pub launch: LaunchKind,
    /// Kind of the sensitivity.
    pub sensitivity: SensitivityKind,
    /// Smallest launch power minus sensitivity, in dB.
    pub budget_db: f64,
}

/// Number of branches per verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tallied {
    /// Branches with the margin and the headroom of the policy.
    pub pass: usize,
    /// Branches with values missing, or beyond the rated reach.
    pub warn: usize,
    /// Branches with less margin or headroom than the policy.
    #[serde(default)]
    pub marginal: usize,
    /// Branches without a verdict, because values are missing.
    pub unknown: usize,
    /// Branches with too weak or too strong light.
    pub fail: usize,
}

/// The worst branch, element by element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorstReport {
    /// The ToR whose light the branch carries.
    pub from_tor: TorId,
    /// The receiving ToR.
    pub to_tor: TorId,
    /// The elements on the way of the light.
    pub elements: Vec<ElementReport>,
}

/// An element that the light passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ElementReport {
    /// Kind of the element.
    pub element: What,
    /// Smallest loss, in dB.
    pub least_db: f64,
    /// Typical loss, in dB.
    pub typical_db: f64,
    /// Largest loss, in dB.
    pub most_db: f64,
}

/// Parameters and result of a Monte Carlo budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonteCarloReport {
    /// Number of draws.
    pub samples: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// Tail percentile: this share of the draws, in percent, is worse than the reported value.
    pub percentile: f64,
    /// Share of draws in which every branch closes: fabrics that work without a swap. `None`: the catalogue has too few
    /// values for a margin.
    pub all_close_share: Option<f64>,
    /// Mean number of transmitters with a branch that does not close: modules to swap. `None` as above.
    pub expected_swaps: Option<f64>,
    /// What is known of the share. The number of modules to swap is bounded from the other side. `None` as above.
    pub all_close_share_is: Option<ShareIs>,
}

impl BudgetReport {
    /// Makes a report. The branches must be sorted worst first.
    pub(super) fn new(
        lights: &Lights,
        case: Case,
        chosen: &DesignOptics,
        alternatives: &Alternatives,
        assumed: Vec<String>,
        catalogue: CatalogueReport,
    ) -> Self {
        let optics = &chosen.optics;
        let branches: Vec<BranchReport> = (0..)
            .zip(&lights.branches)
            .map(|(place, lit)| {
                let mends = if place < MENDED && lit.light.verdict >= Verdict::Unknown {
                    // Random draws allow no promises, only bounds do.
                    let case = if case == Case::MonteCarlo { Case::Worst } else { case };
                    alternatives.mends(optics, lit.feed, lit.branch, case)
                } else {
                    Vec::new()
                };
                BranchReport::new(lit, optics, mends)
            })
            .collect();
        let monte_carlo = lights.fabric.map(|fabric| MonteCarloReport {
            samples: chosen.sampling.samples.get(),
            seed: chosen.sampling.seed,
            percentile: chosen.sampling.percentile,
            all_close_share: fabric.closing.map(|closing| closing.all_close),
            expected_swaps: fabric.closing.map(|closing| closing.swaps),
            all_close_share_is: fabric.closing.map(|closing| closing.share_is),
        });
        Self {
            case,
            transceiver: optics.transceiver.name.clone(),
            splitter: optics.splitter.name.clone(),
            pad: pad_text(optics),
            hazards: lights.hazards(optics),
            assumed,
            gaps: lights.gaps(optics),
            reflections: optics.reflections(),
            reflectors: optics.reflectors().into_iter().map(ReflectorReport::from).collect(),
            unknown: unknown(lights, optics),
            verdict: lights.verdict(),
            margin_from: match optics.transceiver.levels() {
                Ok(LightLevels::BestCase(_)) => MarginFrom::BestCase,
                _ if optics.transceiver.is_of_class_only() => MarginFrom::ChannelLoss,
                _ => MarginFrom::LaunchPower,
            },
            compared: compared(optics),
            worst_margin_db: lights.least(|light| light.margin).map(db),
            worst_headroom_db: lights.least(|light| light.headroom).map(db),
            count: lights.count().into(),
            worst: lights.branches.first().map(|lit| WorstReport::new(lit, optics)),
            monte_carlo,
            catalogue,
            branches,
        }
    }
}

impl From<VerdictCounts> for Tallied {
    fn from(count: VerdictCounts) -> Self {
        let VerdictCounts { pass, warn, marginal, unknown, fail } = count;
        Self { pass, warn, marginal, unknown, fail }
    }
}

impl WorstReport {
    fn new(lit: &Lit, optics: &Optics) -> Self {
        Self { from_tor: lit.ends.0, to_tor: lit.ends.1, elements: elements(lit, optics) }
    }
}

/// The elements on the way of a branch's light, from the transmitter to the receiver.
pub(super) fn elements(lit: &Lit, optics: &Optics) -> Vec<ElementReport> {
    let way = optics.feed(lit.feed).into_iter().chain(optics.branch(lit.branch));
    way.map(|element| ElementReport {
        element: element.what,
        least_db: db(element.loss.least),
        typical_db: db(element.loss.typical),
        most_db: db(element.loss.most),
    })
    .collect()
}

/// The pairs of one kind that the transceiver's row has.
fn compared(optics: &Optics) -> Vec<ComparedReport> {
    let Ok(LightLevels::Pairs { pairs, .. }) = optics.transceiver.levels() else {
        return Vec::new();
    };
    let report = |pair: &Pair| ComparedReport {
        launch: pair.launch,
        sensitivity: pair.receive,
        budget_db: db(pair.budget()),
    };
    pairs.iter().map(report).collect()
}

//! Reports of optical budgets.

use std::collections::BTreeMap;

use lightloom_power_cost::mend::{Alternatives, Mend};
use lightloom_power_cost::parts::{Incomparable, LightLevels, PadPlace};
use lightloom_power_cost::{Case, Optics, Verdict, VerdictCounts, error_rate};
use lightloom_topology::TorId;
use lightloom_units::{Db, Dbm, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::lights::{Lights, Lit};
use crate::optics::DesignOptics;
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

named_enum! {
    /// The fields of a branch that can be null, by name.
    #[derive(PartialOrd, Ord, JsonSchema)]
    pub enum BranchField {
        /// Frames lost after correction.
        FrameLoss = "frame_loss",
        /// Distance from the overload.
        HeadroomDb = "headroom_db",
        /// Margin.
        MarginDb = "margin_db",
        /// Bit errors before correction.
        PreFecBer = "pre_fec_ber",
        /// Quality factor.
        Q = "q",
        /// Smallest received power.
        RxDbm = "rx_dbm",
        /// Largest received power.
        RxMaxDbm = "rx_max_dbm",
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
    /// What may happen to a receiver by mistakes, or by lanes that differ.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hazards: Vec<String>,
    /// Assumptions for values that the design does not give.
    pub assumed: Vec<String>,
    /// Values that the catalogue lacks. With any of them, no branch passes without a warning.
    pub gaps: Vec<String>,
    /// Reasons why fields of the branches are null, by field.
    pub unknown: BTreeMap<BranchField, String>,
    /// The worst verdict.
    pub verdict: Verdict,
    /// Start of margins.
    pub margin_from: MarginFrom,
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

/// Optical budget of one branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchReport {
    /// The ToR whose light the branch carries.
    pub from_tor: TorId,
    /// The receiving ToR.
    pub to_tor: TorId,
    /// Loss from transmitter to receiver, in dB.
    pub loss_db: f64,
    /// Smallest received power of the case, in dBm.
    pub rx_dbm: Option<f64>,
    /// Received power above the sensitivity, minus penalties and ageing, in dB.
    pub margin_db: Option<f64>,
    /// Largest received power of the case, in dBm.
    pub rx_max_dbm: Option<f64>,
    /// Distance of the largest received power from the overload, in dB.
    pub headroom_db: Option<f64>,
    /// Quality factor at that margin. Null if the receiver is overloaded.
    pub q: Option<f64>,
    /// Bit error ratio before correction.
    pub pre_fec_ber: Option<f64>,
    /// Share of frames of 1,518 bytes that are lost after correction.
    pub frame_loss: Option<f64>,
    /// Share of draws that do not close.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failing_share: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// Changes that would make the branch close. Only for the thousand worst failing branches. In a Monte
    /// Carlo budget they are computed for the worst case.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub mend: Vec<MendReport>,
}

/// A change that makes a branch close.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum MendReport {
    /// Another transceiver at both ends.
    Transceiver {
        /// Name of the transceiver.
        name: String,
        /// Name of the pad that it needs.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        pad: Option<String>,
        /// Margin after the change, in dB.
        margin_db: Option<f64>,
        /// Headroom after the change, in dB.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        headroom_db: Option<f64>,
    },
    /// A splitter with fewer outputs. It needs another fabric.
    Splitter {
        /// Number of outputs.
        fan_out: u32,
        /// Margin after the change, in dB.
        margin_db: Option<f64>,
    },
    /// A shorter way.
    ShorterRoute {
        /// Length to remove, at least, in metres.
        by_m: f64,
    },
    /// A fixed attenuator.
    Pad {
        /// Name of the pad.
        name: String,
        /// Its place.
        at: PadPlace,
        /// Margin after the change, in dB.
        margin_db: Option<f64>,
        /// Headroom after the change, in dB.
        headroom_db: Option<f64>,
    },
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
    pub element: lightloom_power_cost::What,
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
    /// Share of draws in which every branch closes: fabrics that work without a swap.
    pub all_close_share: f64,
    /// Mean number of transmitters with a branch that does not close: modules to swap.
    pub expected_swaps: f64,
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
            all_close_share: fabric.all_close,
            expected_swaps: fabric.swaps,
        });
        Self {
            case,
            transceiver: optics.transceiver.name.clone(),
            splitter: optics.splitter.name.clone(),
            pad: pad_text(optics),
            hazards: optics.hazards(),
            assumed,
            gaps: lights.gaps(optics),
            unknown: unknown(lights, optics),
            verdict: lights.verdict(),
            margin_from: match optics.transceiver.levels() {
                Ok(LightLevels::BestCase(_)) => MarginFrom::BestCase,
                _ if optics.transceiver.is_of_class_only() => MarginFrom::ChannelLoss,
                _ => MarginFrom::LaunchPower,
            },
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

impl BranchReport {
    fn new(lit: &Lit, optics: &Optics, mends: Vec<Mend>) -> Self {
        let (light, transceiver) = (&lit.light, &optics.transceiver);
        // An overloaded receiver makes errors for other reasons than noise.
        let blinded = light.headroom.is_some_and(|headroom| headroom < Db::ZERO);
        let margin = light.margin.filter(|_| !blinded);
        let errors = margin.and_then(|margin| error_rate::of_part(transceiver, margin));
        Self {
            from_tor: lit.ends.0,
            to_tor: lit.ends.1,
            loss_db: db(light.loss),
            rx_dbm: light.received.map(dbm),
            margin_db: light.margin.map(db),
            rx_max_dbm: light.strongest.map(dbm),
            headroom_db: light.headroom.map(db),
            q: errors.map(|errors| errors.q),
            pre_fec_ber: errors.map(|errors| errors.pre_fec_ber),
            frame_loss: errors.map(|errors| errors.frame_loss),
            failing_share: lit.failing,
            verdict: light.verdict,
            mend: mends.into_iter().map(MendReport::from).collect(),
        }
    }
}

impl From<Mend> for MendReport {
    fn from(mend: Mend) -> Self {
        match mend {
            Mend::Optic { name, pad, margin, headroom } => Self::Transceiver {
                name,
                pad,
                margin_db: margin.map(db),
                headroom_db: headroom.map(db),
            },
            Mend::Splitter { fan_out, margin } => {
                Self::Splitter { fan_out, margin_db: margin.map(db) }
            }
            Mend::Shorter { by } => Self::ShorterRoute { by_m: by.as_m() },
            Mend::Pad { name, at, margin, headroom } => {
                Self::Pad { name, at, margin_db: margin.map(db), headroom_db: headroom.map(db) }
            }
        }
    }
}

impl WorstReport {
    fn new(lit: &Lit, optics: &Optics) -> Self {
        let way = optics.feed(lit.feed).into_iter().chain(optics.branch(lit.branch));
        let elements = way.map(|element| ElementReport {
            element: element.what,
            least_db: db(element.loss.least),
            typical_db: db(element.loss.typical),
            most_db: db(element.loss.most),
        });
        Self { from_tor: lit.ends.0, to_tor: lit.ends.1, elements: elements.collect() }
    }
}

/// Reasons why fields of the branches are null, by field.
fn unknown(lights: &Lights, optics: &Optics) -> BTreeMap<BranchField, String> {
    use BranchField as Field;
    let row = &optics.transceiver;
    let mut unknown = BTreeMap::new();
    let lacks = |what: &str| format!("{} has no {what} in the catalogue", row.name);
    match row.levels() {
        Ok(LightLevels::Pairs { average, .. }) => {
            if average.is_none() {
                unknown.insert(Field::RxDbm, lacks("launch_min"));
            }
            if row.launch_max.is_none() {
                unknown.insert(Field::RxMaxDbm, lacks("launch_max"));
            }
            if row.ceiling().is_none() {
                unknown.insert(Field::HeadroomDb, lacks("overload"));
            } else if row.launch_max.is_none() {
                unknown.insert(Field::HeadroomDb, lacks("launch_max"));
            }
        }
        Ok(LightLevels::BestCase(_)) => {
            for field in [Field::RxDbm, Field::RxMaxDbm, Field::HeadroomDb] {
                unknown.insert(field, lacks("launch power, only a best-case budget"));
            }
        }
        Err(reason) => {
            let why = match reason {
                Incomparable::Missing(field) => lacks(field),
                Incomparable::Kinds { .. } => format!("{}: {reason}", row.name),
            };
            for null in [Field::RxDbm, Field::MarginDb, Field::RxMaxDbm, Field::HeadroomDb] {
                unknown.insert(null, why.clone());
            }
        }
    }
    if row.ber.is_none() || unknown.contains_key(&Field::MarginDb) {
        let why = if row.ber.is_none() { lacks("ber") } else { lacks("level to start from") };
        for field in [Field::Q, Field::PreFecBer, Field::FrameLoss] {
            unknown.insert(field, why.clone());
        }
    }
    if lights.least(|light| light.headroom).is_some_and(|headroom| headroom < Db::ZERO) {
        let name = &row.name;
        let why = format!(
            "where the receiver of {name} is blinded, it errs for other reasons than noise"
        );
        for field in [Field::Q, Field::PreFecBer, Field::FrameLoss] {
            unknown.entry(field).or_insert_with(|| why.clone());
        }
    }
    unknown
}

/// The pad of a design with its place.
pub fn pad_text(optics: &Optics) -> Option<String> {
    let fitted = optics.pad.as_ref()?;
    Some(format!("{} at the {}", fitted.pad.name, fitted.at.name()))
}

/// Decibels rounded to a millionth, so that sums of decimals print as decimals.
pub fn db(value: Db) -> f64 {
    millionths(value.get())
}

fn dbm(value: Dbm) -> f64 {
    millionths(value.get())
}

fn millionths(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}

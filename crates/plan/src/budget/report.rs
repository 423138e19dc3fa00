//! A budget as it is told.

use std::collections::BTreeMap;

use lightloom_power_cost::mend::{Alternatives, Mend};
use lightloom_power_cost::parts::LightLevels;
use lightloom_power_cost::{Case, Optics, Verdict, VerdictCounts, error_rate};
use lightloom_topology::TorId;
use lightloom_units::{Db, Dbm};
use serde::Serialize;

use crate::budget::lights::{Lights, Lit};
use crate::optics::DesignOptics;
use crate::provenance::CatalogueReport;

/// What margins start from where neither launch power nor sensitivity is known, but their difference.
pub const BEST_CASE: &str = "best-case budget";
/// Branches that are told what would mend them.
const MENDED: usize = 1000;

/// The light of every branch. Absent values are unknown; `unknown` says why.
#[derive(Debug, Clone, Serialize)]
pub struct BudgetReport {
    /// Which values were assumed.
    pub case: Case,
    /// The transceiver.
    pub transceiver: String,
    /// The splitter.
    pub splitter: String,
    /// What the design does not say and was assumed.
    pub assumed: Vec<String>,
    /// What the catalogue does not say; with any of it no branch passes without a warning.
    pub gaps: Vec<String>,
    /// Why a field of the branches is null, by field.
    pub unknown: BTreeMap<&'static str, String>,
    /// The worst verdict.
    pub verdict: Verdict,
    /// What margins start from: `launch power`, or only a `best-case budget`.
    pub margin_from: &'static str,
    /// The least margin.
    pub worst_margin_db: Option<f64>,
    /// The least distance from the receiver's overload.
    pub worst_headroom_db: Option<f64>,
    /// Branches by verdict.
    pub count: Tallied,
    /// The branch that is worst, element by element.
    pub worst: Option<WorstReport>,
    /// What a Monte Carlo budget drew.
    pub monte_carlo: Option<MonteCarloReport>,
    /// Where the values come from.
    pub catalogue: CatalogueReport,
    /// Every branch, the worst first.
    pub branches: Vec<BranchReport>,
}

/// Branches by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tallied {
    /// Comfortable.
    pub pass: usize,
    /// Little margin, or values missing.
    pub warn: usize,
    /// Values missing without which nothing can be said.
    pub unknown: usize,
    /// Too weak or too strong.
    pub fail: usize,
}

/// One branch.
#[derive(Debug, Clone, Serialize)]
pub struct BranchReport {
    /// Whose light it is.
    pub from_tor: TorId,
    /// Who receives it.
    pub to_tor: TorId,
    /// From transmitter to receiver.
    pub loss_db: f64,
    /// What arrives, at the least.
    pub rx_dbm: Option<f64>,
    /// Over the sensitivity, penalties and ageing taken off.
    pub margin_db: Option<f64>,
    /// What arrives, at the most.
    pub rx_max_dbm: Option<f64>,
    /// Below the overload.
    pub headroom_db: Option<f64>,
    /// The quality factor at that margin; null where the receiver is blinded.
    pub q: Option<f64>,
    /// Bit errors before correction.
    pub pre_fec_ber: Option<f64>,
    /// Frames of 1,518 bytes lost after correction.
    pub frame_loss: Option<f64>,
    /// Share of draws that do not close.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_share: Option<f64>,
    /// What is said of it.
    pub verdict: Verdict,
    /// What would mend it, of the thousand worst that fail: by the worst case where the budget is one
    /// of draws.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mend: Vec<MendReport>,
}

/// One way to mend a branch.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum MendReport {
    /// Another transceiver at both ends.
    Transceiver {
        /// Its name.
        name: String,
        /// The margin that it leaves.
        margin_db: Option<f64>,
    },
    /// A splitter with fewer outputs, so another fabric.
    Splitter {
        /// Its outputs.
        fan_out: u32,
        /// The margin that it leaves.
        margin_db: Option<f64>,
    },
    /// A shorter way.
    ShorterRoute {
        /// By at least this.
        by_m: f64,
    },
    /// An attenuator before the receiver.
    Attenuator {
        /// At least this.
        least_db: f64,
        /// At most this.
        most_db: f64,
    },
}

/// The worst branch.
#[derive(Debug, Clone, Serialize)]
pub struct WorstReport {
    /// Whose light it is.
    pub from_tor: TorId,
    /// Who receives it.
    pub to_tor: TorId,
    /// What the light goes through.
    pub elements: Vec<ElementReport>,
}

/// One thing that the light goes through.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementReport {
    /// What it is.
    pub element: lightloom_power_cost::What,
    /// What it takes at the least.
    pub least_db: f64,
    /// What it usually takes.
    pub typical_db: f64,
    /// What it takes at the most.
    pub most_db: f64,
}

/// What a Monte Carlo budget drew.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MonteCarloReport {
    /// Draws.
    pub samples: usize,
    /// The seed.
    pub seed: u64,
    /// Of the draws that are worse than what is reported, in percent.
    pub percentile: f64,
    /// Share of draws in which every branch closes.
    pub all_close_share: f64,
}

impl BudgetReport {
    /// Tells of branches that are sorted worst first.
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
                    // Of draws only bounds can be promised.
                    let case = if case == Case::MonteCarlo { Case::Worst } else { case };
                    alternatives.mends(optics, lit.feed, lit.branch, case)
                } else {
                    Vec::new()
                };
                BranchReport::new(lit, optics, mends)
            })
            .collect();
        let monte_carlo = lights.all_close.map(|all_close_share| MonteCarloReport {
            samples: chosen.sampling.samples.get(),
            seed: chosen.sampling.seed,
            percentile: chosen.sampling.percentile,
            all_close_share,
        });
        Self {
            case,
            transceiver: optics.transceiver.name.clone(),
            splitter: optics.splitter.name.clone(),
            assumed,
            gaps: lights.gaps(optics),
            unknown: unknown(lights, optics),
            verdict: lights.verdict(),
            margin_from: match optics.transceiver.levels() {
                Ok(LightLevels::BestCase(_)) => BEST_CASE,
                _ => "launch power",
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
        let VerdictCounts { pass, warn, unknown, fail } = count;
        Self { pass, warn, unknown, fail }
    }
}

impl BranchReport {
    fn new(lit: &Lit, optics: &Optics, mends: Vec<Mend>) -> Self {
        let (light, transceiver) = (&lit.light, &optics.transceiver);
        // A blinded receiver errs for other reasons than noise.
        let blinded = light.headroom.is_some_and(|headroom| headroom < Db::ZERO);
        let known = light.margin.zip(transceiver.ber).filter(|_| !blinded);
        let errors = known.map(|(margin, ber)| {
            error_rate::at_margin(margin, ber, transceiver.modulation, transceiver.fec)
        });
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
            Mend::Optic { name, margin } => Self::Transceiver { name, margin_db: margin.map(db) },
            Mend::Splitter { fan_out, margin } => {
                Self::Splitter { fan_out, margin_db: margin.map(db) }
            }
            Mend::Shorter { by } => Self::ShorterRoute { by_m: by.as_m() },
            Mend::Attenuator { least, most } => {
                Self::Attenuator { least_db: db(least), most_db: db(most) }
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

/// Why fields of the branches are null.
fn unknown(lights: &Lights, optics: &Optics) -> BTreeMap<&'static str, String> {
    let row = &optics.transceiver;
    let mut unknown = BTreeMap::new();
    let lacks = |what: &str| format!("{} has no {what} in the catalogue", row.name);
    match row.levels() {
        Ok(LightLevels::Levels(_)) => {
            if row.launch_max.is_none() {
                unknown.insert("rx_max_dbm", lacks("launch_max"));
            }
            if row.ceiling().is_none() {
                unknown.insert("headroom_db", lacks("overload"));
            } else if row.launch_max.is_none() {
                unknown.insert("headroom_db", lacks("launch_max"));
            }
        }
        Ok(LightLevels::BestCase(_)) => {
            for field in ["rx_dbm", "rx_max_dbm", "headroom_db"] {
                unknown.insert(field, lacks("launch power, only a best-case budget"));
            }
        }
        Err(field) => {
            for null in ["rx_dbm", "margin_db", "rx_max_dbm", "headroom_db"] {
                unknown.insert(null, lacks(field));
            }
        }
    }
    if row.ber.is_none() || unknown.contains_key("margin_db") {
        let why = if row.ber.is_none() { lacks("ber") } else { lacks("level to start from") };
        for field in ["q", "pre_fec_ber", "frame_loss"] {
            unknown.insert(field, why.clone());
        }
    }
    if lights.least(|light| light.headroom).is_some_and(|headroom| headroom < Db::ZERO) {
        let name = &row.name;
        let why = format!(
            "where the receiver of {name} is blinded, it errs for other reasons than noise"
        );
        for field in ["q", "pre_fec_ber", "frame_loss"] {
            unknown.entry(field).or_insert_with(|| why.clone());
        }
    }
    unknown
}

/// Decibels to the millionth, so that sums of decimals print as decimals.
pub fn db(value: Db) -> f64 {
    millionths(value.get())
}

fn dbm(value: Dbm) -> f64 {
    millionths(value.get())
}

fn millionths(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}

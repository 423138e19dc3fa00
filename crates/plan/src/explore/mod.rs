//! Explores all designs for a number of ToRs: ranks them, and reports why others are rejected.

mod designs;

use lightloom_power_cost::parts::MOST_PORTS;
use lightloom_power_cost::{Case, Goal, Verdict, pareto_front};
use lightloom_request::choices::Criterion;
use lightloom_request::choices::Family;
use lightloom_request::setting;
use lightloom_request::{Error, InputError};
use lightloom_topology::hall::Housing;
use lightloom_units::{Db, Money};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bill::MissingReport;
use crate::project::Project;
use crate::provenance::CatalogueReport;
use designs::{Explored, Found, SearchSpace};

/// Largest number of ToRs. Every design is wired twice.
const MOST_TORS: usize = 32_768;
/// Largest margin in the options, in dB. No optic has more.
const MOST_MARGIN_DB: f64 = 100.0;
/// Whether a smaller or a larger value is better.
fn objective(of: Criterion) -> Goal {
    match of {
        Criterion::Cost | Criterion::Fibre | Criterion::Power | Criterion::Hops => Goal::Least,
        Criterion::ParallelSources | Criterion::Margin => Goal::Most,
    }
}

/// Value of a design. `None`: unknown.
fn value(of: Criterion, design: &DesignReport) -> Option<f64> {
    match of {
        Criterion::Cost => {
            let cost = design.cost.filter(|_| design.cost_compares);
            cost.map(|cost| cost.as_micros() as f64)
        }
        Criterion::Fibre => Some(design.fibre_m),
        Criterion::Power => design.power_w,
        Criterion::Hops => Some(design.max_hops.into()),
        Criterion::ParallelSources => design.parallel_sources.map(|sources| sources as f64),
        Criterion::Margin => design.worst_margin_db,
    }
}

/// Limits of designs. `None`: no limit.
#[derive(Debug, Clone, Default)]
pub struct ExploreOptions {
    /// Largest number of hops to the farthest ToR.
    pub max_hops: Option<u32>,
    /// Smallest number of sources at line rate at the same time.
    pub parallel_sources: Option<usize>,
    /// Largest number of ports per ToR.
    pub ports_per_tor: Option<usize>,
    /// Smallest optical margin, such as `1 dB`.
    pub margin: Option<Db>,
    /// Largest cost, such as `500000 USD`.
    pub max_cost: Option<Money>,
    /// The case in which the light must close (default: worst).
    pub case: Option<Case>,
    /// Quantity by which designs are ranked (default: cost).
    pub rank_by: Option<Criterion>,
}

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
    /// Power of all ports and transceivers, in watts.
    pub power_w: Option<f64>,
    /// Cost of the whole bill in dollars, as far as prices are known.
    pub cost_usd: Option<f64>,
    /// The same cost with its currency.
    pub cost: Option<Money>,
    /// Values that these sums lack.
    pub missing: Vec<MissingReport>,
    /// Whether all prices are known except those of housings. Only then can the cost be compared.
    pub cost_compares: bool,
    /// The splitter whose price is used, if this one has no price.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub priced_as: Option<String>,
    /// Smallest optical margin, in dB.
    pub worst_margin_db: Option<f64>,
    /// Smallest distance from the receiver's overload, in dB.
    pub worst_headroom_db: Option<f64>,
    /// Unknown values of the optical budget.
    pub gaps: Vec<String>,
    /// The worst verdict on the light.
    pub verdict: Verdict,
    /// Whether the design is on the Pareto front: no other design is at least as good in every objective and
    /// better in one.
    pub pareto: bool,
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
    /// Name of the transceiver.
    pub transceiver: Option<String>,
    /// Reasons for the rejection.
    pub reasons: Vec<String>,
}

/// Checked limits.
#[derive(Debug, Clone)]
pub struct Limits {
    max_hops: Option<u32>,
    parallel_sources: Option<usize>,
    ports_per_tor: Option<usize>,
    margin: Option<Db>,
    max_cost: Option<Money>,
    case: Case,
    rank_by: Criterion,
}

/// Explores all designs of the families `shufflecast` and `kautz`, with splitters at the senders and at the
/// receivers. `smallest` is the smallest fabric for the ToRs; all designs use its hall, placement and
/// catalogue. The watch receives the explored designs repeatedly.
///
/// # Errors
/// [`InputError`] if the settings or an option are wrong.
pub fn explore(
    smallest: &Project,
    limits: &Limits,
    watch: Watch<'_, ExploreReport>,
) -> Result<ExploreReport, Error> {
    let tors = smallest.fabric.tors();
    if tors > MOST_TORS {
        let message = format!("found {tors}; designs of at most {MOST_TORS} ToRs are explored");
        return Err(smallest.design.settings.refuse(&setting::fabric::TORS, message).into());
    }
    let space = SearchSpace::new(smallest, limits)?;
    let so_far = |explored: &dyn Fn() -> Explored| watch.so_far(|| report(&space, explored()));
    Ok(report(&space, space.explore(watch.step(), &so_far)?))
}

impl Limits {
    /// Checks options.
    ///
    /// # Errors
    /// [`InputError`] at the first wrong option.
    pub fn read(options: &ExploreOptions) -> Result<Self, InputError> {
        let (margin, max_cost) = (options.margin, options.max_cost);
        if let Some(found) =
            margin.filter(|margin: &Db| !(0.0..=MOST_MARGIN_DB).contains(&margin.get()))
        {
            let message = format!("found {found}; expected 0 dB to {MOST_MARGIN_DB} dB");
            return Err(InputError::new(message).in_option("margin"));
        }
        if let Some(found) = max_cost.filter(|cost: &Money| cost.as_micros() <= 0) {
            let message = format!("found {found}; expected more than 0, such as \"500000 USD\"");
            return Err(InputError::new(message).in_option("max_cost"));
        }
        Ok(Self {
            max_hops: within("max_hops", options.max_hops, MOST_TORS)?,
            parallel_sources: within("parallel_sources", options.parallel_sources, MOST_TORS)?,
            ports_per_tor: within("ports_per_tor", options.ports_per_tor, MOST_PORTS)?,
            margin,
            max_cost,
            case: options.case.unwrap_or(Case::Worst),
            rank_by: options.rank_by.unwrap_or(Criterion::Cost),
        })
    }
}

/// Checks a limit, at least 1. With 0, no design or every design would pass.
fn within<T>(option: &'static str, said: Option<T>, most: usize) -> Result<Option<T>, InputError>
where
    T: Copy + std::fmt::Display + TryInto<usize>,
{
    match said {
        Some(found) if !found.try_into().is_ok_and(|found| (1..=most).contains(&found)) => {
            let message = format!("found {found}; expected 1 to {most}");
            Err(InputError::new(message).in_option(option))
        }
        _ => Ok(said),
    }
}

/// Ranks the explored designs.
fn report(space: &SearchSpace<'_>, explored: Explored) -> ExploreReport {
    let Explored { mut found, rejected, unexplored } = explored;
    let row = |found: &Found| Criterion::ALL.map(|criterion| value(criterion, &found.design));
    let rows: Vec<_> = found.iter().map(row).collect();
    let front = pareto_front(Criterion::ALL.map(objective), &rows);
    for (found, pareto) in found.iter_mut().zip(front) {
        found.design.pareto = pareto;
    }
    // Sorts by the chosen objective, then by the others in their order. Unknown values come last.
    let first = space.limits.rank_by;
    let others = Criterion::ALL.into_iter().filter(|&criterion| criterion != first);
    let order: Vec<Criterion> = std::iter::once(first).chain(others).collect();
    let key = |found: &Found| {
        let badness = |&one: &Criterion| badness(objective(one), value(one, &found.design));
        order.iter().map(badness).collect::<Vec<_>>()
    };
    found.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.iter()
            .zip(&b)
            .map(|(a, b)| a.total_cmp(b))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let first = found.first();
    ExploreReport {
        tors: space.tors(),
        rate: space.rate.to_string(),
        case: space.limits.case,
        ranked_by: space.limits.rank_by,
        objectives: Criterion::ALL.to_vec(),
        catalogue: first.map_or_else(|| space.catalogue(), |found| found.catalogue.clone()),
        assumed: space.assumed.clone(),
        designs: found.into_iter().map(|found| found.design).collect(),
        rejected,
        unexplored,
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn badness(objective: Goal, value: Option<f64>) -> f64 {
    match (objective, value) {
        (_, None) => f64::INFINITY,
        (Goal::Least, Some(value)) => value,
        (Goal::Most, Some(value)) => -value,
    }
}

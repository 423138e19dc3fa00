//! Outages by the failure rates of parts: how often pairs of ToRs are cut, for how long, and by which parts.
//!
//! A pair is a source and another ToR. It is out while that ToR does not get what the source sends, so a ToR without
//! power takes all of its pairs with it. Parts fail and are repaired independently of each other. What parts have in
//! common (a housing, a tray, the power of a row) is a part of its own.
//!
//! The share of time in which a part does not work is u = λ r / (1 + λ r), with its failure rate λ and its repair time
//! r. Single failures are counted exactly, and what two failures at a time take beyond. Three at a time are left out.

mod doubles;
mod in_words;
mod parts;

use std::collections::BTreeMap;

use lightloom_design::rates::{PartKind, Rate, Rates};
use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::laid::Laid;
use lightloom_plan::project::Project;
use lightloom_request::{Error, InputError};
use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::recovery::cut_off;
use lightloom_topology::Fabric;
use lightloom_units::Span;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::deal::deal;
use crate::many::impacts;
use parts::{Part, parts_of};

/// Hours of a year of 365.25 days.
const HOURS_A_YEAR: f64 = 8_766.0;
/// Picoseconds of an hour.
const PS_AN_HOUR: f64 = 3.6e15;
/// Parts that are listed.
const LISTED: usize = 10;
/// Failures that are counted between two looks at the watch.
const AT_ONCE: usize = 512;

/// Outages by failure rates of parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutageReport {
    /// Failures of all relays into one cassette.
    pub mirrors: MirrorReport,
    /// Kinds of parts of the plan, with what is known of them.
    pub kinds: Vec<KindReport>,
    /// Outages of all kinds whose rates are known. `None`: no rate is known.
    pub known: Option<KnownOutages>,
}

/// Failures of all relays into one cassette at a time, which no rules repair (shufflecast:III-C1.probability).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorReport {
    /// Number of relays of such a set: p in a p,k-Shufflecast.
    pub relays: usize,
    /// Number of such sets: k p^(k-1) in a p,k-Shufflecast.
    pub sets: usize,
    /// Probability that as many failed relays are such a set, if any relays are as likely to fail.
    pub if_as_many_failed: f64,
    /// Probability that a set is down at a time: the relay's ToR, transmitting transceiver, splitter or feed. What
    /// relays have in common is not in it. `None`: a rate is not known, or relays share a switch.
    pub at_a_time: Option<f64>,
}

/// A kind of part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KindReport {
    /// The kind.
    pub kind: PartKind,
    /// Number of parts of the plan.
    pub parts: usize,
    /// Failure rate and repair time of a part. `None`: unknown.
    pub rate: Option<Rate>,
    /// What single failures of the kind take. `None`: unknown.
    pub outages: Option<SingleOutages>,
}

/// Outages by single failures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SingleOutages {
    /// Failures of parts a year.
    pub failures_per_year: f64,
    /// Outages of pairs a year until new rules are in force.
    pub before_recovery_per_year: f64,
    /// Outages of pairs a year that no rules repair.
    pub after_recovery_per_year: f64,
    /// Hours a year of all pairs together that no rules repair.
    pub pair_hours_per_year: f64,
}

/// Outages of all kinds whose rates are known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnownOutages {
    /// Number of pairs of a source and another ToR.
    pub pairs: u64,
    /// By single failures.
    pub single: SingleOutages,
    /// Hours a year of all pairs until new rules are in force, by single failures. `None`: the time of a recovery is
    /// not given.
    pub recovering_pair_hours_per_year: Option<f64>,
    /// By two failures at a time, beyond what each takes alone.
    pub double: Double,
    /// Share of time in which a pair is out, in the mean over all pairs: no rules repair it.
    pub unavailability: f64,
    /// The parts that take most pair hours, then those that cause most outages before a recovery.
    pub most: Vec<PartReport>,
}

/// What two failures at a time take beyond what each takes alone, once new rules are in force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Double {
    /// Number of pairs of parts.
    pub pairs: u64,
    /// Number of pairs of parts that were tried. Drawn ones may be the same.
    pub tried: u64,
    /// Whether all were. Otherwise they were drawn with a fixed seed, by kinds of parts.
    pub exhaustive: bool,
    /// Outages of pairs of ToRs a year.
    pub outages_per_year: Estimate,
    /// Hours a year of all pairs of ToRs together.
    pub pair_hours_per_year: Estimate,
}

/// A value with an interval of 95 %; exact where all was tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The value. Two failures can take less together than each alone, so it may be below 0.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end. Where no draw of two kinds found anything, it holds what three of as many draws would take at most.
    pub high: f64,
}

/// A part that matters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartReport {
    /// Its name.
    pub part: String,
    /// Its kind.
    pub kind: PartKind,
    /// Failures a year.
    pub failures_per_year: f64,
    /// Pairs that its failure takes until new rules are in force.
    pub pairs_before: u64,
    /// Pairs that no rules repair.
    pub pairs_after: u64,
    /// Hours a year of these pairs.
    pub pair_hours_per_year: f64,
}

/// What is known of a kind, as numbers.
#[derive(Debug, Clone, Copy)]
struct Known {
    per_hour: f64,
    unavailability: f64,
}

/// What the failure of one part takes: pairs of ToRs before and after a recovery.
#[derive(Debug, Clone)]
struct Single<'a> {
    part: &'a Part,
    before: u64,
    after: u64,
}

/// Counts the outages of a plan.
///
/// # Errors
/// [`Error`] if the tables are too large to list, or if the work was stopped.
pub(crate) fn of(laid: &Laid, rates: &Rates, watch: Watch<'_>) -> Result<OutageReport, Error> {
    let project = laid.project();
    let fabric = project.fabric();
    let parts = parts_of(laid);
    let by_kind: BTreeMap<PartKind, Known> =
        rates.by_kind.iter().map(|(&kind, rate)| (kind, known(rate))).collect();
    let with_rate: Vec<&Part> =
        parts.iter().filter(|part| by_kind.contains_key(&part.kind)).collect();
    let singles = singles(project, &with_rate, watch)?;
    let sum_of = |kind| {
        let of_kind = singles.iter().filter(|single| single.part.kind == kind);
        sum(of_kind, &by_kind)
    };
    let kinds = parts.chunk_by(|a, b| a.kind == b.kind).map(|parts| {
        let kind = parts[0].kind;
        let rate = rates.by_kind.get(&kind).cloned();
        let outages = rate.is_some().then(|| sum_of(kind));
        KindReport { kind, parts: parts.len(), rate, outages }
    });
    let kinds = kinds.collect();
    let mut mirrors = mirrors(fabric, rates);
    mirrors.at_a_time = mirrors.at_a_time.filter(|_| !project.is_logical());
    if singles.is_empty() {
        return Ok(OutageReport { mirrors, kinds, known: None });
    }
    let tors = fabric.tors() as u64;
    let pairs = tors * (tors - 1);
    let out = |a: &Single<'_>, b: &Single<'_>| {
        let both = [&a.part.failures[..], &b.part.failures[..]].concat();
        out_pairs(project, &both).unwrap_or(0)
    };
    let double = doubles::doubles(&singles, &by_kind, (pairs, doubles::EXACT_PAIRS), out, watch)?;
    let single = sum(singles.iter(), &by_kind);
    #[allow(clippy::cast_precision_loss, reason = "a time of at most some hours")]
    let of_recovery =
        |time: Span| time.as_ps() as f64 / PS_AN_HOUR * single.before_recovery_per_year;
    let hours = single.pair_hours_per_year + double.pair_hours_per_year.value;
    #[allow(clippy::cast_precision_loss, reason = "numbers of pairs")]
    let unavailability = (hours / HOURS_A_YEAR / pairs as f64).clamp(0.0, 1.0);
    let known = KnownOutages {
        pairs,
        single,
        recovering_pair_hours_per_year: rates.recovery.map(of_recovery),
        double,
        unavailability,
        most: most(&singles, &by_kind),
    };
    Ok(OutageReport { mirrors, kinds, known: Some(known) })
}

fn known(rate: &Rate) -> Known {
    Known { per_hour: rate.per_hour(), unavailability: rate.unavailability() }
}

/// What each part takes alone.
fn singles<'a>(
    project: &Project,
    parts: &[&'a Part],
    watch: Watch<'_>,
) -> Result<Vec<Single<'a>>, Error> {
    let mut singles = Vec::with_capacity(parts.len());
    for some in parts.chunks(AT_ONCE) {
        watch.progress(singles.len() as u64, parts.len() as u64)?;
        let sets: Vec<FailureSet> =
            some.iter().map(|part| FailureSet { failures: part.failures.clone() }).collect();
        let before = impacts(project, &sets, Watch::quiet())?.figures();
        let after =
            deal(some, AT_ONCE, &mut |_, _| Ok(()), |part| out_pairs(project, &part.failures))?;
        for ((&part, figures), after) in some.iter().zip(before).zip(after) {
            singles.push(Single { part, before: figures.lost_pairs, after: after? });
        }
    }
    Ok(singles)
}

/// Pairs that no rules can join any more, those of ToRs without power included.
fn out_pairs(project: &Project, failures: &[Failure]) -> Result<u64, InputError> {
    let all = project.failures(failures).map_err(InputError::new)?;
    let damage = Damage::new(project.fabric(), &all).map_err(InputError::new)?;
    let (tors, dark) = (project.fabric().tors() as u64, damage.without_power().count() as u64);
    let of_dark = 2 * dark * (tors - dark) + dark * dark.saturating_sub(1);
    Ok(cut_off(&damage) as u64 + of_dark)
}

#[allow(clippy::cast_precision_loss, reason = "numbers of pairs")]
fn sum<'a, 'b: 'a>(
    singles: impl Iterator<Item = &'a Single<'b>>,
    rates: &BTreeMap<PartKind, Known>,
) -> SingleOutages {
    singles.fold(SingleOutages::default(), |sum, single| {
        let rate = &rates[&single.part.kind];
        let per_year = HOURS_A_YEAR * rate.per_hour;
        let (before, after) = (single.before as f64, single.after as f64);
        SingleOutages {
            failures_per_year: sum.failures_per_year + per_year,
            before_recovery_per_year: sum.before_recovery_per_year + per_year * before,
            after_recovery_per_year: sum.after_recovery_per_year + per_year * after,
            pair_hours_per_year: sum.pair_hours_per_year
                + HOURS_A_YEAR * rate.unavailability * after,
        }
    })
}

/// The parts that take most.
fn most(singles: &[Single<'_>], rates: &BTreeMap<PartKind, Known>) -> Vec<PartReport> {
    let report = |single: &Single<'_>| {
        let rate = sum(std::iter::once(single), rates);
        PartReport {
            part: single.part.name.clone(),
            kind: single.part.kind,
            failures_per_year: rate.failures_per_year,
            pairs_before: single.before,
            pairs_after: single.after,
            pair_hours_per_year: rate.pair_hours_per_year,
        }
    };
    let mut parts: Vec<(f64, PartReport)> = singles
        .iter()
        .map(|single| {
            (sum(std::iter::once(single), rates).before_recovery_per_year, report(single))
        })
        .collect();
    // Of equal ones the first of the fabric.
    parts.sort_by(|(before_a, a), (before_b, b)| {
        let hours = b.pair_hours_per_year.total_cmp(&a.pair_hours_per_year);
        hours.then(before_b.total_cmp(before_a))
    });
    parts.into_iter().map(|(_, part)| part).take(LISTED).collect()
}

/// The sets of relays whose failure no rules repair, and how probable they are.
#[allow(clippy::cast_precision_loss, reason = "numbers of ToRs")]
fn mirrors(fabric: &Fabric, rates: &Rates) -> MirrorReport {
    let relays = |cassette| fabric.transmitters(cassette).len();
    let least = fabric.cassette_ids().map(relays).min().unwrap_or(0);
    let sets = fabric.cassette_ids().filter(|&cassette| relays(cassette) == least).count();
    // Of a draw of as many relays, one after the other: each must be one of those that are left of the set.
    let tors = fabric.tors();
    let of_one: f64 =
        (0..least).map(|drawn| (least - drawn) as f64 / (tors - drawn) as f64).product();
    let of_relay = [PartKind::Tor, PartKind::Transceiver, PartKind::Splitter, PartKind::Fibre];
    let works = of_relay.map(|kind| Some(1.0 - rates.by_kind.get(&kind)?.unavailability()));
    let works = works.into_iter().try_fold(1.0, |all: f64, one| Some(all * one?));
    let all_work = |works: f64| {
        let down =
            |cassette| (1.0 - works).powi(i32::try_from(relays(cassette)).unwrap_or(i32::MAX));
        // 1 - Π (1 - x) without the loss of small numbers.
        -fabric.cassette_ids().map(|cassette| (-down(cassette)).ln_1p()).sum::<f64>().exp_m1()
    };
    MirrorReport {
        relays: least,
        sets,
        if_as_many_failed: of_one * sets as f64,
        at_a_time: works.map(all_work),
    }
}

//! What two failures at a time take beyond what each takes alone: all pairs of parts, or drawn ones with an interval.

use std::collections::BTreeMap;

use lightloom_design::rates::PartKind;
use lightloom_request::Error;
use lightloom_routing::sample;
use lightloom_watch::Watch;
use rand::RngExt as _;

use super::{Double, Estimate, HOURS_A_YEAR, Known, Single};
use crate::deal::deal;

/// Up to this number of pairs of parts, all are tried.
pub(super) const EXACT_PAIRS: u64 = 50_000;
/// Pairs that are drawn otherwise, over all strata.
const DRAWN_PAIRS: u64 = 20_000;
/// Pairs that are drawn of each stratum at least.
const LEAST_DRAWN: u64 = 50;
/// Pairs of each processor between two looks at the watch.
const AT_ONCE: usize = 256;
/// Standard deviations of an interval of 95 %.
const DEVIATIONS: f64 = 1.96;
/// Of n draws without a hit, the true share is below this many n-ths with 95 %.
const NO_HIT: f64 = 3.0;

/// Pairs of parts of two kinds: their rates are alike, so each counts alike.
struct Stratum<'a> {
    first: &'a [Single<'a>],
    /// `None`: both parts are of one kind.
    second: Option<&'a [Single<'a>]>,
    /// Outages a year and hours a year of each pair of ToRs that a pair of parts takes.
    outages: f64,
    hours: f64,
}

impl<'a> Stratum<'a> {
    /// Number of pairs of parts.
    fn pairs(&self) -> u64 {
        let (first, second) = (self.first.len() as u64, self.second.map(|all| all.len() as u64));
        second.map_or_else(|| first * first.saturating_sub(1) / 2, |second| first * second)
    }

    /// The pair of a number below [`Stratum::pairs`].
    fn pair(&self, number: u64) -> (&'a Single<'a>, &'a Single<'a>) {
        let (first, second) = match self.second {
            Some(second) => (number / second.len() as u64, number % second.len() as u64),
            None => triangular(number),
        };
        let at = |list: &'a [Single<'a>], place: u64| &list[usize::try_from(place).unwrap_or(0)];
        (at(self.first, first), at(self.second.unwrap_or(self.first), second))
    }

    /// What a pair without a hit may take at most, and at least.
    fn bounds(&self, all: f64) -> (f64, f64) {
        let most = |list: &[Single<'_>]| list.iter().map(|one| one.after).max().unwrap_or(0);
        let shared = most(self.first).min(most(self.second.unwrap_or(self.first)));
        (all, -(shared as f64))
    }
}

/// The pair (a, b), a > b, of a number: 0 is (1, 0), 1 is (2, 0), 2 is (2, 1).
fn triangular(number: u64) -> (u64, u64) {
    // The root is exact to less than one; the loops put right what rounding leaves.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let mut first = ((1.0 + (8.0 * number as f64 + 1.0).sqrt()) / 2.0) as u64;
    while first * (first - 1) / 2 > number {
        first -= 1;
    }
    while first * (first + 1) / 2 <= number {
        first += 1;
    }
    (first, number - first * (first - 1) / 2)
}

/// What two failures at a time take. `out` counts the pairs of ToRs that two parts take together; `all` is the number
/// of all pairs of ToRs. Up to `up_to` pairs of parts are all tried.
#[allow(clippy::cast_precision_loss, reason = "numbers of pairs")]
pub(super) fn doubles(
    singles: &[Single<'_>],
    rates: &BTreeMap<PartKind, Known>,
    (all, up_to): (u64, u64),
    out: impl Fn(&Single<'_>, &Single<'_>) -> u64 + Sync,
    watch: Watch<'_>,
) -> Result<Double, Error> {
    let kinds: Vec<&[Single<'_>]> = singles.chunk_by(|a, b| a.part.kind == b.part.kind).collect();
    let mut strata = Vec::new();
    for (at, &first) in kinds.iter().enumerate() {
        for (with, &second) in kinds.iter().enumerate().skip(at) {
            let (a, b) = (&rates[&first[0].part.kind], &rates[&second[0].part.kind]);
            let second = (with != at).then_some(second);
            let hours = HOURS_A_YEAR * a.unavailability * b.unavailability;
            let outages = a.per_hour * b.unavailability + b.per_hour * a.unavailability;
            strata.push(Stratum { first, second, outages: HOURS_A_YEAR * outages, hours });
        }
    }
    strata.retain(|stratum| stratum.pairs() > 0);
    let pairs: u64 = strata.iter().map(Stratum::pairs).sum();
    let exact = pairs <= up_to;
    let weight: f64 = strata.iter().map(|stratum| stratum.hours * stratum.pairs() as f64).sum();
    let mut random = sample::generator();
    let mut double = Double { pairs, ..Double::default() };
    let (mut outages, mut hours) = (Sum::default(), Sum::default());
    for stratum in &strata {
        let size = stratum.pairs();
        let share = stratum.hours * size as f64 / weight.max(f64::MIN_POSITIVE);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let wanted = ((share * DRAWN_PAIRS as f64) as u64).max(LEAST_DRAWN);
        let numbers: Vec<u64> = if exact || wanted >= size {
            (0..size).collect()
        } else {
            (0..wanted).map(|_| random.random_range(0..size)).collect()
        };
        let done = double.tried;
        let beyond = deal(
            &numbers,
            AT_ONCE,
            &mut |answers: &[f64], _| watch.progress(done + answers.len() as u64, pairs),
            |&number| {
                let (a, b) = stratum.pair(number);
                // Pairs of ToRs that only both together take, less those that both take alone.
                out(a, b) as f64 - a.after as f64 - b.after as f64
            },
        )?;
        double.tried += beyond.len() as u64;
        let is_whole = beyond.len() as u64 == size;
        let sample = Sample::of(&beyond, size, (!is_whole).then(|| stratum.bounds(all as f64)));
        outages.add(&sample, stratum.outages);
        hours.add(&sample, stratum.hours);
    }
    double.exhaustive = double.tried == pairs;
    (double.outages_per_year, double.pair_hours_per_year) = (outages.estimate(), hours.estimate());
    Ok(double)
}

/// What a stratum takes in all, with the variance of that, and what it may take beyond if nothing was found.
struct Sample {
    total: f64,
    variance: f64,
    beyond: (f64, f64),
}

impl Sample {
    /// `bounds` are the most and the least that a pair may take, where not all were tried.
    #[allow(clippy::cast_precision_loss, reason = "numbers of pairs")]
    fn of(beyond: &[f64], size: u64, bounds: Option<(f64, f64)>) -> Self {
        let (count, size) = (beyond.len() as f64, size as f64);
        let mean = beyond.iter().sum::<f64>() / count.max(1.0);
        let Some((most, least)) = bounds else {
            return Self { total: beyond.iter().sum(), variance: 0.0, beyond: (0.0, 0.0) };
        };
        let squares: f64 = beyond.iter().map(|one| (one - mean).powi(2)).sum();
        let variance = squares / (count - 1.0).max(1.0) / count * size * size;
        let is_found = beyond.iter().any(|&one| one != 0.0);
        let share = if is_found { 0.0 } else { (NO_HIT / count).min(1.0) * size };
        Self { total: mean * size, variance, beyond: (share * most, share * least) }
    }
}

/// A sum over strata with its interval.
#[derive(Default)]
struct Sum {
    total: f64,
    variance: f64,
    above: f64,
    below: f64,
}

impl Sum {
    fn add(&mut self, sample: &Sample, weight: f64) {
        self.total += weight * sample.total;
        self.variance += weight * weight * sample.variance;
        self.above += weight * sample.beyond.0;
        self.below += weight * sample.beyond.1;
    }

    fn estimate(&self) -> Estimate {
        let half = DEVIATIONS * self.variance.sqrt();
        let (low, high) = (self.total - half + self.below, self.total + half + self.above);
        Estimate { value: self.total, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outages::parts::Part;

    #[test]
    fn numbers_are_pairs() {
        let pairs: Vec<_> = (0..10).map(triangular).collect();
        let expected = (1..5).flat_map(|a| (0..a).map(move |b| (a, b)));
        assert_eq!(pairs, expected.collect::<Vec<_>>());
        for number in [u64::from(u32::MAX), 1 << 52] {
            let (a, b) = triangular(number);
            assert!(b < a && a * (a - 1) / 2 + b == number);
        }
    }

    /// Draws of many parts against all pairs of them. Every seventh part of two kinds takes 5 pairs with every fifth.
    #[test]
    fn intervals_of_draws_hold_what_all_pairs_take() {
        let part = |number: usize| Part {
            kind: if number < 600 { PartKind::Tor } else { PartKind::Splitter },
            name: number.to_string(),
            failures: Vec::new(),
        };
        let parts: Vec<Part> = (0..1_000).map(part).collect();
        let singles: Vec<Single<'_>> =
            parts.iter().map(|part| Single { part, before: 9, after: 2 }).collect();
        let known = |per_hour, unavailability| Known { per_hour, unavailability };
        let rates = BTreeMap::from([
            (PartKind::Tor, known(1e-6, 4e-6)),
            (PartKind::Splitter, known(1e-7, 1e-6)),
        ]);
        let takes = |a: &Single<'_>, b: &Single<'_>| {
            let [a, b] = [a, b].map(|one| one.part.name.parse::<u64>().unwrap_or(0));
            4 + if a % 7 == 0 && b % 5 == 0 { 5 } else { 0 }
        };
        let of = |up_to| doubles(&singles, &rates, (100, up_to), takes, Watch::quiet()).unwrap();
        let (exact, drawn) = (of(u64::MAX), of(0));
        assert!(exact.exhaustive && exact.tried == exact.pairs && exact.pairs == 499_500);
        assert!(!drawn.exhaustive && drawn.tried < 21_000);
        for (exact, drawn) in [
            (exact.pair_hours_per_year, drawn.pair_hours_per_year),
            (exact.outages_per_year, drawn.outages_per_year),
        ] {
            assert!(exact.low == exact.high && exact.value > 0.0, "{exact:?}");
            assert!(drawn.low < exact.value && exact.value < drawn.high, "{exact:?} {drawn:?}");
            assert!((drawn.value / exact.value - 1.0).abs() < 0.1, "{exact:?} {drawn:?}");
        }
        // Nothing is found: the upper end holds what three of as many draws would take at most.
        let nothing = |a: &Single<'_>, b: &Single<'_>| a.after + b.after;
        let none = doubles(&singles, &rates, (100, 0), nothing, Watch::quiet()).unwrap();
        let found = none.pair_hours_per_year;
        assert!(found.value == 0.0 && found.low < 0.0 && found.high > 0.0, "{found:?}");
    }
}

//! Monte Carlo budgets: launch power, sensitivity and every loss are drawn from their spreads many times.
//!
//! All modules, and all splitters, come from one maker's lot: with probability [`LOT_SHARE`] a value takes
//! the quantile of its lot in this draw, else a quantile of its own. So values keep their distributions, and
//! two of a lot correlate by the square of that share.
//!
//! Each transmitter has its own random stream, and so has each lot. The result does not depend on the number
//! of threads.

use std::num::NonZeroUsize;

use lightloom_units::{Db, Dbm, named_enum};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::budget::{Assessment, Case, Fan, Judge, Levels, Verdict};
use crate::optics::{Element, What};
use crate::parts::{LaunchKind, LightLevels, SensitivityKind};
use crate::spread::Triangle;

/// Parameters of sampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Number of draws of every value.
    pub samples: NonZeroUsize,
    /// Seed of the random streams.
    pub seed: u64,
    /// Tail percentile: this share of the draws, in percent, is worse than the reported value. Above 0, at
    /// most 50.
    pub percentile: f64,
    /// Number of threads.
    pub threads: NonZeroUsize,
}

/// Result of sampling.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Budget of every branch at the percentile, in order.
    pub branches: Vec<Assessment>,
    /// For each branch, the share of draws in which it does not close or is overloaded.
    pub failing: Vec<f64>,
    /// The whole fabric.
    pub fabric: WholeFabric,
}

/// A fabric as a whole, over all draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WholeFabric {
    /// How many draws close. `None`: the catalogue has too few values for a margin.
    pub closing: Option<Closing>,
    /// Fails if fewer draws close every branch than the percentile demands, for certain; unknown if that is not
    /// certain.
    pub verdict: Verdict,
}

/// How many draws of a fabric close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closing {
    /// Share of draws in which every branch closes.
    pub all_close: f64,
    /// Mean number of transmitters with a branch that does not close: modules to swap.
    pub swaps: f64,
    /// What is known of the share.
    pub share_is: ShareIs,
}

named_enum! {
    /// What is known of a share of draws that close. The number of modules to swap is then bounded from the other side.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum ShareIs {
        /// It is the share.
        Exact = "exact",
        /// The share is at least this: the launch power is a lower bound, which proves no failure.
        AtLeast = "at-least",
        /// The share is at most this: nothing proves that a branch closes.
        AtMost = "at-most",
    }
}

/// Probability that a value takes the quantile of its lot. Data sheets do not state it.
pub const LOT_SHARE: f64 = 0.5;

/// Largest number of threads.
const MOST_THREADS: usize = 256;
/// Progress is reported per thread after this many transmitters,
const BATCH: usize = 64;
/// or after transmitters with this many draws in total.
const BATCH_DRAWS: usize = 640_000;

/// Draws all branches of the fans. `progress` receives the number of finished transmitters and returns
/// whether to continue. `None`: it returned `false`.
pub fn sample(
    judge: &Judge<'_>,
    fans: &[Fan],
    sampling: Sampling,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Sampled> {
    let samples = sampling.samples.get();
    let batch_size = (BATCH_DRAWS / samples).clamp(1, BATCH);
    let (mut branches, mut failing) = (Vec::new(), Vec::new());
    let mut open = vec![Draw::Closes; samples];
    let mut swaps = 0;
    let lots = Lots::new(sampling);
    // Threads beyond the number of batches would only wait.
    let most = if cfg!(feature = "threads") { MOST_THREADS } else { 1 };
    let threads = sampling.threads.get().min(fans.len().div_ceil(batch_size)).clamp(1, most);
    for (batch, part) in fans.chunks(batch_size * threads).enumerate() {
        let first = batch * batch_size * threads;
        let share = part.len().div_ceil(threads);
        let alone = || vec![draw(judge, first, part, sampling, &lots)];
        let together = || {
            std::thread::scope(|scope| {
                let hand = |(i, fans)| {
                    let lots = &lots;
                    scope.spawn(move || draw(judge, first + i * share, fans, sampling, lots))
                };
                let hands: Vec<_> = part.chunks(share).enumerate().map(hand).collect();
                let joined = hands.into_iter().map(|hand| {
                    hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                });
                joined.collect()
            })
        };
        let answers: Vec<Drawn> = if threads == 1 { alone() } else { together() };
        for answer in answers {
            branches.extend(answer.branches);
            failing.extend(answer.failing);
            open.iter_mut().zip(answer.open).for_each(|(all, part)| *all = part.max(*all));
            swaps += answer.swaps;
        }
        if !progress(first + part.len()) {
            return None;
        }
    }
    let worse = rank(samples, sampling.percentile);
    Some(Sampled { branches, failing, fabric: whole(judge, &open, swaps, worse) })
}

/// What a draw says of a branch, or of all branches of a fabric, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Draw {
    /// It closes, as far as is known.
    Closes,
    /// It is too weak by a lower bound of its launch power.
    MayFail,
    /// It is too weak or too strong.
    Fails,
}

/// The whole fabric. `worse`: number of draws that may fail.
fn whole(judge: &Judge<'_>, open: &[Draw], swaps: usize, worse: usize) -> WholeFabric {
    let count = |least: Draw| open.iter().filter(|&&draw| draw >= least).count();
    let is_best_only = judge.is_best_only(Case::MonteCarlo);
    let verdict = if count(Draw::Fails) > worse {
        Verdict::Fail
    } else if count(Draw::MayFail) > worse || judge.power.is_none() || is_best_only {
        Verdict::Unknown
    } else {
        Verdict::Pass
    };
    let share_is = match (judge.is_bound_only(), is_best_only) {
        (_, true) => ShareIs::AtMost,
        (true, false) => ShareIs::AtLeast,
        (false, false) => ShareIs::Exact,
    };
    let draws = open.len() as f64;
    let closing = judge.power.is_some().then(|| Closing {
        all_close: (open.len() - count(Draw::MayFail)) as f64 / draws,
        swaps: swaps as f64 / draws,
        share_is,
    });
    WholeFabric { closing, verdict }
}

/// The quantiles of the lots, per draw.
struct Lots {
    launch: Vec<f64>,
    sensitivity: Vec<f64>,
    splitter: Vec<f64>,
}

impl Lots {
    fn new(sampling: Sampling) -> Self {
        let quantiles = |lot: u64| {
            let mut random = ChaCha8Rng::seed_from_u64(sampling.seed);
            // Transmitters have the streams from 0 on.
            random.set_stream(u64::MAX - lot);
            (0..sampling.samples.get()).map(|_| random.random()).collect()
        };
        Self { launch: quantiles(0), sensitivity: quantiles(1), splitter: quantiles(2) }
    }
}

/// A quantile: that of the lot with probability [`LOT_SHARE`], else one of its own.
fn quantile(lot: f64, random: &mut ChaCha8Rng) -> f64 {
    let drawn: f64 = random.random();
    if drawn < LOT_SHARE { lot } else { (drawn - LOT_SHARE) / (1.0 - LOT_SHARE) }
}

/// The draws of one thread.
struct Drawn {
    branches: Vec<Assessment>,
    failing: Vec<f64>,
    /// What its worst branch does, per draw.
    open: Vec<Draw>,
    /// Transmitters with a branch that does not close, over all draws.
    swaps: usize,
}

fn draw(judge: &Judge<'_>, first: usize, fans: &[Fan], sampling: Sampling, lots: &Lots) -> Drawn {
    let samples = sampling.samples.get();
    let mut drawn =
        Drawn { branches: vec![], failing: vec![], open: vec![Draw::Closes; samples], swaps: 0 };
    let mut swapped = vec![false; samples];
    let (mut launches, mut feeds) = (vec![0.0; samples], vec![0.0; samples]);
    let mut sensitivities = vec![0.0; samples];
    let (mut losses, mut levels, mut margins) =
        (vec![0.0; samples], vec![0.0; samples], vec![0.0; samples]);
    let bounds = Bounds::new(judge);
    let worse = rank(samples, sampling.percentile);
    for (fan, transmitter) in fans.iter().zip(first..) {
        let mut random = ChaCha8Rng::seed_from_u64(sampling.seed);
        random.set_stream(transmitter as u64);
        bounds.launch.fill(&mut launches, &lots.launch, &mut random);
        feeds.fill(0.0);
        swapped.fill(false);
        add_losses(&mut feeds, &judge.optics.feed(fan.feed), lots, &mut random);
        for &length in &fan.branches {
            losses.copy_from_slice(&feeds);
            add_losses(&mut losses, &judge.optics.branch(length), lots, &mut random);
            bounds.sensitivity.fill(&mut sensitivities, &lots.sensitivity, &mut random);
            let (mut failed, mut failed_surely) = (0_usize, 0_usize);
            for (i, loss) in losses.iter().enumerate() {
                let level = launches[i] - loss;
                (levels[i], margins[i]) = (level, bounds.margin(level, sensitivities[i], *loss));
                let is_weak = margins[i] < -NOTHING;
                let draw = match (is_weak, level > bounds.most + NOTHING) {
                    (_, true) => Draw::Fails,
                    (true, false) => bounds.weak,
                    (false, false) => Draw::Closes,
                };
                failed += usize::from(draw >= Draw::MayFail);
                failed_surely += usize::from(draw == Draw::Fails);
                drawn.open[i] = draw.max(drawn.open[i]);
                swapped[i] |= draw >= Draw::MayFail;
            }
            let drawn_values = [&mut losses[..], &mut levels[..], &mut margins[..]];
            let mut branch = at_percentile(judge, drawn_values, sampling.percentile);
            // A branch that is too weak in some draws and too strong in others fails in more draws than
            // either.
            if failed_surely > worse {
                branch.verdict = Verdict::Fail;
            } else if failed > worse {
                branch.verdict = branch.verdict.max(Verdict::Unknown);
            }
            drawn.failing.push(failed as f64 / samples as f64);
            drawn.branches.push(judge.within_reach(branch, fan.feed, length));
        }
        drawn.swaps += swapped.iter().filter(|&&swapped| swapped).count();
    }
    drawn
}

impl Triangle {
    /// Fills a slice with one value per draw.
    fn fill(&self, values: &mut [f64], lot: &[f64], random: &mut ChaCha8Rng) {
        if self.is_exact() {
            values.fill(self.typical);
            return;
        }
        for (value, &lot) in values.iter_mut().zip(lot) {
            *value = self.at(quantile(lot, random));
        }
    }
}

fn add_losses(sums: &mut [f64], way: &[Element], lots: &Lots, random: &mut ChaCha8Rng) {
    for Element { what, loss } in way {
        let triangle = Triangle::from(*loss);
        if triangle.is_exact() {
            sums.iter_mut().for_each(|sum| *sum += triangle.typical);
        } else if *what == What::Splitter {
            let draws = sums.iter_mut().zip(&lots.splitter);
            draws.for_each(|(sum, &lot)| *sum += triangle.at(quantile(lot, random)));
        } else {
            sums.iter_mut().for_each(|sum| *sum += triangle.at(random.random()));
        }
    }
}

/// Rounding noise of floating-point sums, in decibels.
const NOTHING: f64 = 5e-10;

/// Bounds within which a branch closes, in decibels, and what is drawn of the modules.
struct Bounds {
    /// Launch power. Zero if it is unknown; levels are then minus the losses.
    launch: Triangle,
    /// Sensitivity in average power, with the reserve. Minus infinity if no pair is of average power.
    sensitivity: Triangle,
    /// Largest level.
    most: f64,
    /// Largest loss by pairs that are not of average power.
    most_loss: f64,
    /// What a branch that is too weak does.
    weak: Draw,
}

impl Bounds {
    fn new(judge: &Judge<'_>) -> Self {
        let mut bounds = Self {
            launch: Triangle::exactly(0.0),
            sensitivity: Triangle::exactly(f64::NEG_INFINITY),
            most: f64::INFINITY,
            most_loss: f64::INFINITY,
            weak: if judge.is_bound_only() { Draw::MayFail } else { Draw::Fails },
        };
        let transceiver = &judge.optics.transceiver;
        let Some(power) = &judge.power else { return bounds };
        let (pairs, average) = match power {
            LightLevels::Pairs { pairs, average } => (pairs, average),
            LightLevels::BestCase(budget) => {
                bounds.most_loss = (*budget - judge.optics.reserve()).get();
                return bounds;
            }
        };
        if let Some(average) = average {
            let most = average.max.unwrap_or(average.typ);
            bounds.launch =
                Triangle { least: average.min.get(), typical: average.typ.get(), most: most.get() };
            let ceiling = transceiver.ceiling().filter(|_| average.max.is_some());
            bounds.most = ceiling.map_or(f64::INFINITY, Dbm::get);
        }
        for pair in pairs {
            let reserve = judge.optics.reserve_of(pair).get();
            if pair.launch != LaunchKind::Average {
                bounds.most_loss = bounds.most_loss.min(pair.budget().get() - reserve);
                continue;
            }
            let most = pair.sensitivity.get() + reserve;
            let typical = transceiver.sensitivity_typ;
            let typical = typical.filter(|_| pair.receive == SensitivityKind::Average);
            let typical = typical.map_or(most, |typical| typical.get() + reserve);
            // A data sheet gives no best receiver: the spread is symmetric.
            bounds.sensitivity = Triangle { least: 2.0 * typical - most, typical, most };
        }
        bounds
    }

    fn margin(&self, level: f64, sensitivity: f64, loss: f64) -> f64 {
        (level - sensitivity).min(self.most_loss - loss)
    }
}

fn at_percentile(
    judge: &Judge<'_>,
    [losses, levels, margins]: [&mut [f64]; 3],
    percentile: f64,
) -> Assessment {
    let (below, above) = (rank(levels.len(), percentile), rank(levels.len(), 100.0 - percentile));
    let loss = db(nth(losses, above));
    let margin = judge.power.as_ref().map(|_| db(nth(margins, below)));
    let average = match &judge.power {
        Some(LightLevels::Pairs { average, .. }) => *average,
        _ => None,
    };
    let received = average.and_then(|_| Dbm::new(nth(levels, below)).ok());
    let most = average.and_then(|average| average.max);
    let strongest = most.and_then(|_| Dbm::new(nth(levels, above)).ok());
    judge.judged(Levels { loss, received, margin, strongest }, Case::MonteCarlo)
}

/// Index of a percentile among sorted values, from 0: the nearest rank.
fn rank(values: usize, percentile: f64) -> usize {
    let at = (percentile / 100.0 * values as f64).ceil();
    // A percentile is between 0 and 100, so this is between 1 and the number of values.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let at = at as usize;
    at.clamp(1, values) - 1
}

fn nth(values: &mut [f64], at: usize) -> f64 {
    *values.select_nth_unstable_by(at, f64::total_cmp).1
}

fn db(value: f64) -> Db {
    // Sums of finite losses are finite.
    Db::new(value).unwrap_or(Db::ZERO)
}

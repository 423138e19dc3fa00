//! Monte Carlo budgets: launch power and every loss are drawn from their spreads many times.
//!
//! Each transmitter has its own random stream, so the result does not depend on the number of threads or on
//! other transmitters.

use std::num::NonZeroUsize;

use lightloom_units::{Db, Dbm};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::budget::{Assessment, Fan, Judge, Verdict};
use crate::optics::Element;
use crate::parts::{BestCaseBudget, Levels, LightLevels};
use crate::spread::triangle;

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
    /// Share of draws in which every branch closes.
    pub all_close: f64,
}

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
    let mut found = Sampled { branches: Vec::new(), failing: Vec::new(), all_close: 1.0 };
    let mut open = vec![false; samples];
    // Threads beyond the number of batches would only wait.
    let most = if cfg!(feature = "threads") { MOST_THREADS } else { 1 };
    let threads = sampling.threads.get().min(fans.len().div_ceil(batch_size)).clamp(1, most);
    for (batch, part) in fans.chunks(batch_size * threads).enumerate() {
        let first = batch * batch_size * threads;
        let share = part.len().div_ceil(threads);
        let alone = || vec![draw(judge, first, part, sampling)];
        let together = || {
            std::thread::scope(|scope| {
                let hand =
                    |(i, fans)| scope.spawn(move || draw(judge, first + i * share, fans, sampling));
                let hands: Vec<_> = part.chunks(share).enumerate().map(hand).collect();
                let joined = hands.into_iter().map(|hand| {
                    hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                });
                joined.collect()
            })
        };
        let answers: Vec<Drawn> = if threads == 1 { alone() } else { together() };
        for answer in answers {
            found.branches.extend(answer.branches);
            found.failing.extend(answer.failing);
            open.iter_mut().zip(answer.open).for_each(|(all, part)| *all |= part);
        }
        if !progress(first + part.len()) {
            return None;
        }
    }
    let closed = open.iter().filter(|&&open| !open).count();
    found.all_close = closed as f64 / samples as f64;
    Some(found)
}

/// The draws of one thread.
struct Drawn {
    branches: Vec<Assessment>,
    failing: Vec<f64>,
    /// Whether some branch does not close, per draw.
    open: Vec<bool>,
}

fn draw(judge: &Judge<'_>, first: usize, fans: &[Fan], sampling: Sampling) -> Drawn {
    let samples = sampling.samples.get();
    let mut drawn = Drawn { branches: vec![], failing: vec![], open: vec![false; samples] };
    let (mut launches, mut feeds) = (vec![0.0; samples], vec![0.0; samples]);
    let (mut losses, mut levels, mut margins) =
        (vec![0.0; samples], vec![0.0; samples], vec![0.0; samples]);
    let (launch, bounds) = (launch_spread(judge), Bounds::new(judge));
    let worse = rank(samples, sampling.percentile);
    for (fan, transmitter) in fans.iter().zip(first..) {
        let mut random = ChaCha8Rng::seed_from_u64(sampling.seed);
        random.set_stream(transmitter as u64);
        launches.fill_with(|| triangle(launch.0, launch.1, launch.2, &mut random));
        feeds.fill(0.0);
        add_losses(&mut feeds, &judge.optics.feed(fan.feed), &mut random);
        for &length in &fan.branches {
            losses.copy_from_slice(&feeds);
            add_losses(&mut losses, &judge.optics.branch(length), &mut random);
            let mut failed = 0_usize;
            for (i, loss) in losses.iter().enumerate() {
                let level = launches[i] - loss;
                (levels[i], margins[i]) = (level, bounds.margin(level, *loss));
                let fails = margins[i] < -NOTHING || level > bounds.most + NOTHING;
                failed += usize::from(fails);
                drawn.open[i] |= fails;
            }
            let drawn_values = [&mut losses[..], &mut levels[..], &mut margins[..]];
            let mut branch = at_percentile(judge, drawn_values, sampling.percentile);
            // A branch that is too weak in some draws and too strong in others fails in more draws than
            // either.
            if failed > worse {
                branch.verdict = Verdict::Fail;
            }
            drawn.failing.push(failed as f64 / samples as f64);
            drawn.branches.push(judge.within_reach(branch, fan.feed, length));
        }
    }
    drawn
}

/// Launch power: smallest, typical and largest. Zero if only differences are known; levels are then losses.
fn launch_spread(judge: &Judge<'_>) -> (f64, f64, f64) {
    match judge.power {
        Some(LightLevels::Levels(Levels { launch_min, launch_typ, launch_max, .. })) => {
            let most = launch_max.unwrap_or(launch_typ);
            (launch_min.get(), launch_typ.get(), most.get())
        }
        Some(LightLevels::BestCase(_)) | None => (0.0, 0.0, 0.0),
    }
}

fn add_losses(sums: &mut [f64], way: &[Element], random: &mut ChaCha8Rng) {
    for Element { loss, .. } in way {
        for sum in &mut *sums {
            *sum += loss.draw(random);
        }
    }
}

/// Rounding noise of floating-point sums, in decibels.
const NOTHING: f64 = 5e-10;

/// Bounds within which a branch closes, in decibels.
struct Bounds {
    /// Smallest level, or minus the largest loss if levels are losses.
    least: f64,
    /// Largest level.
    most: f64,
    /// Largest loss by the amplitudes of PAM4.
    most_loss: f64,
}

impl Bounds {
    fn new(judge: &Judge<'_>) -> Self {
        let reserve = judge.reserve.get();
        let by_amplitude = judge.amplitude_budget().map_or(f64::INFINITY, Db::get);
        let (least, most) = match judge.power {
            Some(LightLevels::Levels(Levels { sensitivity, launch_max, .. })) => {
                let ceiling = judge.optics.transceiver.ceiling().filter(|_| launch_max.is_some());
                (sensitivity.get() + reserve, ceiling.map_or(f64::INFINITY, Dbm::get))
            }
            Some(LightLevels::BestCase(BestCaseBudget(budget))) => {
                (reserve - budget.get(), f64::INFINITY)
            }
            None => (f64::NEG_INFINITY, f64::INFINITY),
        };
        Self { least, most, most_loss: by_amplitude - reserve }
    }

    fn margin(&self, level: f64, loss: f64) -> f64 {
        (level - self.least).min(self.most_loss - loss)
    }
}

fn at_percentile(
    judge: &Judge<'_>,
    [losses, levels, margins]: [&mut [f64]; 3],
    percentile: f64,
) -> Assessment {
    let (below, above) = (rank(levels.len(), percentile), rank(levels.len(), 100.0 - percentile));
    let loss = db(nth(losses, above));
    let margin = judge.power.map(|_| db(nth(margins, below)));
    match judge.power {
        Some(LightLevels::Levels(Levels { launch_max, .. })) => {
            let weakest = Dbm::new(nth(levels, below)).ok();
            let strongest = launch_max.and_then(|_| Dbm::new(nth(levels, above)).ok());
            judge.judged(loss, weakest, margin, strongest)
        }
        _ => judge.judged(loss, None, margin, None),
    }
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

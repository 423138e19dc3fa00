//! Budgets at random: launch power and every loss drawn from its spread, many times over.
//!
//! Each transmitter has a random stream of its own, so the answer does not depend on the number of
//! threads or on the other transmitters.

use std::num::NonZeroUsize;

use lightloom_units::{Db, Dbm};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::budget::{Assessment, Fan, Judge};
use crate::parts::{BestCaseBudget, Levels, Power};
use crate::spread::triangle;
use crate::{Element, Spread};

/// How often to draw, from what, and what to read off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Draws of every value.
    pub samples: NonZeroUsize,
    /// The seed.
    pub seed: u64,
    /// Of the draws are worse than what is reported, in percent; above 0 and below 100.
    pub percentile: f64,
    /// Threads to use.
    pub threads: NonZeroUsize,
}

/// What sampling found.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Every branch at the percentile, in order.
    pub branches: Vec<Assessment>,
    /// Of each branch, the share of draws in which it does not close or is overloaded.
    pub failing: Vec<f64>,
    /// The share of draws in which every branch closes.
    pub all_close: f64,
}

/// Progress of sampling is told for so many transmitters at once.
const BATCH: usize = 64;

/// Draws all branches of fans. `progress` is told how many transmitters are done.
pub fn sample(
    judge: &Judge<'_>,
    fans: &[Fan],
    sampling: Sampling,
    progress: &mut dyn FnMut(usize),
) -> Sampled {
    let samples = sampling.samples.get();
    let mut found = Sampled { branches: Vec::new(), failing: Vec::new(), all_close: 1.0 };
    let mut open = vec![false; samples];
    let threads = sampling.threads.get();
    for (batch, part) in fans.chunks(BATCH * threads).enumerate() {
        let first = batch * BATCH * threads;
        let share = part.len().div_ceil(threads);
        let answers: Vec<Drawn> = std::thread::scope(|scope| {
            let hand =
                |(i, fans)| scope.spawn(move || draw(judge, first + i * share, fans, sampling));
            let hands: Vec<_> = part.chunks(share).enumerate().map(hand).collect();
            let joined = hands.into_iter();
            joined
                .map(|hand| hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        for answer in answers {
            found.branches.extend(answer.branches);
            found.failing.extend(answer.failing);
            open.iter_mut().zip(answer.open).for_each(|(all, part)| *all |= part);
        }
        progress(first + part.len());
    }
    let closed = open.iter().filter(|&&open| !open).count();
    found.all_close = closed as f64 / samples as f64;
    found
}

/// What one thread drew.
struct Drawn {
    branches: Vec<Assessment>,
    failing: Vec<f64>,
    /// The draws in which some branch does not close.
    open: Vec<bool>,
}

fn draw(judge: &Judge<'_>, first: usize, fans: &[Fan], sampling: Sampling) -> Drawn {
    let samples = sampling.samples.get();
    let mut drawn = Drawn { branches: vec![], failing: vec![], open: vec![false; samples] };
    let (mut launches, mut feeds) = (vec![0.0; samples], vec![0.0; samples]);
    let (mut losses, mut levels) = (vec![0.0; samples], vec![0.0; samples]);
    for (fan, transmitter) in fans.iter().zip(first..) {
        let mut random = ChaCha8Rng::seed_from_u64(sampling.seed);
        random.set_stream(transmitter as u64);
        let launch = launch_spread(judge);
        launches.fill_with(|| triangle(launch.0, launch.1, launch.2, &mut random));
        feeds.fill(0.0);
        add_losses(&mut feeds, &judge.optics.feed(fan.feed), &mut random);
        for &length in &fan.branches {
            losses.copy_from_slice(&feeds);
            add_losses(&mut losses, &judge.optics.branch(length), &mut random);
            for (level, (launch, loss)) in levels.iter_mut().zip(launches.iter().zip(&losses)) {
                *level = launch - loss;
            }
            let bounds = Bounds::new(judge);
            let mut failed = 0_usize;
            for (level, open) in levels.iter().zip(&mut drawn.open) {
                let fails = *level < bounds.least || *level > bounds.most;
                failed += usize::from(fails);
                *open |= fails;
            }
            drawn.failing.push(failed as f64 / samples as f64);
            drawn.branches.push(at_percentile(
                judge,
                &mut losses,
                &mut levels,
                sampling.percentile,
            ));
        }
    }
    drawn
}

/// Launch power as least, usual and greatest; zero where only differences are known, so that levels
/// are then losses.
fn launch_spread(judge: &Judge<'_>) -> (f64, f64, f64) {
    match judge.power {
        Some(Power::Levels(Levels { launch_min, launch_typ, launch_max, .. })) => {
            let most = launch_max.unwrap_or(launch_typ);
            (launch_min.get(), launch_typ.get(), most.get())
        }
        Some(Power::BestCase(_)) | None => (0.0, 0.0, 0.0),
    }
}

fn add_losses(sums: &mut [f64], way: &[Element], random: &mut ChaCha8Rng) {
    for Element { loss, .. } in way {
        let loss: &Spread = loss;
        for sum in &mut *sums {
            *sum += loss.draw(random);
        }
    }
}

/// The levels between which a branch closes.
struct Bounds {
    least: f64,
    most: f64,
}

impl Bounds {
    fn new(judge: &Judge<'_>) -> Self {
        let overload = judge.optics.transceiver.overload;
        let reserve = judge.reserve.get();
        match judge.power {
            Some(Power::Levels(Levels { sensitivity, launch_max, .. })) => Self {
                least: sensitivity.get() + reserve,
                most: overload.filter(|_| launch_max.is_some()).map_or(f64::INFINITY, Dbm::get),
            },
            Some(Power::BestCase(BestCaseBudget(budget))) => {
                Self { least: reserve - budget.get(), most: f64::INFINITY }
            }
            None => Self { least: f64::NEG_INFINITY, most: f64::INFINITY },
        }
    }
}

fn at_percentile(
    judge: &Judge<'_>,
    losses: &mut [f64],
    levels: &mut [f64],
    percentile: f64,
) -> Assessment {
    let (below, above) = (rank(levels.len(), percentile), rank(levels.len(), 100.0 - percentile));
    let loss = db(nth(losses, above));
    let (weakest, strongest) = (nth(levels, below), nth(levels, above));
    match judge.power {
        None => judge.judged(loss, None, None, None),
        Some(Power::BestCase(BestCaseBudget(budget))) => {
            judge.judged(loss, None, Some(budget + db(weakest) - judge.reserve), None)
        }
        Some(Power::Levels(Levels { sensitivity, launch_max, .. })) => {
            let level = |dbm: f64| Dbm::new(dbm).ok();
            let margin = level(weakest).map(|weakest| weakest - sensitivity - judge.reserve);
            let strongest = launch_max.and_then(|_| level(strongest));
            judge.judged(loss, level(weakest), margin, strongest)
        }
    }
}

/// The place, from 0, of a percentile among sorted values: the nearest rank.
fn rank(values: usize, percentile: f64) -> usize {
    let at = (percentile / 100.0 * values as f64).ceil();
    // A percentile lies between 0 and 100, so the place between 1 and the number of values.
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

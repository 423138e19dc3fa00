//! A run that is at work: what it has done so far, and whether it waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lightloom::twin::{Simulated, SoFarReport};
use lightloom::{Error, Watch};

use crate::slot::Wake;

/// Least real time between two samples while the run goes on.
const BETWEEN: Duration = Duration::from_millis(100);
/// Real time after which a run that waits looks whether it is to be stopped.
const LOOKS: Duration = Duration::from_millis(20);
/// The most samples that are kept. With more of them every second one is given up.
const MOST: usize = 2_000;

/// A run that is at work. Its thread writes it, and the window reads it.
#[derive(Debug, Default)]
pub struct Live {
    inner: Mutex<Inner>,
    changed: Condvar,
    /// Whether several runs are at work. They take no samples, so they cannot wait.
    is_several: bool,
}

#[derive(Debug, Default)]
struct Inner {
    is_held: bool,
    hold_at_ps: Option<u64>,
    samples: Vec<SoFarReport>,
    last: Option<Instant>,
    /// When the last sample was asked for, and how long it took.
    asked: Option<Instant>,
    took: Duration,
    /// How long the waits that are over have taken.
    waited: Duration,
    /// When the wait began that is not over. `None`: the run does not wait.
    waits_since: Option<Instant>,
}

impl Live {
    /// A run, or several runs of the same scenario. One run waits at the first look at or after `hold_at`.
    pub fn of(is_several: bool, hold_at: Option<lightloom::units::Instant>) -> Self {
        let hold_at_ps = hold_at.filter(|_| !is_several).map(lightloom::units::Instant::as_ps);
        let inner = Mutex::new(Inner { hold_at_ps, ..Inner::default() });
        Self { inner, is_several, ..Self::default() }
    }

    /// Whether several runs are at work, which cannot wait.
    pub fn is_several(&self) -> bool {
        self.is_several
    }

    /// Runs `work` with a watch that samples it, and that holds it when it is told to.
    pub fn run(
        &self,
        watch: Watch<'_>,
        wake: &Wake,
        work: impl FnOnce(Watch<'_, SoFarReport>) -> Result<Simulated, Error>,
    ) -> Result<Simulated, Error> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let stop = watch.flag().unwrap_or(&NEVER);
        let hear = |sample: SoFarReport| self.hear(sample, stop, wake);
        let wants = |done: u64| self.wants(done);
        work(watch.step().on_part(&hear).parts_when(&wants))
    }

    /// Whether the run waits.
    pub fn is_held(&self) -> bool {
        self.lock().is_held
    }

    /// How long the run has waited up to now, which is no part of its work.
    pub fn waited(&self) -> Duration {
        let inner = self.lock();
        inner.waited + inner.waits_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Lets the run wait from the next look on, which is after a few microseconds of real time.
    pub fn hold(&self) {
        self.lock().is_held = !self.is_several;
    }

    /// Lets the run go on.
    pub fn go_on(&self) {
        self.lock().is_held = false;
        self.changed.notify_all();
    }

    /// Lets the run go on, and wait at the first look at or after a simulated time.
    pub fn hold_at(&self, at: lightloom::units::Instant) {
        let mut inner = self.lock();
        (inner.hold_at_ps, inner.is_held) = (Some(at.as_ps()), false);
        self.changed.notify_all();
    }

    /// What the run has done so far, the newest last.
    pub fn samples(&self) -> Vec<SoFarReport> {
        self.lock().samples.clone()
    }

    fn wants(&self, done_ps: u64) -> bool {
        let mut inner = self.lock();
        let is_there = inner.hold_at_ps.is_some_and(|at| done_ps >= at);
        // A sample of a large network takes long. It must not slow the run.
        let between = BETWEEN.max(inner.took * 50);
        let is_wanted =
            inner.is_held || is_there || inner.last.is_none_or(|last| last.elapsed() >= between);
        inner.asked = is_wanted.then(Instant::now);
        is_wanted
    }

    /// Keeps a sample. Waits while the run is held.
    fn hear(&self, sample: SoFarReport, stop: &AtomicBool, wake: &Wake) {
        let mut inner = self.lock();
        inner.took = inner.asked.take().map_or(Duration::ZERO, |asked| asked.elapsed());
        if inner.hold_at_ps.is_some_and(|at| sample.at_ps >= at) {
            (inner.hold_at_ps, inner.is_held) = (None, true);
        }
        inner.samples.push(sample);
        if inner.samples.len() > MOST {
            let mut number = 0_usize;
            inner.samples.retain(|_| {
                number += 1;
                number.is_multiple_of(2)
            });
        }
        if inner.is_held {
            wake();
        }
        let from = Instant::now();
        inner.waits_since = Some(from);
        while inner.is_held && !stop.load(Ordering::Relaxed) {
            let waited = self.changed.wait_timeout(inner, LOOKS);
            (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        inner.waits_since = None;
        inner.waited += from.elapsed();
        inner.last = Some(Instant::now());
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No thread panics while it holds the lock; if one did, its samples are still whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

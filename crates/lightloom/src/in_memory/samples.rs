//! What a recorded run has done so far, at equal distances in simulated time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lightloom_sim::so_far::SoFarReport;

/// The most samples that are kept.
const MOST: usize = 500;
/// The first distance between samples, in picoseconds: 1 us.
const FIRST_PS: u64 = 1_000_000;

/// Samples of a run. When there are too many, every second one goes, and the distance doubles.
#[derive(Debug)]
pub(crate) struct Samples {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    distance_ps: u64,
    next_ps: u64,
    taken: Vec<SoFarReport>,
}

impl Samples {
    /// No samples yet.
    pub(crate) fn new() -> Self {
        let inner = Inner { distance_ps: FIRST_PS, next_ps: 0, taken: Vec::new() };
        Self { inner: Mutex::new(inner) }
    }

    /// Takes a sample at this simulated time if one is due.
    pub(crate) fn look(&self, now_ps: u64, sample: impl FnOnce() -> SoFarReport) {
        let mut inner = self.lock();
        if now_ps < inner.next_ps {
            return;
        }
        inner.taken.push(sample());
        if inner.taken.len() > MOST {
            let mut number = 0_usize;
            inner.taken.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            inner.distance_ps = inner.distance_ps.saturating_mul(2);
        }
        inner.next_ps = (now_ps / inner.distance_ps + 1).saturating_mul(inner.distance_ps);
    }

    /// All samples, by time.
    pub(crate) fn into_taken(self) -> Vec<SoFarReport> {
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner).taken
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic of another thread leaves the samples that were taken.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

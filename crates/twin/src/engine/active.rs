//! Number of threads that take part in a run.
//!
//! Threads wait for each other in every window. If another program takes a core, or windows are short,
//! waiting costs more than a further thread gains. The run therefore measures its own speed with
//! different numbers of threads and keeps the fastest. Results never depend on the number: threads take
//! parts, and a part does the same on any thread.

use std::time::{Duration, Instant};

/// A number of threads is judged by a stretch of at least this time.
const STRETCH: Duration = Duration::from_millis(20);

/// A stretch has at least so many windows.
const WINDOWS: u32 = 4;

/// Stretches until another number of threads is tried, at first.
const FIRST_TRIAL: u32 = 16;

/// Stretches until another number of threads is tried, after many trials in vain.
const LAST_TRIAL: u32 = 128;

/// If threads wait for more than this share of the time, fewer threads are tried sooner.
const MUCH_WAITING: f64 = 0.25;

/// How much sooner.
const SOONER: u32 = 16;

/// Another number of threads must be faster by this factor.
const WORTHWHILE: f64 = 1.05;

/// The weight of the last stretch in the mean rate: other programs make single stretches slow or fast.
const LAST: f64 = 0.25;

/// A number of threads, and the search for a better one.
#[derive(Debug)]
pub(super) struct Active {
    most: usize,
    /// The best number that is known.
    kept: usize,
    /// Its work a second, a mean over the last stretches; none before the first.
    rate: Option<f64>,
    /// Another number that is tried now.
    trial: Option<usize>,
    /// Stretches until the next trial.
    left: u32,
    /// Stretches between the last trial and the next.
    pause: u32,
    /// Whether the next trial is of more threads, where there may be more or fewer.
    more: bool,
    /// The stretch that is measured.
    began: Instant,
    windows: u32,
    work: u64,
    waited: Duration,
}

impl Active {
    /// At most so many threads, all of which take part at first.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            kept: most,
            rate: None,
            trial: None,
            left: FIRST_TRIAL,
            pause: FIRST_TRIAL,
            more: false,
            began: Instant::now(),
            windows: 0,
            work: 0,
            waited: Duration::ZERO,
        }
    }

    /// The number of threads that take part now.
    pub(super) fn now(&self) -> usize {
        self.trial.unwrap_or(self.kept)
    }

    /// A window has ended; `work` is all work since the start of the run, `waited` how long threads waited
    /// in this window, taken together. Answers how many threads take part in the next.
    pub(super) fn after_window(&mut self, work: u64, waited: Duration) -> usize {
        self.windows += 1;
        self.waited += waited;
        if self.windows >= WINDOWS {
            let now = Instant::now();
            let took = now - self.began;
            if took >= STRETCH {
                let seconds = took.as_secs_f64();
                let waiting = self.waited.as_secs_f64() / seconds / self.now() as f64;
                self.after_stretch((work - self.work) as f64 / seconds, waiting);
                (self.began, self.windows) = (now, 0);
                (self.work, self.waited) = (work, Duration::ZERO);
            }
        }
        self.now()
    }

    /// A stretch has ended: work a second, and the share of the time that threads waited.
    fn after_stretch(&mut self, rate: f64, waiting: f64) {
        // A trial lasts one stretch. Trials in vain become rarer, since each costs the time that the other number
        // wastes.
        if let Some(tried) = self.trial.take() {
            if self.rate.is_none_or(|kept| rate > kept * WORTHWHILE) {
                (self.kept, self.rate) = (tried, Some(rate));
                self.pause = (self.pause / 2).max(FIRST_TRIAL);
            } else {
                self.pause = (self.pause * 2).min(LAST_TRIAL);
            }
            self.left = self.pause;
            return;
        }
        self.rate = Some(self.rate.map_or(rate, |mean| mean + (rate - mean) * LAST));
        // Much waiting is a sign that another program has taken a core. It brings the next trial forward, and decides
        // nothing by itself.
        let wasteful = self.kept > 1 && waiting > MUCH_WAITING;
        self.left = self.left.saturating_sub(if wasteful { SOONER } else { 1 });
        if self.left == 0 {
            let more = self.kept < self.most && (self.kept == 1 || self.more && !wasteful);
            self.more = !more;
            // Halves and doubles: any number is reached in a few trials.
            let other = if more { (self.kept * 2).min(self.most) } else { self.kept / 2 };
            self.trial = Some(other.max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work a second and the share of waiting of a number of threads.
    type Speed = fn(usize) -> (f64, f64);

    /// The share of all stretches in which each number of threads ran.
    fn shares(most: usize, stretches: u32, speed: Speed) -> Vec<f64> {
        let mut active = Active::new(most);
        let mut count = vec![0_u32; most + 1];
        for _ in 0..stretches {
            let now = active.now();
            count[now] += 1;
            let (rate, waiting) = speed(now);
            active.after_stretch(rate, waiting);
        }
        count.iter().map(|&n| f64::from(n) / f64::from(stretches)).collect()
    }

    #[test]
    fn two_threads_go_on_where_they_are_faster() {
        let shares = shares(2, 1_000, |n| (n as f64 * 0.95, if n == 2 { 0.05 } else { 0.0 }));
        assert!(shares[2] > 0.98, "{shares:?}");
    }

    #[test]
    fn one_thread_does_it_where_waiting_costs_more() {
        let shares = shares(2, 1_000, |n| if n == 2 { (0.25, 0.8) } else { (1.0, 0.0) });
        assert!(shares[1] > 0.98, "{shares:?}");
        // Of a second, that is of fifty stretches, little is lost too.
        let shares = self::shares(2, 50, |n| if n == 2 { (0.25, 0.8) } else { (1.0, 0.0) });
        assert!(shares[1] > 0.9, "{shares:?}");
    }

    #[test]
    fn one_thread_does_it_where_two_are_slower_and_never_wait() {
        let shares = shares(2, 10_000, |n| (if n == 2 { 0.9 } else { 1.0 }, 0.0));
        assert!(shares[1] > 0.95, "{shares:?}");
    }

    /// Seven threads on two cores: more than two only get into each other's way.
    #[test]
    fn the_best_number_is_found_from_any_start() {
        for most in [3, 4, 7, 8, 64] {
            let shares = shares(most, 10_000, |n| match n {
                1 => (1.0, 0.0),
                2 => (1.9, 0.05),
                n => (1.9 / n as f64, 0.7),
            });
            assert!(shares[2] > 0.9, "{most}: {shares:?}");
        }
    }

    /// Other programs make one stretch in three slow: two threads go on, since they are faster on the mean.
    #[test]
    fn a_slow_stretch_is_no_reason() {
        let mut active = Active::new(2);
        let mut two = 0;
        for i in 0..1_000 {
            let (now, slow) = (active.now(), if i % 3 == 0 { 0.6 } else { 1.0 });
            two += u32::from(now == 2);
            active.after_stretch(if now == 2 { 1.8 } else { 1.0 } * slow, 0.1);
        }
        assert!(two > 980, "{two} of 1000 stretches on two threads");
    }

    /// A program that took a core has ended: two threads run again.
    #[test]
    fn more_threads_come_back() {
        let mut active = Active::new(2);
        for _ in 0..5_000 {
            active.after_stretch(if active.now() == 2 { 0.25 } else { 1.0 }, 0.0);
        }
        assert_eq!(active.kept, 1);
        for _ in 0..=LAST_TRIAL + 1 {
            active.after_stretch(active.now() as f64, 0.0);
        }
        assert_eq!(active.kept, 2);
    }

    /// Whatever is measured, at least one thread runs and at most all.
    #[test]
    fn any_measurement_leaves_a_number_of_threads() {
        for most in 1..9 {
            let mut active = Active::new(most);
            for i in 0..1_000_u32 {
                let odd = [0.0, f64::INFINITY, f64::NAN, 1.0, 1e-300];
                let at = (i as usize * 7 + i as usize / 5) % odd.len();
                active.after_stretch(odd[at], odd[(at + 2) % odd.len()]);
                assert!((1..=most).contains(&active.now()));
            }
        }
    }
}

//! How long searches take.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use lightloom_design::optics::all_threads;
use lightloom_qap::{Effort, Progress};
use lightloom_request::{InputError, MOST_THREADS};
use lightloom_units::Span;
use lightloom_watch::Watch;

use super::clock::Clock;

/// Rounds of the trial that tells how fast the machine is, of each kind of moves.
const TRIAL: u32 = 2;
/// Longest search in seconds: a week.
const LONGEST_S: f64 = 7.0 * 86_400.0;
/// A search on a machine that got slower is stopped at this multiple of its time.
const PATIENCE: f64 = 1.25;

#[allow(clippy::cast_precision_loss, reason = "a time that a person waits")]
fn seconds_of(time: Span) -> f64 {
    time.as_ps() as f64 / 1e12
}

/// How long a search takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SearchEffort {
    /// A time on this machine, with one chain on each processor. The report tells the chains and rounds that this time
    /// came to.
    Time(Span),
    /// A number of chains and of rounds. The result does not depend on the machine.
    Rounds {
        /// States that are searched side by side.
        chains: NonZeroU32,
        /// Rounds of each.
        rounds: NonZeroU32,
    },
}

impl FromStr for SearchEffort {
    type Err = String;

    /// Reads a time such as `60s`, or chains and rounds such as `2x500`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "found {text:?}; expected a time such as 60s, or chains and rounds such as 2x500"
            )
        };
        if let Some((chains, rounds)) = text.split_once('x') {
            let [chains, rounds] = [chains, rounds].map(|count| count.trim().parse::<NonZeroU32>());
            let (Ok(chains), Ok(rounds)) = (chains, rounds) else { return Err(wrong()) };
            // Each chain is a thread.
            if chains.get() as usize > MOST_THREADS {
                return Err(format!(
                    "found {text:?}; at most {MOST_THREADS} chains are searched side by side"
                ));
            }
            return Ok(Self::Rounds { chains, rounds });
        }
        let time: Span = text.parse().map_err(|_| wrong())?;
        if time == Span::ZERO || seconds_of(time) > LONGEST_S {
            return Err(format!(
                "found {text}; a search takes more than nothing and at most 7 days"
            ));
        }
        Ok(Self::Time(time))
    }
}

impl SearchEffort {
    /// The chains and rounds of this effort. A time is measured by trials, one for each kind of moves by its number.
    /// Each is stopped after a few rounds.
    ///
    /// # Errors
    /// [`InputError`] on the option if the effort is a time and this build has no clock.
    pub(super) fn measured(
        self,
        option: &'static str,
        kinds: usize,
        trial: impl Fn(usize, Effort, Watch<'_, Progress>),
    ) -> Result<Effort, InputError> {
        let time = match self {
            Self::Rounds { chains, rounds } => return Ok(Effort { chains, rounds }),
            Self::Time(time) => time,
        };
        let chains = u32::try_from(all_threads().get().min(MOST_THREADS)).ok();
        let chains = chains.and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN);
        let effort = Effort { chains, rounds: NonZeroU32::MAX };
        let clock = Clock::start();
        for kind in 0..kinds {
            // It is stopped after a few rounds, so that it ends without a descent.
            let stop = AtomicBool::new(false);
            let hear = |done, _| stop.store(done >= u64::from(TRIAL), Ordering::Relaxed);
            trial(kind, effort, Watch::quiet().stopped_by(&stop).on_progress(&hear));
        }
        let tried = TRIAL * u32::try_from(kinds).unwrap_or(1).max(1);
        let Some(seconds) = clock.seconds() else {
            let message =
                "is a time, and this build has no clock; say chains and rounds, such as 2x500";
            return Err(InputError::new(message).in_option(option));
        };
        let rounds = (seconds_of(time) - seconds) / (seconds / f64::from(tried)).max(1e-6);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
        let rounds = rounds.clamp(1.0, f64::from(u32::MAX)) as u32;
        Ok(Effort { chains, rounds: NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN) })
    }

    /// What a search comes to that is stopped with `watch`, and if its time is long over.
    pub(super) fn in_time<T>(
        self,
        clock: Clock,
        watch: Watch<'_, Progress>,
        search: impl FnOnce(Watch<'_, Progress>) -> T,
    ) -> T {
        let is_late = |seconds: f64| match self {
            Self::Time(time) => seconds > PATIENCE * seconds_of(time) + 1.0,
            Self::Rounds { .. } => false,
        };
        let stop = AtomicBool::new(false);
        let on_progress = |done, of| {
            if watch.progress(done, of).is_err() || is_late(clock.seconds().unwrap_or(0.0)) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let on_part = |part| watch.so_far(|| part);
        search(Watch::quiet().stopped_by(&stop).on_progress(&on_progress).on_part(&on_part))
    }
}

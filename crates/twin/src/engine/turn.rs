//! One round of the engine: every part runs a window, and what comes next.

use std::sync::atomic::{AtomicBool, Ordering};

use lightloom_units::{Instant, Span};

use super::letters::Letters;
use super::mailbox::Window;
use super::part::{Node, Part};
use crate::sample::{Look, Sample};

/// What the outside may say while a run goes on, and hear of it.
pub(crate) struct Control<'a> {
    /// Set from outside to end the run after the current window.
    pub(crate) stop: &'a AtomicBool,
    /// Looks at the run now and then, by one thread, while no part runs.
    pub(crate) told: &'a (dyn Fn(Look<'_>) + Sync),
    /// Whether it looks after every window. Otherwise it looks after every 64th, and after long ones.
    pub(crate) looks_often: bool,
    /// The run ends here.
    pub(crate) until: Instant,
    /// So long after the last progress of anybody the run counts as stalled.
    pub(crate) patience: Span,
    /// The last time that something from outside happens by: until then nothing counts as stalled.
    pub(crate) busy_until: Instant,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nothing was left to do.
    Done,
    /// The time was up.
    Time,
    /// A lossless packet found the headroom of its port full.
    Overflow,
    /// It was stopped from outside.
    Stopped,
    /// Packets went on, but nothing got done.
    Stalled,
    /// The same, though everything was delivered: what is missing is acknowledgements alone.
    Unacknowledged,
}

/// Windows between two looks at the outside.
const LOOK: u64 = 64;

/// Between windows of this length the outside is looked at every time: much may happen in one.
const LONG: Span = Span::from_us(10);

/// A round: every part runs a window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Its number, from 1.
    pub(super) round: u64,
    /// The window of the round before.
    before: Window,
    pub(super) window: Window,
}

/// How and when a run ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    /// The time that was reached.
    pub(super) reached: Instant,
    pub(super) end: End,
    /// The last round.
    pub(super) step: Step,
}

/// Runs a window of all parts, which get each other's packets without letters.
pub(super) fn turn_of_all<N: Node>(
    parts: &mut [&mut Part<N>],
    step: &Step,
    until: Instant,
    letters: &Letters,
) {
    // Letters of the round before may have been written by several threads. From now on none is needed: a part finds
    // the inboxes of all others.
    for (number, part) in parts.iter_mut().enumerate() {
        letters.deliver(step.round - 1, number, &step.before, part);
    }
    Part::run_all(parts, step.window, until);
}

/// Runs a window of a part.
pub(super) fn turn<N: Node>(
    part: &mut Part<N>,
    number: usize,
    step: &Step,
    until: Instant,
    letters: &Letters,
) -> Standing {
    letters.deliver(step.round - 1, number, &step.before, part);
    // Delivered first, because what was sent in the last window may arrive in this one. Posted last, for the next.
    part.run(step.window, until);
    let posted = letters.post(step.round, number, part);
    Standing::of(part, posted)
}

/// Where parts stand after a round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    /// A time that nothing waits before.
    next: Instant,
    /// The last progress of a node.
    progress: Instant,
    fatal: bool,
    /// Arrivals and timers so far.
    pub(super) events: u64,
}

impl Standing {
    const NOWHERE: Self =
        Self { next: Instant::NEVER, progress: Instant::from_ps(0), fatal: false, events: 0 };

    /// Where a part stands whose letters arrive at `posted` at the earliest.
    pub(super) fn of<N: Node>(part: &Part<N>, posted: Instant) -> Self {
        Self {
            // A letter is known to nobody but its sender until the next round, so its time counts here.
            next: part.next().min(posted),
            progress: part.progress,
            fatal: part.fatal.is_some(),
            events: part.events,
        }
    }

    /// All parts together.
    pub(super) fn of_all(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::NOWHERE, |all, part| Self {
            next: all.next.min(part.next),
            progress: all.progress.max(part.progress),
            fatal: all.fatal || part.fatal,
            events: all.events + part.events,
        })
    }
}

/// Says what comes next.
pub(super) struct Head<'a> {
    pub(super) control: &'a Control<'a>,
    standstill: Standstill,
    /// The last round.
    step: Step,
    /// Whether the window that holds the end has run.
    cut: bool,
}

impl<'a> Head<'a> {
    pub(super) fn new(length: Span, control: &'a Control<'a>) -> Self {
        let window = Window::first(length);
        let step = Step { round: 0, before: window, window };
        Self { control, standstill: Standstill::new(control), step, cut: false }
    }

    /// The first round.
    pub(super) fn first<N: Node>(&mut self, parts: &[Part<N>]) -> Result<Step, Stop> {
        let standing = parts.iter().map(|part| Standing::of(part, Instant::NEVER));
        self.next(Standing::of_all(standing), &|sample| {
            parts.iter().for_each(|part| part.sample(sample));
        })
    }

    /// The next round, from where the parts stand after the last.
    /// `nodes` adds up what they have done so far, for those who look.
    pub(super) fn next(
        &mut self,
        all: Standing,
        nodes: &dyn Fn(&mut Sample),
    ) -> Result<Step, Stop> {
        let (control, window) = (self.control, self.step.window);
        let looks =
            control.looks_often || self.step.round.is_multiple_of(LOOK) || window.length >= LONG;
        // Parts know when something waits to the window, not always to the picosecond.
        let ahead = (all.next != Instant::NEVER).then(|| window.holding(all.next));
        let earliest = ahead.map_or(Instant::NEVER, |ahead| ahead.start);
        // The order of these ends is part of the answer: an overflow is told before the end of the time, and a run that
        // has nothing left to do is done, even if its time is up too.
        let end = if all.fatal {
            Some(End::Overflow)
        } else if earliest == Instant::NEVER {
            Some(End::Done)
        } else if self.cut || earliest >= control.until {
            Some(End::Time)
        } else if looks && control.stop.load(Ordering::Relaxed) {
            Some(End::Stopped)
        } else {
            self.standstill.lasts_too_long(earliest, all.progress).then_some(End::Stalled)
        };
        if let Some(end) = end {
            let reached = match end {
                // A run that is done has reached the end of its last window: what happened in it is over. One that was
                // stopped or stalled has reached what would come next.
                End::Time => control.until,
                End::Done => window.end(),
                _ => earliest,
            };
            return Err(Stop { reached: reached.min(control.until), end, step: self.step });
        }
        if looks {
            (control.told)(Look::new(earliest, nodes));
        }
        let next = ahead.unwrap_or(window);
        self.step = Step { round: self.step.round + 1, before: window, window: next };
        // Parts run this window only up to the end. Asked for another one, the head answers that the time is up.
        self.cut = next.end() >= control.until;
        Ok(self.step)
    }
}

/// How long packets have gone on without anybody getting anything done.
struct Standstill {
    patience: Span,
    /// Nothing counts before this.
    from: Instant,
    /// The last window that was looked at.
    at: Instant,
    /// When somebody last got something done.
    progress: Instant,
    lasts: Span,
}

impl Standstill {
    /// A step over time in which nothing at all happens counts for at most this share of the patience: a
    /// long way or a long timeout is waited for.
    const STEPS: u64 = 16;

    fn new(control: &Control<'_>) -> Self {
        let (at, progress, lasts) = (Instant::from_ps(0), Instant::from_ps(0), Span::from_ps(0));
        Self { patience: control.patience, from: control.busy_until, at, progress, lasts }
    }

    /// The next window begins at `next`; somebody last got something done at `progress`, or does until
    /// then.
    fn lasts_too_long(&mut self, next: Instant, progress: Instant) -> bool {
        let most = Span::from_ps(self.patience.as_ps() / Self::STEPS);
        // Progress is seen by window. Without a bound, one jump over an empty second would count as a second of
        // standstill.
        let step = next.checked_since(self.at).unwrap_or_default().min(most);
        self.at = next;
        if progress > self.progress || next <= self.from.max(progress) {
            self.progress = progress.max(self.progress);
            self.lasts = Span::from_ps(0);
        } else {
            self.lasts = self.lasts + step;
        }
        self.lasts > self.patience
    }
}

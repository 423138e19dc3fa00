//! Parts in step: one window after the other, on one thread or several.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use lightloom_units::{Instant, Span};

use super::agenda::NEVER;
use super::mailbox::{Arrival, Window};
use super::part::{Node, Part};
use crate::fault::Fault;

/// What the outside may say while a run goes on, and hear of it.
pub(crate) struct Control<'a> {
    /// Set from outside to end the run after the current window.
    pub(crate) stop: &'a AtomicBool,
    /// Told the simulated time now and then, by one thread.
    pub(crate) told: &'a (dyn Fn(Instant) + Sync),
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
    /// A promise was broken.
    Fault,
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

/// Runs all parts until nothing is left to do, the end, a fault, or a stop. Returns the time that was
/// reached: of the next thing to do, or the end.
pub(crate) fn run<N: Node + Send>(
    parts: &mut [Part<N>],
    length: Span,
    control: &Control<'_>,
) -> (Instant, End) {
    let shared = Shared::new(parts.len());
    let mut reached = vec![(Instant::from_ps(0), End::Done); parts.len()];
    if let [part] = parts {
        return run_part(part, 0, length, &shared, control);
    }
    std::thread::scope(|scope| {
        for ((number, part), reached) in parts.iter_mut().enumerate().zip(&mut reached) {
            let shared = &shared;
            scope.spawn(move || {
                let _watch = Watch(&shared.barrier);
                *reached = run_part(part, number, length, shared, control);
            });
        }
    });
    reached.first().copied().unwrap_or((Instant::from_ps(0), End::Done))
}

/// What one part sends another in a window: receivers and packets.
type Letters = Mutex<Vec<(u32, Arrival)>>;

/// What threads share: letters, and where each stands.
struct Shared {
    parts: usize,
    /// By parity of the window, sender and receiver.
    letters: [Vec<Letters>; 2],
    /// By parity of the window: the earliest thing to do of each part.
    next: [Vec<AtomicU64>; 2],
    /// By parity of the window: the last progress of each part.
    progress: [Vec<AtomicU64>; 2],
    /// By parity of the window: whether there was a fault, and whether the run is to stop.
    faults: [AtomicBool; 2],
    stops: [AtomicBool; 2],
    barrier: Barrier,
}

impl Shared {
    fn new(parts: usize) -> Self {
        let letters = || (0..parts * parts).map(|_| Mutex::new(Vec::new())).collect();
        let times = || (0..parts).map(|_| AtomicU64::new(0)).collect();
        let flags = || [AtomicBool::new(false), AtomicBool::new(false)];
        Self {
            parts,
            letters: [letters(), letters()],
            next: [times(), times()],
            progress: [times(), times()],
            faults: flags(),
            stops: flags(),
            barrier: Barrier::new(parts),
        }
    }
}

fn run_part<N: Node>(
    part: &mut Part<N>,
    number: usize,
    length: Span,
    shared: &Shared,
    control: &Control<'_>,
) -> (Instant, End) {
    let mut window = Window::first(length);
    let mut next = part.next();
    let mut round = 0_u64;
    let mut standstill = Standstill::new(control);
    // Whether the window that holds the end has run.
    let mut cut = false;
    loop {
        let parity = usize::from(round % 2 == 1);
        let looks = number == 0 && (round.is_multiple_of(LOOK) || length >= LONG);
        shared.publish(parity, number, next, part);
        if looks && control.stop.load(Ordering::Relaxed) {
            shared.stops[parity].store(true, Ordering::Relaxed);
        }
        shared.barrier.wait();
        // From here on every part sees the same, and decides the same.
        let earliest = times(&shared.next[parity]).min().unwrap_or(NEVER);
        // Parts know when something waits to the window, not always to the picosecond.
        let ahead = (earliest != NEVER).then(|| window.holding(earliest));
        let earliest = ahead.map_or(NEVER, |ahead| ahead.start);
        let progress = times(&shared.progress[parity]).max().unwrap_or(NEVER);
        let end = if shared.faults[parity].load(Ordering::Relaxed) {
            Some(End::Fault)
        } else if earliest == NEVER {
            Some(End::Done)
        } else if cut || earliest >= control.until {
            Some(End::Time)
        } else if shared.stops[parity].load(Ordering::Relaxed) {
            Some(End::Stopped)
        } else {
            standstill.lasts_too_long(earliest, progress).then_some(End::Stalled)
        };
        if let Some(end) = end {
            receive(part, number, parity ^ 1, &window, shared);
            let reached = match end {
                End::Time => control.until,
                End::Done => window.end(),
                _ => earliest,
            };
            return (reached.min(control.until), end);
        }
        if looks {
            (control.told)(earliest);
        }
        let before = window;
        window = ahead.unwrap_or(window);
        // Letters were put with the window that they were sent in.
        receive(part, number, parity ^ 1, &before, shared);
        part.run(window, control.until);
        cut = window.end() >= control.until;
        next = part.next().min(shared.post(parity, number, part));
        round += 1;
    }
}

impl Shared {
    /// Says where a part stands before the round of a parity.
    fn publish<N: Node>(&self, parity: usize, number: usize, next: Instant, part: &Part<N>) {
        self.next[parity][number].store(next.as_ps(), Ordering::Relaxed);
        self.progress[parity][number].store(part.progress.as_ps(), Ordering::Relaxed);
        if part.fault.is_some() {
            self.faults[parity].store(true, Ordering::Relaxed);
        }
    }

    /// Posts what a part has sent to others; when the first of it arrives.
    fn post<N: Node>(&self, parity: usize, number: usize, part: &mut Part<N>) -> Instant {
        let mut first = NEVER;
        for (to, sent) in part.others.iter_mut().enumerate().filter(|(_, sent)| !sent.is_empty()) {
            first = sent.iter().map(|(_, arrival)| arrival.at).fold(first, Instant::min);
            let mut letters = lock(&self.letters[parity][number * self.parts + to]);
            std::mem::swap(&mut *letters, sent);
        }
        first
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

    /// The next window begins at `next`; somebody last got something done at `progress`.
    fn lasts_too_long(&mut self, next: Instant, progress: Instant) -> bool {
        let most = Span::from_ps(self.patience.as_ps() / Self::STEPS);
        let step = next.checked_since(self.at).unwrap_or_default().min(most);
        self.at = next;
        if progress > self.progress || next <= self.from {
            self.progress = progress.max(self.progress);
            self.lasts = Span::from_ps(0);
        } else {
            self.lasts = self.lasts + step;
        }
        self.lasts > self.patience
    }
}

fn times(of: &[AtomicU64]) -> impl Iterator<Item = Instant> {
    of.iter().map(|time| Instant::from_ps(time.load(Ordering::Relaxed)))
}

/// Takes what the other parts sent in the round of a parity.
fn receive<N: Node>(
    part: &mut Part<N>,
    number: usize,
    parity: usize,
    window: &Window,
    shared: &Shared,
) {
    for from in 0..shared.parts {
        let mut letters = lock(&shared.letters[parity][from * shared.parts + number]);
        part.receive(window, &mut letters);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A barrier that spins for a while before it yields: windows are shorter than a wake-up.
struct Barrier {
    parts: usize,
    waiting: AtomicUsize,
    round: AtomicUsize,
    /// Whether a part will never come again.
    broken: AtomicBool,
}

/// Lets the other parts know when one of them panics.
struct Watch<'a>(&'a Barrier);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Release);
        }
    }
}

impl Barrier {
    const SPINS: u32 = 1 << 12;

    fn new(parts: usize) -> Self {
        Self {
            parts,
            waiting: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    fn wait(&self) {
        if self.parts == 1 {
            return;
        }
        let round = self.round.load(Ordering::Acquire);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.parts {
            self.waiting.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut spins = 0;
        while self.round.load(Ordering::Acquire) == round {
            assert!(!self.broken.load(Ordering::Acquire), "another part of the run has panicked");
            spins += 1;
            if spins < Self::SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }
}

/// The first of the faults of all parts.
pub(crate) fn first_fault<N>(parts: &[Part<N>]) -> Option<Fault> {
    parts.iter().filter_map(|part| part.fault.clone()).min_by_key(Fault::order)
}

//! Several threads on the parts of a run.
//!
//! In each window the threads take parts, one after the other, until all are taken; whoever ends the last
//! part says what the next window is. A thread that holds no core holds up nothing but the part that
//! it has taken, for its other parts go to those that run. Threads that have nothing left to take look for
//! the next window for a moment and then sleep.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use lightloom_units::Instant as Time;

use super::active::Active;
use super::letters::Letters;
use super::lock;
use super::part::{Node, Part};
use super::run::{Head, Standing, Step, Stop, turn};

/// How long a thread looks for the next window before it sleeps.
const LOOKS_FOR: Duration = Duration::from_micros(20);

/// Looks between two looks at the clock.
const LOOKS: u32 = 64;

/// Runs the parts on at most so many threads, of which the calling one is the first.
pub(super) fn run<N: Node + Send>(
    parts: &mut [Part<N>],
    threads: usize,
    letters: &Letters,
    head: Head<'_>,
    first: Step,
) -> Stop {
    let active = Active::new(threads);
    let turn = |part| Mutex::new(Turn { part, standing: None });
    let crew = Crew {
        until: head.control.until,
        undone: AtomicUsize::new(parts.len()),
        taken: parts.iter().map(|_| AtomicU64::new(first.round - 1)).collect(),
        turns: parts.iter_mut().map(turn).collect(),
        letters,
        round: AtomicU64::new(first.round),
        plan: Mutex::new(Plan { next: Ok(first), active: active.now() }),
        head: Mutex::new((head, active)),
        seats: (0..threads).map(|_| Seat::default()).collect(),
        waited: AtomicU64::new(0),
        broken: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        for worker in 1..threads {
            let crew = &crew;
            scope.spawn(move || crew.work(worker, first.round - 1));
        }
        crew.work(0, first.round - 1)
    })
}

/// What the threads share.
struct Crew<'a, N> {
    until: Time,
    turns: Vec<Mutex<Turn<'a, N>>>,
    /// For each part the round in which it was last taken.
    taken: Vec<AtomicU64>,
    /// Parts that are not done in this round.
    undone: AtomicUsize,
    letters: &'a Letters,
    plan: Mutex<Plan>,
    /// The round of the plan, for those who look for the next; 0 when the run is over.
    round: AtomicU64,
    head: Mutex<(Head<'a>, Active)>,
    seats: Vec<Seat>,
    /// How long threads have waited in this round, taken together, in nanoseconds.
    waited: AtomicU64,
    /// Whether a thread has panicked.
    broken: AtomicBool,
}

/// A part, and where it stands since it last ran.
struct Turn<'a, N> {
    part: &'a mut Part<N>,
    standing: Option<Standing>,
}

/// What is done in a round.
#[derive(Debug, Clone, Copy)]
struct Plan {
    next: Result<Step, Stop>,
    /// The threads before this number take part.
    active: usize,
}

/// Where a thread sleeps.
#[derive(Default)]
struct Seat {
    asleep: AtomicBool,
    thread: OnceLock<Thread>,
}

/// Wakes all others when a thread panics.
struct Watch<'a, 'b, N>(&'a Crew<'b, N>);

impl<N> Drop for Watch<'_, '_, N> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.broken.store(true, Ordering::SeqCst);
            self.0.seats.iter().for_each(Seat::wake);
        }
    }
}

impl Seat {
    fn wake(&self) {
        if self.asleep.swap(false, Ordering::SeqCst)
            && let Some(thread) = self.thread.get()
        {
            thread.unpark();
        }
    }
}

impl<N: Node> Crew<'_, N> {
    /// What one thread does, from after a round to the end of the run.
    fn work(&self, worker: usize, mut round: u64) -> Stop {
        let _watch = Watch(self);
        self.seats[worker].thread.get_or_init(thread::current);
        loop {
            let (step, active) = match self.after(worker, round) {
                Ok(found) => found,
                Err(stop) => return stop,
            };
            round = step.round;
            // Each thread begins at parts of its own, and so mostly keeps them.
            let parts = self.turns.len();
            let first = worker * parts / active;
            for part in (first..parts).chain(0..first) {
                if self.take(part, round) {
                    self.run(part, &step);
                }
            }
        }
    }

    /// Whether a part can be taken in a round.
    fn take(&self, part: usize, round: u64) -> bool {
        let (before, taken) = (round - 1, Ordering::AcqRel);
        self.taken[part].compare_exchange(before, round, taken, Ordering::Relaxed).is_ok()
    }

    /// Runs a part that was taken; after the last part of the round, says what comes next.
    fn run(&self, number: usize, step: &Step) {
        {
            let turned = &mut *lock(&self.turns[number]);
            turned.standing =
                Some(turn(turned.part, number, step, self.until, self.letters));
        }
        if self.undone.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.go_on();
        }
    }

    /// Says what comes next. Every part has run, and no thread holds one.
    fn go_on(&self) {
        let (head, active) = &mut *lock(&self.head);
        let standings = self.turns.iter().filter_map(|turn| lock(turn).standing);
        let all = Standing::of_all(standings);
        let next = head.next(all);
        let waited = Duration::from_nanos(self.waited.swap(0, Ordering::Relaxed));
        let active = active.after_window(all.events, waited);
        self.undone.store(self.turns.len(), Ordering::Relaxed);
        *lock(&self.plan) = Plan { next, active };
        self.round.store(next.map_or(0, |step| step.round), Ordering::Release);
        let wanted = if next.is_ok() { active } else { self.seats.len() };
        self.seats[..wanted].iter().for_each(Seat::wake);
    }

    /// The first round after another in which a thread takes part, with the number of those who do.
    fn after(&self, worker: usize, round: u64) -> Result<(Step, usize), Stop> {
        if let Some(found) = self.planned(worker, round) {
            return found;
        }
        let since = Instant::now();
        let found = self.wait(worker, round, since);
        // A thread that sat out rounds has not waited for others.
        if found.is_ok_and(|(step, _)| step.round == round + 1) {
            let waited = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.waited.fetch_add(waited, Ordering::Relaxed);
        }
        found
    }

    /// The plan, if it concerns a thread and is of a later round.
    fn planned(&self, worker: usize, round: u64) -> Option<Result<(Step, usize), Stop>> {
        let Plan { next, active } = *lock(&self.plan);
        match next {
            Ok(step) if step.round == round || worker >= active => None,
            Ok(step) => Some(Ok((step, active))),
            Err(stop) => Some(Err(stop)),
        }
    }

    /// Waits until a plan concerns a thread.
    fn wait(&self, worker: usize, round: u64, since: Instant) -> Result<(Step, usize), Stop> {
        // Most windows are shorter than it takes to fall asleep and wake up.
        while since.elapsed() < LOOKS_FOR {
            for _ in 0..LOOKS {
                std::hint::spin_loop();
            }
            if self.round.load(Ordering::Acquire) != round {
                if let Some(found) = self.planned(worker, round) {
                    return found;
                }
                break;
            }
        }
        let seat = &self.seats[worker];
        loop {
            // First the flag, then a look at the plan: who changes the plan after the look sees the flag.
            seat.asleep.store(true, Ordering::SeqCst);
            assert!(!self.broken.load(Ordering::SeqCst), "another thread of the run has panicked");
            if let Some(found) = self.planned(worker, round) {
                seat.asleep.store(false, Ordering::SeqCst);
                return found;
            }
            while seat.asleep.load(Ordering::SeqCst) {
                thread::park();
            }
        }
    }
}

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
use super::lock::lock;
use super::part::{Node, Part};
use super::turn::{Head, Standing, Step, Stop, turn, turn_of_all};

/// Time for which a thread polls for the next window before it sleeps. Sleeping and waking take about 50 us
/// on a virtual machine; polling lasts a few times as long.
const LOOKS_FOR: Duration = Duration::from_micros(200);

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
    let crew = Crew::new(parts, threads, letters, head, first);
    thread::scope(|scope| {
        for worker in 1..threads {
            let crew = &crew;
            // The calling thread works too, so a run on two threads starts one.
            scope.spawn(move || crew.work(worker));
        }
        crew.work(0)
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

impl<'a, N: Node> Crew<'a, N> {
    fn new(
        parts: &'a mut [Part<N>],
        threads: usize,
        letters: &'a Letters,
        head: Head<'a>,
        first: Step,
    ) -> Self {
        let active = Active::new(threads);
        let turn = |part| Mutex::new(Turn { part, standing: None });
        Self {
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
        }
    }

    /// What one thread does until the end of the run.
    fn work(&self, worker: usize) -> Stop {
        let _watch = Watch(self);
        self.seats[worker].thread.get_or_init(thread::current);
        // No round has this number.
        let mut round = 0;
        loop {
            let (step, active) = match self.after(worker, round) {
                Ok(found) => found,
                Err(stop) => return stop,
            };
            round = step.round;
            if active == 1 {
                self.run_all(&step);
                continue;
            }
            // Each thread begins at parts of its own, and so mostly keeps them.
            // Its own parts are in the cache of its core. Parts of others are taken only if they are not begun yet:
            // that is all there is of stealing work.
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
            turned.standing = Some(turn(turned.part, number, step, self.until, self.letters));
        }
        // Whoever brings the count to zero has seen the writes of all others (acquire), and they see its plan through
        // the round (release).
        if self.undone.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.go_on();
        }
    }

    /// Runs all parts, where one thread does; then says what comes next.
    fn run_all(&self, step: &Step) {
        {
            let mut turns: Vec<_> = self.turns.iter().map(lock).collect();
            let mut parts: Vec<_> = turns.iter_mut().map(|turn| &mut *turn.part).collect();
            turn_of_all(&mut parts, step, self.until, self.letters);
            for (turn, taken) in turns.iter_mut().zip(&self.taken) {
                turn.standing = Some(Standing::of(turn.part, Time::NEVER));
                taken.store(step.round, Ordering::Release);
            }
        }
        self.go_on();
    }

    /// Says what comes next. Every part has run, and no thread holds one.
    fn go_on(&self) {
        let (head, active) = &mut *lock(&self.head);
        let standings = self.turns.iter().filter_map(|turn| lock(turn).standing);
        let all = Standing::of_all(standings);
        let next = head.next(all, &|sample| {
            self.turns.iter().for_each(|turn| lock(turn).part.sample(sample));
        });
        // The clock of the machine decides only how many threads take part. No result depends on it.
        let waited = Duration::from_nanos(self.waited.swap(0, Ordering::Relaxed));
        let active = active.after_window(all.events, waited);
        // Relaxed, because the release below publishes it: nobody counts down before it has seen the new round.
        self.undone.store(self.turns.len(), Ordering::Relaxed);
        *lock(&self.plan) = Plan { next, active };
        self.round.store(next.map_or(0, |step| step.round), Ordering::Release);
        // Threads that sit out sleep on, but for the end of the run, which all must hear.
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
        // Most windows take less time than a sleep and a wake-up. A thread that looks costs a core that would idle
        // anyway; after a few wake-ups it gives the core to other programs.
        while since.elapsed() < LOOKS_FOR {
            let changed = |_| {
                std::hint::spin_loop();
                self.round.load(Ordering::Acquire) != round
            };
            if (0..LOOKS).any(changed) {
                if let Some(found) = self.planned(worker, round) {
                    return found;
                }
                // This thread sits out the next window.
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use lightloom_units::Span;

    use super::super::mailbox::Arrival;
    use super::super::part::{Address, Out};
    use super::super::turn::{Control, End};
    use super::*;
    use crate::packet::{Class, Packet};

    const PARTS: usize = 6;
    const LINK: Span = Span::from_us(1);

    /// Hands a packet on to the next part, so often.
    struct Ring {
        next: Address,
        left: u32,
        start: Option<Time>,
        /// When it had the packet, and on which thread.
        had: Vec<(Time, thread::ThreadId)>,
    }

    impl Ring {
        fn hand_on(&mut self, now: Time, out: &mut Out<'_>) {
            self.had.push((now, thread::current().id()));
            if self.left > 0 {
                self.left -= 1;
                let packet = Packet::pause(Class::LOSSLESS, 1, 64);
                out.send(self.next, Arrival { at: now + LINK, packet });
            }
        }
    }

    impl Node for Ring {
        fn prepare(&mut self, _: &[Arrival]) {}
        fn arrive(&mut self, now: Time, _: usize, _: &Arrival, out: &mut Out<'_>) {
            self.hand_on(now, out);
        }
        fn next_timer(&self) -> Option<Time> {
            self.start
        }
        fn fire(&mut self, now: Time, out: &mut Out<'_>) {
            self.start = None;
            self.hand_on(now, out);
        }
        fn progress(&self) -> Time {
            self.had.last().map_or(Time::ZERO, |&(at, _)| at)
        }
    }

    fn ring() -> Vec<Part<Ring>> {
        let part = |i: usize| {
            let part = u16::try_from((i + 1) % PARTS).unwrap();
            let next = Address { part, local: 0 };
            let start = (i == 0).then_some(Time::ZERO);
            let node = Ring { next, left: 100, start, had: Vec::new() };
            Part::new(u16::try_from(i).unwrap(), PARTS, vec![node], 2)
        };
        (0..PARTS).map(part).collect()
    }

    fn control<'a>(stop: &'a AtomicBool) -> Control<'a> {
        Control {
            stop,
            told: &|_| {},
            looks_often: false,
            until: Time::from_s(1),
            patience: Span::from_ms(100),
            busy_until: Time::ZERO,
        }
    }

    fn times(parts: &[Part<Ring>]) -> Vec<Vec<Time>> {
        let had = |part: &Part<Ring>| part.nodes[0].had.iter().map(|&(at, _)| at).collect();
        parts.iter().map(had).collect()
    }

    /// Threads without a core do not delay the run: here the other threads never start.
    #[test]
    fn one_thread_of_many_does_all_where_the_others_do_not_run() {
        let stop = AtomicBool::new(false);
        let control = control(&stop);
        let mut alone = ring();
        let expected = super::super::run::run(&mut alone, 1, LINK, &control);
        let mut parts = ring();
        let letters = Letters::new(PARTS);
        let mut head = Head::new(LINK, &control);
        let first = head.first(&parts).expect("something to do");
        let crew = Crew::new(&mut parts, 5, &letters, head, first);
        let stop = crew.work(3);
        drop(crew);
        assert_eq!((stop.reached, stop.end), expected);
        assert_eq!(expected.1, End::Done);
        assert_eq!(times(&parts), times(&alone));
        assert_eq!(times(&parts).concat().len(), 100 * PARTS + 1);
    }

    /// Far more threads than any machine has cores, and never anything to do for more than one of them.
    #[test]
    fn threads_without_work_change_nothing() {
        let stop = AtomicBool::new(false);
        let control = control(&stop);
        let mut alone = ring();
        let expected = super::super::run::run(&mut alone, 1, LINK, &control);
        for threads in [2, 5, 64] {
            let mut parts = ring();
            assert_eq!(super::super::run::run(&mut parts, threads, LINK, &control), expected);
            assert_eq!(times(&parts), times(&alone));
        }
    }
}

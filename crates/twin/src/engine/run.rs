//! Parts in step: one window after the other, on one thread or several.

use lightloom_units::{Instant, Span};

use super::crew;
use super::letters::Letters;
use super::part::{Node, Part};
use super::turn::{Control, End, Head, Standing, Step, Stop, turn};
use crate::overflow::FatalOverflow;

/// Runs all parts on at most so many threads, until nothing is left to do, the end, a fatal overflow, or a stop.
/// Returns the time that was reached: of the next thing to do, or the end.
pub(crate) fn run<N: Node + Send>(
    parts: &mut [Part<N>],
    threads: usize,
    length: Span,
    control: &Control<'_>,
) -> (Instant, End) {
    // Parts are cut once, by the number of threads that was asked for. How many threads then run them changes during
    // the run, and never the result.
    let letters = Letters::new(parts.len());
    let mut head = Head::new(length, control);
    let most = if cfg!(feature = "threads") { parts.len() } else { 1 };
    let threads = threads.clamp(1, most.max(1));
    let stop = match head.first(parts) {
        Err(stop) => stop,
        // One thread needs neither locks nor a crew, and pays for none.
        Ok(step) if threads > 1 => crew::run(parts, threads, &letters, head, step),
        Ok(step) => alone(parts, &letters, head, step),
    };
    // What was sent last is on the way too.
    for (number, part) in parts.iter_mut().enumerate() {
        letters.deliver(stop.step.round, number, &stop.step.window, part);
    }
    (stop.reached, stop.end)
}

/// Runs all parts on this thread.
fn alone<N: Node>(
    parts: &mut [Part<N>],
    letters: &Letters,
    mut head: Head<'_>,
    mut step: Step,
) -> Stop {
    loop {
        let turns = parts.iter_mut().enumerate();
        let until = head.control.until;
        let standing = turns.map(|(number, part)| turn(part, number, &step, until, letters));
        let all = Standing::of_all(standing);
        match head.next(all, &|sample| parts.iter().for_each(|part| part.sample(sample))) {
            // The head skips windows in which nothing happens, so a round may lie far after the last.
            Ok(next) => step = next,
            Err(stop) => return stop,
        }
    }
}

/// The first of the fatal overflows of all parts.
pub(crate) fn first_overflow<N>(parts: &[Part<N>]) -> Option<FatalOverflow> {
    parts.iter().filter_map(|part| part.fatal.clone()).min_by_key(FatalOverflow::order)
}

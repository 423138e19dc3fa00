//! Runs jobs on all processors. Answers are in the order of the jobs, whichever thread runs them.

use std::ops::Range;
use std::thread;

use lightloom_design::optics::all_threads;
use lightloom_watch::Stopped;

/// Receives the answers so far, and the total number of jobs. `Stopped` ends the work.
pub type Told<'a, A> = &'a mut dyn FnMut(&[A], usize) -> Result<(), Stopped>;

/// Runs every job, in batches of `each` jobs per processor. Calls `told` before each batch.
pub fn deal<J: Sync, A: Send>(
    jobs: &[J],
    each: usize,
    told: Told<'_, A>,
    work: impl Fn(&J) -> A + Sync,
) -> Result<Vec<A>, Stopped> {
    let workers = all_threads().get();
    let mut answers = Vec::with_capacity(jobs.len());
    for batch in jobs.chunks(each * workers) {
        told(&answers, jobs.len())?;
        if workers == 1 {
            answers.extend(batch.iter().map(&work));
            continue;
        }
        let share = batch.len().div_ceil(workers);
        let done: Vec<Vec<A>> = thread::scope(|scope| {
            let work = &work;
            let hand = |part| scope.spawn(move || part_of(part, work));
            let hands: Vec<_> = batch.chunks(share).map(hand).collect();
            let joined = hands.into_iter();
            joined
                .map(|hand| hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        answers.extend(done.into_iter().flatten());
    }
    Ok(answers)
}

/// The numbers below `count`, divided evenly into one range for each processor.
pub fn shares(count: usize) -> Vec<Range<usize>> {
    let each = count.div_ceil(all_threads().get()).max(1);
    (0..count).step_by(each).map(|start| start..count.min(start + each)).collect()
}

fn part_of<J, A>(part: &[J], work: &impl Fn(&J) -> A) -> Vec<A> {
    part.iter().map(work).collect()
}

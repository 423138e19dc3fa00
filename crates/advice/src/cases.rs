//! All cases of a question, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

use lightloom_request::Error;
use lightloom_sim::hands::shared;
use lightloom_units::DataSize;
use lightloom_watch::Watch;

use crate::case::{Case, Ran};
use crate::contender::Contender;
use crate::ground::Ground;
use crate::question::{Crowd, Plan, Question, out};
use crate::report::{AdviceReport, LeftOutReport};
use crate::rows;

/// Which schedule is fastest, by a run for each case, `threads` at a time. After a stop no further run begins, those at
/// work end, and the answer has what is done. The watch receives the number of runs that are done.
///
/// # Errors
/// [`Error::Input`] if the question is wrong, [`Error::Twin`] if packet counts of a run do not add up.
pub fn advise(
    question: &Question,
    ground: &Ground,
    threads: usize,
    watch: Watch<'_>,
) -> Result<AdviceReport, Error> {
    let mut plan = question.plan(ground)?;
    let cases = all(&plan);
    let threads = if cfg!(feature = "threads") { threads.clamp(1, cases.len().max(1)) } else { 1 };
    let done = AtomicUsize::new(0);
    let one = |case: Case| match case.run((question, ground), threads, watch.silent()) {
        // What a scenario cannot be is told, and the other cases run.
        Err(Error::Input(refusal)) => {
            let Case { contender, crowd, size } = case;
            Ok(Some(Err(out(contender, crowd, Some(size), refusal.message.to_string()))))
        }
        came => came.map(|came| came.map(|came| Ok(Ran { case, came }))),
    };
    let results = shared(
        (cases.len(), threads),
        |_| !watch.is_stopped(),
        |number| {
            let result = one(cases[number]);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            // What is next asks for a stop.
            let _ = watch.progress(done as u64, cases.len() as u64);
            result
        },
    );
    let mut ran = Vec::new();
    for (_, result) in results {
        match result? {
            None => {}
            Some(Ok(one)) => ran.push(one),
            Some(Err(refused)) => plan.left_out.push(refused),
        }
    }
    let refused = |out: &&LeftOutReport| out.bytes.is_some();
    let missing = cases.len() - ran.len() - plan.left_out.iter().filter(refused).count();
    Ok(rows::report((question, ground), plan, &ran, (missing, cases.len())))
}

/// The cases in the order in which they run: small sizes first, so that a stopped question has all schedules.
fn all(plan: &Plan) -> Vec<Case> {
    let of_size = |size: DataSize| {
        let of_crowd = move |&crowd: &Crowd| {
            let runs = move |contender: &&Contender| plan.has(**contender, crowd);
            let case = move |&contender: &Contender| Case { contender, crowd, size };
            plan.contenders.iter().filter(runs).map(case)
        };
        plan.crowds.iter().flat_map(of_crowd)
    };
    plan.simulated.iter().copied().flat_map(of_size).collect()
}

//! A job of a scenario without all other messages.

use std::ops::Range;

use lightloom_request::Error;
use lightloom_scenario::scenario::{Iteration, Job, Scenario};
use lightloom_twin::{Outcome, Setup};
use lightloom_units::Instant;
use lightloom_watch::Watch;

use crate::collectives::CollectiveReport;
use crate::jobs::JobReport;
use crate::run::{check, run, simulation};

/// After the end of every run.
const NEVER: Instant = Instant::from_ps(1 << 63);

/// Times of each job when no other message is asked for, in the order of the jobs. `setup` is that of the scenario.
/// Messages keep their numbers, and with them their ways and draws; groups register as in the whole run. `None`: the
/// watch stopped it.
///
/// # Errors
/// [`Error::Twin`] if packet counts of a run do not add up, or if a job alone is not what the scenario can be.
pub fn alone(
    scenario: &Scenario,
    setup: &Setup<'_>,
    watch: Watch<'_>,
) -> Result<Option<Vec<JobReport>>, Error> {
    let mut reports = Vec::new();
    for (number, job) in scenario.jobs.iter().enumerate() {
        if watch.is_stopped() {
            return Ok(None);
        }
        let simulation = simulation(only(scenario, setup, job)).map_err(|error| {
            Error::Twin(format!("the messages of job {:?} alone ({error})", job.name))
        })?;
        let outcome = run(&simulation, watch, &|_| {});
        if watch.is_stopped() {
            return Ok(None);
        }
        check(scenario, &outcome)?;
        reports.push(report(scenario, &outcome, number));
    }
    Ok(Some(reports))
}

fn report(scenario: &Scenario, outcome: &Outcome, number: usize) -> JobReport {
    let operations = CollectiveReport::all(scenario, outcome);
    JobReport::all(scenario, &operations).swap_remove(number)
}

/// A setup in which all but the messages and computations of a job begin after the end.
fn only<'a>(scenario: &Scenario, setup: &Setup<'a>, job: &Job) -> Setup<'a> {
    let own = |of: fn(&Iteration) -> &Range<usize>| {
        let operations = &scenario.collectives[job.operations.clone()];
        let ranges = || operations.iter().flat_map(|one| &one.iterations).map(of);
        // The messages of a job follow each other.
        let begin = ranges().map(|range| range.start).min().unwrap_or(0);
        begin..ranges().map(|range| range.end).max().unwrap_or(0)
    };
    let mut setup = setup.clone();
    setup.traced = false;
    let flows = own(|time| &time.flows);
    let others = setup.flows.iter_mut().enumerate().filter(|(flow, _)| !flows.contains(flow));
    others.for_each(|(_, flow)| flow.start = NEVER);
    let casts = own(|time| &time.casts);
    let all = setup.multicast.casts.iter_mut().enumerate();
    all.filter(|(cast, _)| !casts.contains(cast)).for_each(|(_, cast)| cast.start = NEVER);
    let computations = own(|time| &time.computations);
    let all = setup.computations.iter_mut().enumerate();
    let others = all.filter(|(place, _)| !computations.contains(place));
    others.for_each(|(_, computation)| computation.start = NEVER);
    setup
}

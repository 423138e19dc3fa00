//! The entry point of a simulation.

use std::sync::atomic::AtomicBool;

use lightloom_setup::Setup;
use lightloom_units::Instant;

use crate::build::Cut;
use crate::engine::{Control, first_overflow, run};
use crate::outcome::Outcome;
use crate::outcome::collect::collect;
use crate::sample::Look;
use crate::simulation::{Simulation, lookahead};

/// Runs a simulation. Setting `stop` ends it early; `told` is called with the simulated time.
pub fn simulate(
    simulation: &Simulation<'_>,
    stop: &AtomicBool,
    told: &(dyn Fn(Instant) + Sync),
) -> Outcome {
    simulate_watched(simulation, stop, &|look| told(look.at))
}

/// The same with a look at the run from time to time. The run waits until `told` returns.
pub fn simulate_watched(
    simulation: &Simulation<'_>,
    stop: &AtomicBool,
    told: &(dyn Fn(Look<'_>) + Sync),
) -> Outcome {
    let cut = Cut::new(simulation.network, simulation.threads);
    let mut parts = cut.parts(simulation);
    let (until, patience) = (simulation.until, simulation.patience);
    // A recording is sampled at close times.
    let looks_often = simulation.records().is_some();
    let busy_until = scheduled_until(simulation);
    let control = Control { stop, told, looks_often, until, patience, busy_until };
    let ended = run(&mut parts, simulation.threads, lookahead(simulation), &control);
    let fatal = first_overflow(&parts);
    collect(simulation, &cut, parts, ended, fatal)
}

/// Time of the last scheduled event: a start of a message or a computation, a return of a link, an update, a change of
/// routes, a restart, or an end of a storm.
fn scheduled_until(simulation: &Setup<'_>) -> Instant {
    let starts = simulation.flows.iter().map(|flow| flow.start);
    let casts = simulation.multicast.casts.iter().map(|cast| cast.start);
    let computations = simulation.computations.iter().map(|computation| computation.start);
    let returns = simulation.dead.iter().map(|dead| dead.to);
    let relit = simulation.multicast.dead.iter().map(|dead| dead.to);
    let updates = simulation.multicast.updates.iter().map(|update| update.at);
    let calms = simulation.storms.iter().map(|storm| storm.to);
    let reroutes = simulation.reroutes.iter().map(|reroute| reroute.at);
    let restarts = simulation.restarts.iter().map(|restart| restart.at);
    let changes = updates.chain(reroutes).chain(restarts);
    let ends = returns.chain(relit).chain(changes).chain(calms).filter(|&to| to < simulation.until);
    starts.chain(casts).chain(computations).chain(ends).max().unwrap_or(Instant::from_ps(0))
}

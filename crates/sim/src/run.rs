//! Running a scenario on the twin.

use std::sync::atomic::AtomicBool;

use lightloom_request::Error;
use lightloom_twin::{Broken, Outcome, Simulation};
use lightloom_units::Instant;
use lightloom_watch::Watch;

use crate::ideal;
use crate::scenario::Scenario;

/// What the twin is asked to run.
pub fn simulation(scenario: &Scenario, seed: u64, threads: usize, traced: bool) -> Simulation<'_> {
    Simulation {
        network: &scenario.network,
        params: scenario.parameters.params,
        flows: scenario.flows.clone(),
        losses: scenario.losses.clone(),
        dead: scenario.failures.dead.clone(),
        storms: scenario.failures.storms.clone(),
        patience: scenario.patience,
        traced,
        seed,
        until: scenario.until,
        interval: scenario.probes.interval,
        by_flow: scenario.probes.flows,
        threads,
    }
}

/// How long each flow would take alone, in picoseconds.
pub fn ideals(scenario: &Scenario) -> Vec<u64> {
    let (network, params) = (&scenario.network, &scenario.parameters.params);
    scenario.flows.iter().map(|flow| ideal::ideal(network, params, flow).as_ps()).collect()
}

/// Every packet must be accounted for, or nothing that the twin says is worth anything.
pub fn check(scenario: &Scenario, outcome: &Outcome) -> Result<(), Error> {
    let Some(first) = outcome.broken.first() else { return Ok(()) };
    let first = match first {
        Broken::Flow(flow) => format!("flow {flow}"),
        Broken::Link(node, port) => {
            format!("the link at {}, port {port}", scenario.network.name(*node))
        }
    };
    let others = outcome.broken.len() - 1;
    Err(Error::Twin(format!("packets of {first} and of {others} other flows and links")))
}

/// Runs what the twin is asked. `told` receives the simulated time.
pub fn run(
    simulation: &Simulation<'_>,
    watch: Watch<'_>,
    told: &(dyn Fn(Instant) + Sync),
) -> Outcome {
    static NEVER: AtomicBool = AtomicBool::new(false);
    lightloom_twin::simulate(simulation, watch.flag().unwrap_or(&NEVER), told)
}

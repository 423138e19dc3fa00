//! Runs a scenario on the twin.

use std::sync::atomic::AtomicBool;

use lightloom_request::Error;
use lightloom_twin::{Broken, Outcome, Simulation};
use lightloom_units::Instant;
use lightloom_watch::Watch;

use crate::ideal;
use crate::scenario::Scenario;

/// The simulation of a scenario.
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

/// Ideal completion time of each flow, in picoseconds.
pub fn ideals(scenario: &Scenario) -> Vec<u64> {
    let (network, params) = (&scenario.network, &scenario.parameters.params);
    scenario.flows.iter().map(|flow| ideal::ideal(network, params, flow).as_ps()).collect()
}

/// Checks that every packet is accounted for. Otherwise no result of the twin can be trusted.
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

/// Runs a simulation. `told` receives the simulated time.
pub fn run(
    simulation: &Simulation<'_>,
    watch: Watch<'_>,
    told: &(dyn Fn(Instant) + Sync),
) -> Outcome {
    static NEVER: AtomicBool = AtomicBool::new(false);
    lightloom_twin::simulate(simulation, watch.flag().unwrap_or(&NEVER), told)
}

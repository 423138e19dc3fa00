//! Runs a scenario on the twin.

use std::sync::atomic::AtomicBool;

use lightloom_request::Error;
use lightloom_twin::{
    CheckedAnswers, Look, Multicast, Outcome, Setup, SetupError, Simulation, Unbalanced,
    WrongAnswer,
};
use lightloom_watch::Watch;

use lightloom_scenario::glass::set_losses;
use lightloom_scenario::ideal;
use lightloom_scenario::scenario::Scenario;

/// The twin's setup for a scenario.
pub fn setup(scenario: &Scenario, seed: u64, threads: usize, traced: bool) -> Setup<'_> {
    Setup {
        network: &scenario.network,
        params: scenario.parameters.params,
        flows: scenario.flows.clone(),
        computations: scenario.computations.clone(),
        losses: scenario.losses.clone(),
        dead: scenario.failures.dead.clone(),
        reroutes: scenario.failures.reroutes.clone(),
        restarts: scenario.failures.restarts.clone(),
        storms: scenario.failures.storms.clone(),
        circuits: scenario.circuits.clone(),
        accelerators: scenario.accelerators.clone(),
        multicast: multicast(scenario, seed),
        patience: scenario.patience,
        traced,
        seed,
        until: scenario.until,
        interval: scenario.probes.interval,
        by_flow: scenario.probes.flows || scenario.probes.groups || scenario.probes.receivers,
        threads,
    }
}

/// Groups and splitters of a run. What branches lose depends on its seed if parts are drawn.
pub fn multicast(scenario: &Scenario, seed: u64) -> Multicast {
    let mut multicast = scenario.multicast.clone();
    multicast.dead.clone_from(&scenario.failures.splitters);
    set_losses(&mut multicast.splitters, &scenario.lit(seed));
    multicast
}

/// The simulation of a setup.
///
/// # Errors
/// [`SetupError`] if the setup contradicts itself. The reader of scenarios makes most of these checks, and tells the
/// line of what is left.
pub fn simulation(setup: Setup<'_>) -> Result<Simulation<'_>, SetupError> {
    Simulation::new(setup)
}

/// Ideal completion time of each flow, in picoseconds.
pub fn ideals(scenario: &Scenario) -> Vec<u64> {
    let (network, params) = (&scenario.network, &scenario.parameters.params);
    scenario.flows.iter().map(|flow| ideal::ideal(network, params, flow).as_ps()).collect()
}

/// Checks that every packet is accounted for and, where a run was told to check it, that no answer covered what a
/// receiver lacked. Otherwise no result of the twin can be trusted.
pub fn check(scenario: &Scenario, outcome: &Outcome) -> Result<(), Error> {
    if let Some(answers) = &outcome.answers
        && let Some(first) = answers.wrong.first()
    {
        return Err(Error::Twin(wrong_answers(scenario, answers, first)));
    }
    let Some(first) = outcome.unbalanced.first() else { return Ok(()) };
    let first = match first {
        Unbalanced::Flow(flow) => format!("flow {flow}"),
        Unbalanced::Cast(cast) => format!("message {cast} to a group"),
        Unbalanced::Splitter(splitter) => format!("splitter {splitter}"),
        Unbalanced::Link(node, port) => {
            format!("the link at {}, port {port}", scenario.network.name(*node))
        }
    };
    let others = outcome.unbalanced.len() - 1;
    Err(Error::Twin(format!("packets of {first} and of {others} other flows and links")))
}

/// What answers of reliable groups covered though a receiver lacked it.
fn wrong_answers(scenario: &Scenario, answers: &CheckedAnswers, first: &WrongAnswer) -> String {
    let name = |node| scenario.network.name(node);
    let WrongAnswer { at, node, group, claimed, receiver, had, .. } = *first;
    let what = if first.is_selective { "packet" } else { "all packets before" };
    let checked = answers.checked;
    let wrong = answers.wrong.len();
    format!(
        "{wrong} of {checked} answers of reliable groups and what receivers had (the first: at {at}, {}, group \
         {group}: {what} {claimed}, of which {} had all before {had})",
        name(node),
        name(receiver),
    )
}

/// Runs a simulation. `told` looks at it from time to time.
pub fn run<T>(
    simulation: &Simulation<'_>,
    watch: Watch<'_, T>,
    told: &(dyn Fn(Look<'_>) + Sync),
) -> Outcome {
    static NEVER: AtomicBool = AtomicBool::new(false);
    lightloom_twin::simulate_watched(simulation, watch.flag().unwrap_or(&NEVER), told)
}

//! Searches assignments that are given as matrices.

use lightloom_qap::{Dense, Effort, Progress, prove, tabu};
use lightloom_request::InputError;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::effort::SearchEffort;

/// An assignment of facilities to locations that was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssignReport {
    /// The location of each facility, from 0.
    pub locations: Vec<u32>,
    /// The sum of flow times distance over all pairs of facilities.
    pub cost: i64,
    /// Number of assignments that were searched side by side.
    pub chains: u32,
    /// Number of rounds of each. The same chains, rounds and seed give the same assignment on any machine.
    pub rounds: u32,
    /// Number of rounds that were done. Less than `rounds`: the search was stopped.
    pub rounds_done: usize,
    /// Seed of the random draws.
    pub seed: u64,
    /// The least cost after each round.
    pub curve: Vec<i64>,
}

/// Searches the assignment of least cost by tabu search. Stopped work answers with the best one so far.
///
/// # Examples
/// ```
/// use lightloom::Watch;
/// use lightloom::qap::{Dense, assign};
///
/// // A ring of four facilities on a line of four locations.
/// let ring = vec![0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0];
/// let line = (0..16_i64).map(|pair| (pair / 4 - pair % 4).abs()).collect();
/// let problem = Dense::new(4, ring, line).expect("both are square");
/// let found = assign(&problem, "1x1".parse().expect("chains and rounds"), 0, Watch::quiet())?;
/// assert_eq!(found.cost, 6);
/// # Ok::<(), lightloom::InputError>(())
/// ```
///
/// # Errors
/// [`InputError`] if the effort is a time and this build has no clock.
pub fn assign(
    problem: &Dense,
    effort: SearchEffort,
    seed: u64,
    watch: Watch<'_, Progress>,
) -> Result<AssignReport, InputError> {
    let clock = Clock::start();
    let trial = |_, effort, watch: Watch<'_, Progress>| {
        tabu(problem, effort, seed, watch);
    };
    let Effort { chains, rounds } = effort.measured("time", 1, trial)?;
    let found =
        effort.in_time(clock, watch, |watch| tabu(problem, Effort { chains, rounds }, seed, watch));
    Ok(AssignReport {
        locations: found.locations,
        cost: found.cost,
        chains: chains.get(),
        rounds: rounds.get(),
        rounds_done: found.curve.len(),
        seed,
        curve: found.curve,
    })
}

/// An assignment of facilities to locations that branch and bound has proved, or was stopped at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProofReport {
    /// The location of each facility, from 0.
    pub locations: Vec<u32>,
    /// The sum of flow times distance over all pairs of facilities.
    pub cost: i64,
    /// Number of partial assignments that were looked at.
    pub nodes: u64,
    /// Whether no assignment costs less. False: the proof was stopped.
    pub proved: bool,
}

/// Proves the best assignment of the first `facilities` facilities, by branch and bound from `first`. The flows of all
/// other facilities are zero. Stopped work answers with the best one so far.
///
/// # Examples
/// ```
/// use lightloom::Watch;
/// use lightloom::qap::{Dense, prove_assignment};
///
/// let ring = vec![0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0];
/// let line = (0..16_i64).map(|pair| (pair / 4 - pair % 4).abs()).collect();
/// let problem = Dense::new(4, ring, line).expect("both are square");
/// let proof = prove_assignment(&problem, 4, &[0, 2, 1, 3], Watch::quiet())?;
/// assert!(proof.proved && proof.cost == 6);
/// # Ok::<(), lightloom::InputError>(())
/// ```
///
/// # Errors
/// [`InputError`] if `first` does not name each location once, or if another facility has flows.
pub fn prove_assignment(
    problem: &Dense,
    facilities: usize,
    first: &[u32],
    watch: Watch<'_>,
) -> Result<ProofReport, InputError> {
    let mut sorted = first.to_vec();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..u32::try_from(problem.size()).unwrap_or(u32::MAX)) {
        let message = "does not name each location once";
        return Err(InputError::new(message).in_option("first"));
    }
    let size = problem.size();
    let sends = |from: usize, to: usize| problem.flow(from, to) != 0;
    let is_busy = |end: usize| (0..size).any(|other| sends(end, other) || sends(other, end));
    if let Some(busy) = (facilities..size).find(|&facility| is_busy(facility)) {
        let message = format!("is {facilities}, and facility {busy} has flows");
        return Err(InputError::new(message).in_option("facilities"));
    }
    let proved = prove(problem, facilities, first, watch);
    Ok(ProofReport {
        locations: proved.locations,
        cost: proved.cost,
        nodes: proved.nodes,
        proved: proved.is_proved,
    })
}

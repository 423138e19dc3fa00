//! What a report says of circuits between ToRs.

use lightloom_scenario::scenario::Scenario;
use lightloom_twin::{CircuitHops, Opening};
use lightloom_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The circuits between ToRs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CircuitsReport {
    /// Number of circuit switches.
    pub switches: u16,
    /// Time after which the schedule repeats, in picoseconds.
    pub period_ps: u64,
    /// Circuits that a packet takes at most.
    pub most_hops: u8,
    /// Time of a period in which a ToR may begin frames to another one, in picoseconds; of the pair that has least.
    pub least_open_ps: u64,
    /// The longest time for which a pair of ToRs has to wait for its circuit, in picoseconds.
    pub longest_wait_ps: u64,
}

impl CircuitsReport {
    /// The circuits of a scenario. `None`: it has none.
    pub(crate) fn new(scenario: &Scenario) -> Option<Self> {
        let circuits = scenario.circuits.as_ref()?;
        let period = circuits.period.as_ps();
        let open = |opening: &Opening| -> u64 {
            opening.times.iter().map(|(from, to)| to.as_ps() - from.as_ps()).sum()
        };
        let wait = |opening: &Opening| {
            let next = opening.times.iter().cycle().skip(1);
            let gap = |(one, next): (&(Span, Span), &(Span, Span))| {
                (next.0.as_ps() + period - one.1.as_ps()) % period
            };
            opening.times.iter().zip(next).map(gap).max().unwrap_or(0)
        };
        Some(Self {
            switches: scenario.network.circuits().unwrap_or(0),
            period_ps: period,
            most_hops: match circuits.hops {
                CircuitHops::Direct => 1,
                CircuitHops::Two => 2,
            },
            least_open_ps: circuits.openings.iter().map(open).min().unwrap_or(0),
            longest_wait_ps: circuits.openings.iter().map(wait).max().unwrap_or(0),
        })
    }
}

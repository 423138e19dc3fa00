//! Report of a scenario before it is run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::NetworkReport;
use lightloom_scenario::scenario::Scenario;

/// Content of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioReport {
    /// Seed of its traffic.
    pub seed: u64,
    /// End of the run, in picoseconds.
    pub until_ps: u64,
    /// The network.
    pub network: NetworkReport,
    /// Number of flows.
    pub flows: usize,
    /// Total payload in bytes.
    pub bytes: u64,
    /// Warnings about doubtful values.
    pub warnings: Vec<String>,
}

impl ScenarioReport {
    /// Describes a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            seed: scenario.seed,
            until_ps: scenario.until.as_ps(),
            network: NetworkReport::new(scenario),
            flows: scenario.flows.len(),
            bytes: scenario.flows.iter().map(|flow| flow.size.as_bytes()).sum(),
            warnings: scenario.warnings.clone(),
        }
    }
}

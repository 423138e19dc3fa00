//! What a scenario asks for, before it is run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::NetworkReport;
use crate::scenario::Scenario;

/// What a scenario asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioReport {
    /// The seed of its traffic.
    pub seed: u64,
    /// The end of the run, in picoseconds.
    pub until_ps: u64,
    /// The network.
    pub network: NetworkReport,
    /// Flows.
    pub flows: usize,
    /// Their payload in bytes.
    pub bytes: u64,
    /// Values that are taken with a grain of salt.
    pub warnings: Vec<String>,
}

impl ScenarioReport {
    /// What a scenario asks for.
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

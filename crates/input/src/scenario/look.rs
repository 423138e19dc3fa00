//! What a scenario asks for, before it is run.

use std::path::Path;

use serde::Serialize;

use super::report::NetworkReport;
use super::scenario::Scenario;
use crate::{Error, Texts};

/// What a scenario asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
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

/// Reads and checks a scenario.
///
/// # Errors
/// [`Error::Input`] at the first thing that is wrong with it.
pub fn read_scenario(path: &Path, texts: &Texts) -> Result<ScenarioReport, Error> {
    let scenario = Scenario::read(path, texts, None)?;
    let network = &scenario.nodes.network;
    let ports = |node| network.ports(lightloom_topology::electrical::NodeId::at(node)).len();
    Ok(ScenarioReport {
        seed: scenario.seed,
        until_ps: scenario.until.as_ps(),
        network: NetworkReport {
            kind: scenario.nodes.kind,
            hosts: network.hosts(),
            switches: network.switches(),
            links: (0..network.nodes()).map(ports).sum::<usize>() / 2,
        },
        flows: scenario.flows.len(),
        bytes: scenario.flows.iter().map(|flow| flow.size.as_bytes()).sum(),
        warnings: scenario.warnings,
    })
}

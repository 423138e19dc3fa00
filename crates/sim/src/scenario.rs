//! A scenario of a run, read and checked.

use std::path::PathBuf;

use lightloom_topology::electrical::Network;
use lightloom_twin::params::Params;
use lightloom_twin::{DeadLink, Flow, LinkLoss, PauseStorm};
use lightloom_units::{Instant, Span};
use serde::Serialize;

/// Everything that a run needs.
#[derive(Debug)]
pub struct Scenario {
    pub seed: u64,
    pub until: Instant,
    pub patience: Span,
    pub probes: Probes,
    pub network: Network,
    /// The kind of its network: fat-tree, leaf-spine, multicast-core, edge-list or design.
    pub kind: &'static str,
    pub parameters: Parameters,
    pub flows: Vec<Flow>,
    pub losses: Vec<LinkLoss>,
    pub failures: Failures,
    pub warnings: Vec<String>,
    /// All files that it was read from with their text, the scenario first.
    pub files: Vec<(PathBuf, String)>,
}

/// What is recorded over time.
#[derive(Debug, Clone, Copy)]
pub struct Probes {
    /// The interval of all series.
    pub interval: Span,
    /// Whether every flow has a series of its own.
    pub flows: bool,
}

/// A constant in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterReport {
    /// `section.field`.
    pub name: String,
    /// Its value, with its unit.
    pub value: String,
    /// Where it comes from: the source that its file names, or the scenario.
    pub source: String,
}

/// All constants of a run.
#[derive(Debug, Clone)]
pub struct Parameters {
    pub params: Params,
    /// Propagation delay of a metre of fibre.
    pub delay_per_m: Span,
    pub in_force: Vec<ParameterReport>,
    /// The files that were read, with their text.
    pub files: Vec<(PathBuf, String)>,
}

/// What fails, in the order of the scenario.
#[derive(Debug, Default)]
pub struct Failures {
    /// Links that die; one may die more often than once.
    pub dead: Vec<DeadLink>,
    /// Hosts that stop their switches.
    pub storms: Vec<PauseStorm>,
}

//! A scenario of a run, read and checked.

use std::path::PathBuf;

use lightloom_topology::electrical::Network;
use lightloom_twin::params::Params;
use lightloom_twin::{DeadLink, Flow, LinkLoss, PauseStorm};
use lightloom_units::{Instant, Span, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

named_enum! {
    /// The kinds of networks.
    #[derive(JsonSchema)]
    pub enum NetworkKind {
        /// A fat tree.
        FatTree = "fat-tree",
        /// Leaves and spines.
        LeafSpine = "leaf-spine",
        /// The packet core of a multicast in the fewest layers.
        MulticastCore = "multicast-core",
        /// A list of links.
        EdgeList = "edge-list",
        /// The racks of a design, joined by packet switches.
        Design = "design",
    }
}

/// Everything that a run needs.
#[derive(Debug)]
pub struct Scenario {
    pub seed: u64,
    pub until: Instant,
    pub patience: Span,
    pub probes: Probes,
    pub network: Network,
    /// The kind of its network.
    pub kind: NetworkKind,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

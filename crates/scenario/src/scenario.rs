//! The checked scenario of a run.

use std::ops::Range;
use std::path::PathBuf;

use lightloom_schedules::{Operation, Schedule};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_traces::{Path, ProcessGroup, Summary};
use lightloom_twin::params::{Accelerator, Params};
use lightloom_twin::{
    Circuits, Computation, DeadLink, DeadSplitter, Flow, LinkLoss, Multicast, PauseStorm, Reroute,
    Restart,
};
use lightloom_units::{DataSize, Instant, Span, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::glass::rollout::Rollout;
use crate::glass::{Glass, LitBranch, TreeSize};

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
        /// ToRs joined by optical circuit switches.
        Circuits = "circuits",
        /// A list of links.
        EdgeList = "edge-list",
        /// The racks of a design, joined by packet switches.
        Design = "design",
    }
}

named_enum! {
    /// How messages reach the members of a group.
    #[derive(JsonSchema)]
    pub enum GroupTransport {
        /// In datagrams: what is lost stays lost.
        Datagram = "datagram",
        /// Over one reliable connection.
        Reliable = "rc",
    }
}

/// Everything that a run needs.
#[derive(Debug)]
pub struct Scenario {
    /// Seed of traffic, losses, marking and path choice.
    pub seed: u64,
    /// End of the run.
    pub until: Instant,
    /// Time without progress after which the run is stalled.
    pub patience: Span,
    /// The series to record.
    pub probes: Probes,
    /// The network.
    pub network: Network,
    /// The kind of its network.
    pub kind: NetworkKind,
    /// The parameters in force.
    pub parameters: Parameters,
    /// Flows in the order of their numbers.
    pub flows: Vec<Flow>,
    /// Splitters, groups and messages to groups. Splitters and branches have the losses that the scenario says; those
    /// of the light depend on the seed of the run.
    pub multicast: Multicast,
    /// What reports say of groups.
    pub groups: Groups,
    /// Collective operations, whose messages are among flows and messages to groups.
    pub collectives: Vec<Collective>,
    /// Jobs of several of them.
    pub jobs: Vec<Job>,
    /// Traces, whose messages are among flows, and whose operations are computations.
    pub traces: Vec<TraceRun>,
    /// What hosts compute.
    pub computations: Vec<Computation>,
    /// The planned fabric beside the network. `None`: the scenario names no design.
    pub glass: Option<Glass>,
    /// Random losses per direction of a link.
    pub losses: Vec<LinkLoss>,
    /// Failures of links, and pause storms.
    pub failures: Failures,
    /// When links between ToRs carry light. `None`: at all times.
    pub circuits: Option<Circuits>,
    /// Accelerators beside switches.
    pub accelerators: Vec<(NodeId, Accelerator)>,
    /// What the planner does about failures of the fabric. `None`: the scenario does not say.
    pub recovery: Option<Rollout>,
    /// Warnings about doubtful values.
    pub warnings: Vec<String>,
    /// All files of the scenario with what is in them, the scenario first. Empty if no file says it.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The rows that say it.
    pub rows: Rows,
}

/// Which rows of a scenario its flows, messages and groups come from. Refusals name them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// Number of listed flows. They are the first.
    pub flows: usize,
    /// For each row of messages to groups, the number of the first message after it.
    pub casts: Vec<usize>,
    /// For each row of groups, the number of the first group after it.
    pub groups: Vec<usize>,
    /// For each change of members, the number of the row of its groups.
    pub changes: Vec<usize>,
    /// Number of rows of losses.
    pub losses: usize,
    /// Number of rows of failures.
    pub failures: usize,
    /// The messages of collective operations.
    pub collectives: Ends,
    /// The numbers of the flows of each trace, and its places among messages to groups.
    pub traces: Vec<(Range<usize>, Range<usize>)>,
}

/// The messages of collective operations. They come after all others but those of traces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ends {
    /// The number of the first flow of all operations.
    pub begin: usize,
    /// Flows of one operation that follow each other: the number of the first one after them, and the operation.
    pub flows: Vec<(usize, usize)>,
    /// The same of messages to groups.
    pub casts: Vec<(usize, usize)>,
}

impl Ends {
    /// The operation that a flow belongs to.
    pub fn of_flow(&self, number: usize) -> Option<usize> {
        if number < self.begin { None } else { of_ends(&self.flows, number) }
    }

    /// The operation that a message to a group belongs to. `place` is none of those before all operations.
    pub fn of_cast(&self, place: usize) -> Option<usize> {
        of_ends(&self.casts, place)
    }
}

/// What a number belongs to, of stretches with the number after each.
pub(crate) fn of_ends(ends: &[(usize, usize)], number: usize) -> Option<usize> {
    ends.get(ends.partition_point(|(end, _)| *end <= number)).map(|(_, of)| *of)
}

/// Collective operations that go one after the other, and round again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// Its operations, by their places.
    pub operations: Range<usize>,
}

/// A collective operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collective {
    /// Name in reports.
    pub name: String,
    /// What the members do.
    pub operation: Operation,
    /// Who sends what to whom.
    pub schedule: Schedule,
    /// The members in the order of the schedule.
    pub members: Vec<NodeId>,
    /// Size of the data: see the setting.
    pub size: DataSize,
    /// Time that each member computes each time.
    pub compute: Span,
    /// Number of parts that the data are sent in.
    pub buckets: u32,
    /// Number of times that are under way at once.
    pub depth: u32,
    /// Payload that members receive each time and do not need.
    pub filtered: DataSize,
    /// The servers of a fleet, each with the message that brings its first layer.
    pub firsts: Vec<(NodeId, OfTime)>,
    /// The messages of each time.
    pub iterations: Vec<Iteration>,
}

/// A message of one time of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfTime {
    /// A flow, by its place among those of this time.
    Flow(usize),
    /// A message to a group, by its place among those of this time.
    Cast(usize),
}

/// A trace that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceRun {
    /// Name in reports.
    pub name: String,
    /// The host of each rank.
    pub hosts: Vec<NodeId>,
    /// When ranks begin.
    pub start: Instant,
    /// Numbers of its flows.
    pub flows: Range<usize>,
    /// Its places among messages to groups.
    pub casts: Range<usize>,
    /// Places of its computations.
    pub computations: Range<usize>,
    /// Places of the computations of each rank, one for each operation.
    pub ranks: Vec<Range<usize>>,
    /// Its longest path where messages take no time. `None`: it is longer than the clock.
    pub path: Option<Path>,
    /// What it has.
    pub summary: Summary,
    /// Its process groups.
    pub groups: Vec<ProcessGroup>,
    /// Its collective operations.
    pub calls: Vec<CallRun>,
}

/// A collective operation of a trace that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRun {
    /// The place of its process group.
    pub group: usize,
    /// What the ranks do.
    pub operation: Operation,
    /// Who sends what to whom. `None`: there is one rank, and no message.
    pub schedule: Option<Schedule>,
    /// Size of the data.
    pub size: DataSize,
    /// Places of two computations of each rank. The rank begins the operation when the first ends, and ends it with the
    /// second.
    pub ranks: Vec<(usize, usize)>,
}

/// The messages of a collective operation at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    /// Numbers of its flows.
    pub flows: Range<usize>,
    /// Its places among messages to groups.
    pub casts: Range<usize>,
    /// Places of what its members compute before.
    pub computations: Range<usize>,
}

impl Scenario {
    /// The light of every branch in a run with this seed, in the order of the splitters. Empty if the light is
    /// off.
    pub fn lit(&self, seed: u64) -> Vec<LitBranch> {
        let wire = &self.parameters.params.wire;
        let frame = u32::from(wire.mtu) + u32::from(wire.header);
        self.glass.as_ref().map_or_else(Vec::new, |glass| glass.branches(seed, frame))
    }
}

/// What reports say of groups.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// The name of each group.
    pub names: Vec<String>,
    /// What one packet of each message crosses. `None`: the switches find the tree during the run.
    pub trees: Vec<Option<TreeSize>>,
    /// What is known of admission. `None`: the scenario asks for none.
    pub admission: Option<AdmissionPlan>,
}

named_enum! {
    /// Trees of the senders.
    #[derive(JsonSchema)]
    pub enum TreeChoice {
        /// Those of the plan.
        Installed = "installed",
        /// Trees for as many senders as possible that share no relay.
        Parallel = "parallel",
    }
}

/// What is known of admission before the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdmissionPlan {
    /// Trees of the senders.
    pub trees: TreeChoice,
    /// Number of ToRs that send over light.
    pub senders: usize,
    /// The most of them whose whole trees share no relay, as far as found. `None`: not looked for.
    pub disjoint: Option<usize>,
}

/// Series to record.
#[derive(Debug, Clone, Copy)]
pub struct Probes {
    /// Interval of all series.
    pub interval: Span,
    /// Whether to record a series per flow.
    pub flows: bool,
    /// Whether to record a series per message to a group, over all its receivers.
    pub groups: bool,
    /// Whether to record a series per receiver of each message to a group.
    pub receivers: bool,
    /// Whether to count the copies of each message to a group over each link and branch.
    pub copies: bool,
}

/// A parameter in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ParameterReport {
    /// `section.field`.
    pub name: String,
    /// Value with its unit.
    pub value: String,
    /// Source of the value: the source in its file, or the scenario.
    pub source: String,
}

/// All parameters of a run.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// The parameters of the twin.
    pub params: Params,
    /// Propagation delay per metre of fibre.
    pub delay_per_m: Span,
    /// Every parameter with its value and source.
    pub in_force: Vec<ParameterReport>,
    /// The parameter files with their texts.
    pub files: Vec<(PathBuf, String)>,
}

/// The failures of a scenario, in its order.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    /// Links that die. A link may die several times.
    pub dead: Vec<DeadLink>,
    /// Hosts that pause their switches.
    pub storms: Vec<PauseStorm>,
    /// Splitters and branches that die.
    pub splitters: Vec<DeadSplitter>,
    /// Changes of the routes of links.
    pub reroutes: Vec<Reroute>,
    /// Switches that come back without their queues and tables of reliable groups.
    pub restarts: Vec<Restart>,
}

//! Report of a run, for people and programs.

use std::collections::BTreeMap;

use lightloom_topology::electrical::{LargestGroup, NodeId};
use lightloom_twin::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accelerators::AcceleratorsReport;
use crate::admission::AdmissionReport;
use crate::circuits::CircuitsReport;
use crate::collectives::{self, CollectiveReport};
use crate::ending::{self, EndReport};
use crate::errors::{self, NeverStartedReport, QueuePairErrorReport};
use crate::goodput::GoodputsReport;
use crate::groups::{GroupTableReport, MulticastReport, ReliableGroupReport, SplittersReport};
use crate::jobs::JobReport;
use crate::kinds::DropCause;
use crate::ledger::LedgerReport;
use crate::manifest::ManifestReport;
use crate::overflow::{self, OverflowReport};
use crate::recovery::{self, RecoveryReport};
use crate::summary::{RatiosReport, TimesReport};
use crate::to_groups::ToGroupsReport;
use crate::traces::{self, TraceRunReport};
use lightloom_scenario::scenario::{NetworkKind, Scenario};
use lightloom_scenario::timeouts;

/// Report of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimulateReport {
    /// Inputs of the run.
    pub manifest: ManifestReport,
    /// Warnings about doubtful values.
    pub warnings: Vec<String>,
    /// How the run ended.
    pub end: EndReport,
    /// The network.
    pub network: NetworkReport,
    /// What messages asked for, what went out for it, and where it ended, by what they come from.
    pub ledger: Vec<LedgerReport>,
    /// Payload that arrived, with its time and rate.
    pub goodput: GoodputsReport,
    /// Completion times.
    pub flows: FlowsReport,
    /// All messages to groups together. `None`: the scenario has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to_groups: Option<ToGroupsReport>,
    /// Messages to groups.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub multicasts: Vec<MulticastReport>,
    /// Collective operations. Their messages are among flows and messages to groups.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub collectives: Vec<CollectiveReport>,
    /// Jobs of several collective operations.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub jobs: Vec<JobReport>,
    /// Traces of applications. Their messages are among flows.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub traces: Vec<TraceRunReport>,
    /// Messages that ended in errors of their queue pairs, in the order of messages.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub queue_pair_errors: Vec<QueuePairErrorReport>,
    /// Messages and computations that never started because a message failed that they wait for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub never_started: Vec<NeverStartedReport>,
    /// Reliable groups.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub groups: Vec<ReliableGroupReport>,
    /// Memory for reliable groups at each switch that had any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub group_tables: Vec<GroupTableReport>,
    /// Admission of messages over light. `None`: the scenario asks for none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub admission: Option<AdmissionReport>,
    /// Accelerators beside switches. `None`: there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accelerators: Option<AcceleratorsReport>,
    /// The splitters of a design. `None`: the network has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub splitters: Option<SplittersReport>,
    /// Failures during the run and recoveries from them. `None`: the scenario does not ask for any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recovery: Option<RecoveryReport>,
    /// Payload that arrived in order, over time.
    pub throughput: ThroughputSeries,
    /// Queues, marks and pauses.
    pub queues: QueuesReport,
    /// Dropped packets, by place and reason.
    pub drops: Vec<DropReport>,
    /// Overflows of headroom, by time.
    pub overflows: Vec<OverflowReport>,
    /// Amount of simulation.
    pub work: WorkReport,
}

/// The network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NetworkReport {
    /// Kind of the network.
    pub kind: NetworkKind,
    /// Number of hosts.
    pub hosts: usize,
    /// Number of switches.
    pub switches: usize,
    /// Number of links. Circuits between two ToRs count as one.
    pub links: usize,
    /// The circuits between ToRs. Not there where links are always there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub circuits: Option<CircuitsReport>,
    /// The largest groups of fat trees with the fan-out that is set. Not there without one, or in another network.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub largest_group: Option<LargestGroupReport>,
}

/// The largest groups of fat trees whose switches send a group to a limited number of ports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LargestGroupReport {
    /// Ports of the switches of the largest fat tree all of whose hosts can be in one group.
    pub ports: u64,
    /// Its hosts.
    pub hosts: u64,
    /// Members with larger switches.
    pub with_larger_switches: u64,
}

/// Completion times of the flows that completed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlowsReport {
    /// Number of flows whose receiving application has all payload.
    pub completed: usize,
    /// Number of all other flows.
    pub unfinished: usize,
    /// Number of completed flows whose sender lacked the acknowledgement at the end.
    pub unacknowledged: usize,
    /// Payload of all flows, in bytes.
    pub bytes: u64,
    /// Time from the request until the receiving application has all payload.
    pub completion: Option<TimesReport>,
    /// Completion time relative to the ideal completion time.
    pub slowdown: Option<RatiosReport>,
    /// Completion times and slowdowns by size.
    pub by_size: Vec<SizeReport>,
    /// Number of packets that were sent again.
    pub repeated: u64,
    /// Number of repeated packets that the receiver already had.
    pub spurious: u64,
    /// Number of timeouts.
    pub timeouts: u64,
}

/// Completion times of flows in one order of magnitude of size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SizeReport {
    /// Smallest size in bytes, inclusive.
    pub from_bytes: u64,
    /// Largest size in bytes, exclusive.
    pub below_bytes: u64,
    /// Completion times.
    pub completion: TimesReport,
    /// Slowdowns.
    pub slowdown: RatiosReport,
}

/// Payload that arrived in order at all hosts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThroughputSeries {
    /// Length of an interval, in picoseconds.
    pub interval_ps: u64,
    /// Bytes in each interval, from the start of the run.
    pub bytes: Vec<u64>,
}

/// Queues, marks and pauses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueuesReport {
    /// The port with the longest queue.
    pub most_queued: Option<PortReport>,
    /// The port that was stopped for the longest time.
    pub most_stopped: Option<PortReport>,
    /// Number of marked packets.
    pub marked: u64,
    /// Number of congestion notifications (DCQCN).
    pub notifications: u64,
    /// Number of sent pauses.
    pub pauses: u64,
    /// Number of ports that were ever stopped.
    pub stopped_ports: usize,
    /// Total time that ports of hosts and switches were stopped, in picoseconds.
    pub stopped_ps: u64,
}

/// A port with its queue and its stopped time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PortReport {
    /// The node.
    pub node: String,
    /// Number of the port.
    pub port: u16,
    /// Longest queue of the port, in bytes.
    pub most_queued_bytes: u32,
    /// Time that it was stopped, in picoseconds.
    pub stopped_ps: u64,
}

/// Drops at one port for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DropReport {
    /// The node.
    pub node: String,
    /// Number of the port.
    pub port: u16,
    /// Reason of the drops.
    pub reason: DropCause,
    /// Number of packets.
    pub packets: u64,
}

/// Amount of simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkReport {
    /// Number of arrivals and timers.
    pub events: u64,
    /// Data packets times the links that they crossed.
    pub data_hops: u64,
    /// Other packets times the links that they crossed.
    pub control_hops: u64,
}

impl SimulateReport {
    /// The report of a run. `ideals` is the ideal completion time of each flow, in picoseconds.
    pub fn new(scenario: &Scenario, outcome: &Outcome, ideals: &[u64]) -> Self {
        let network = &scenario.network;
        let collectives = CollectiveReport::all(scenario, outcome);
        let drops = outcome.drops.iter().map(|(&(node, port, why), &packets)| DropReport {
            node: network.name(node),
            port,
            reason: why.into(),
            packets,
        });
        Self {
            manifest: ManifestReport::new(scenario),
            warnings: warnings(scenario, outcome),
            end: EndReport::new(scenario, outcome),
            network: NetworkReport::new(scenario),
            ledger: LedgerReport::all(scenario, outcome),
            goodput: GoodputsReport::new(scenario, outcome),
            flows: FlowsReport::new(scenario, outcome, ideals),
            to_groups: ToGroupsReport::of(outcome),
            multicasts: MulticastReport::all(scenario, outcome),
            jobs: JobReport::all(scenario, &collectives),
            collectives,
            traces: TraceRunReport::all(scenario, outcome),
            queue_pair_errors: QueuePairErrorReport::all(scenario, outcome),
            never_started: NeverStartedReport::all(scenario, outcome),
            groups: ReliableGroupReport::all(scenario, outcome),
            group_tables: GroupTableReport::all(scenario, outcome),
            admission: AdmissionReport::of(scenario, outcome),
            accelerators: AcceleratorsReport::new(scenario, outcome),
            splitters: SplittersReport::of(scenario, outcome),
            recovery: RecoveryReport::of(scenario, outcome),
            throughput: ThroughputSeries {
                interval_ps: scenario.probes.interval.as_ps(),
                bytes: outcome.goodput.clone(),
            },
            queues: QueuesReport::new(scenario, outcome),
            drops: drops.collect(),
            overflows: OverflowReport::all(scenario, outcome),
            work: WorkReport {
                events: outcome.events,
                data_hops: outcome.data_hops,
                control_hops: outcome.control_hops,
            },
        }
    }
}

/// Warnings from before the run and about its outcome.
fn warnings(scenario: &Scenario, outcome: &Outcome) -> Vec<String> {
    let mut warnings = scenario.warnings.clone();
    warnings.extend(ending::storms(scenario, outcome));
    warnings.extend(overflow::warning(scenario, outcome));
    warnings.extend(errors::warnings(scenario, outcome));
    warnings.extend(timeouts::in_vain(scenario, outcome));
    warnings.extend(recovery::second_copies(scenario, outcome));
    warnings.extend(collectives::incomplete(scenario, outcome));
    warnings.extend(traces::incomplete(scenario, outcome));
    warnings
}

impl LargestGroupReport {
    fn new(scenario: &Scenario) -> Option<Self> {
        if scenario.kind != NetworkKind::FatTree {
            return None;
        }
        // The limit of each switch: of its accelerator, or of all. Trees of several limits have no closed form.
        let of_all = scenario.parameters.params.groups.fan_out;
        let beside = &scenario.accelerators;
        let mut limits: Vec<_> = beside.iter().map(|(_, part)| part.fan_out.or(of_all)).collect();
        limits.extend((beside.len() < scenario.network.switches()).then_some(of_all));
        limits.dedup();
        let &[Some(fan_out)] = &limits[..] else { return None };
        let LargestGroup { ports, hosts, with_larger_switches } = LargestGroup::new(fan_out)?;
        Some(Self { ports, hosts, with_larger_switches })
    }
}

impl NetworkReport {
    /// Describes the network of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let network = &scenario.network;
        let nodes = (0..network.nodes()).map(NodeId::at);
        let ends: usize = nodes.map(|node| network.ports(node).len()).sum();
        Self {
            kind: scenario.kind,
            hosts: network.hosts(),
            switches: network.switches(),
            links: ends / 2,
            circuits: CircuitsReport::new(scenario),
            largest_group: LargestGroupReport::new(scenario),
        }
    }
}

impl FlowsReport {
    fn new(scenario: &Scenario, outcome: &Outcome, ideals: &[u64]) -> Self {
        let mut times = Vec::new();
        let mut ratios = Vec::new();
        let mut sizes: BTreeMap<u32, (Vec<u64>, Vec<f64>)> = BTreeMap::new();
        for ((flow, outcome), &ideal) in scenario.flows.iter().zip(&outcome.flows).zip(ideals) {
            let ends = outcome.received.zip(outcome.asked);
            let taken = ends.and_then(|(at, asked)| at.checked_since(asked));
            let Some(taken) = taken else { continue };
            let slowdown = slowdown(taken.as_ps(), ideal);
            times.push(taken.as_ps());
            ratios.push(slowdown);
            let size = sizes.entry(flow.size.as_bytes().max(1).ilog10()).or_default();
            size.0.push(taken.as_ps());
            size.1.push(slowdown);
        }
        let by_size = sizes.into_iter().filter_map(|(decade, (times, ratios))| {
            Some(SizeReport {
                from_bytes: 10_u64.pow(decade),
                below_bytes: 10_u64.saturating_pow(decade + 1),
                completion: TimesReport::of(times)?,
                slowdown: RatiosReport::of(ratios)?,
            })
        });
        Self {
            completed: times.len(),
            unfinished: scenario.flows.len() - times.len(),
            unacknowledged: outcome.flows.iter().filter(|flow| flow.is_unacknowledged()).count(),
            bytes: scenario
                .flows
                .iter()
                .fold(0, |sum, flow| sum.saturating_add(flow.size.as_bytes())),
            by_size: by_size.collect(),
            completion: TimesReport::of(times),
            slowdown: RatiosReport::of(ratios),
            repeated: outcome.flows.iter().map(|flow| flow.repeated).sum(),
            spurious: outcome.flows.iter().map(|flow| flow.spurious).sum(),
            timeouts: outcome.flows.iter().map(|flow| flow.timeouts).sum(),
        }
    }
}

/// Completion time divided by the ideal completion time.
pub fn slowdown(taken: u64, ideal: u64) -> f64 {
    taken as f64 / ideal.max(1) as f64
}

impl QueuesReport {
    fn new(scenario: &Scenario, outcome: &Outcome) -> Self {
        let port = |link: &lightloom_twin::LinkOutcome| PortReport {
            node: scenario.network.name(link.from),
            port: link.port,
            most_queued_bytes: link.most_queued,
            stopped_ps: link.paused.as_ps(),
        };
        // The first of several maxima, so that the answer does not depend on how maxima are found.
        let links = || outcome.links.iter().rev();
        let queued =
            links().filter(|link| link.most_queued > 0).max_by_key(|link| link.most_queued);
        let is_stopped = |link: &&lightloom_twin::LinkOutcome| link.paused.as_ps() > 0;
        let stopped = links().filter(is_stopped).max_by_key(|link| link.paused);
        Self {
            most_queued: queued.map(port),
            most_stopped: stopped.map(port),
            marked: outcome.links.iter().map(|link| link.marked).sum(),
            notifications: outcome.notifications,
            pauses: outcome.links.iter().map(|link| link.pauses).sum(),
            stopped_ports: links().filter(is_stopped).count(),
            stopped_ps: outcome
                .links
                .iter()
                .fold(0, |sum, link| sum.saturating_add(link.paused.as_ps())),
        }
    }
}

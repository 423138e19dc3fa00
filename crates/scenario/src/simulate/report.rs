//! What came of a run, as people and programs read it.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{DropReason, Outcome};
use serde::Serialize;

use super::ending::{self, EndReport};
use super::manifest::ManifestReport;
use super::overflow::{self, OverflowReport};
use super::scenario::Scenario;
use super::summary::{RatiosReport, TimesReport};
use super::timeouts;

/// What came of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SimulateReport {
    /// What it was made from.
    pub manifest: ManifestReport,
    /// Values that were taken with a grain of salt.
    pub warnings: Vec<String>,
    /// How the run ended.
    pub end: EndReport,
    /// The network.
    pub network: NetworkReport,
    /// Completion times.
    pub flows: FlowsReport,
    /// Payload that arrived in order, over time.
    pub throughput: ThroughputSeries,
    /// Queues, marks and pauses.
    pub queues: QueuesReport,
    /// Packets that were dropped, by place and reason.
    pub drops: Vec<DropReport>,
    /// Headroom that overflowed, by time.
    pub overflows: Vec<OverflowReport>,
    /// How much was simulated.
    pub work: WorkReport,
}

/// The network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NetworkReport {
    /// fat-tree, leaf-spine, multicast-core, edge-list or design.
    pub kind: &'static str,
    /// Hosts.
    pub hosts: usize,
    /// Switches.
    pub switches: usize,
    /// Links.
    pub links: usize,
}

/// Completion times of the flows that completed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlowsReport {
    /// Flows that the receiving application has all of.
    pub completed: usize,
    /// All others.
    pub unfinished: usize,
    /// Of those that completed, flows whose sender had not heard of it at the end.
    pub unacknowledged: usize,
    /// Payload of all flows in bytes.
    pub bytes: u64,
    /// From the request until the receiving application has all.
    pub completion: Option<TimesReport>,
    /// That over the time that the flow would have taken alone.
    pub slowdown: Option<RatiosReport>,
    /// The same by size.
    pub by_size: Vec<SizeReport>,
    /// Packets sent again.
    pub repeated: u64,
    /// Packets that arrived again though the receiver had them: repeated in vain.
    pub spurious: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// Payload per second over all hosts, in bits, from the first start until the last byte, or
    /// until the end of the run where a flow did not complete.
    pub goodput_bps: f64,
}

/// Completion times of flows of one order of magnitude.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeReport {
    /// Bytes, at least.
    pub from_bytes: u64,
    /// Bytes, less than.
    pub below_bytes: u64,
    /// Completion times.
    pub completion: TimesReport,
    /// Slowdowns.
    pub slowdown: RatiosReport,
}

/// Payload that arrived in order at all hosts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThroughputSeries {
    /// The length of an interval.
    pub interval_ps: u64,
    /// Bytes of each interval from the start on.
    pub bytes: Vec<u64>,
}

/// Queues, marks and pauses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueuesReport {
    /// The longest queue that there was.
    pub most_queued: Option<PortReport>,
    /// The port that was stopped for the longest time.
    pub most_stopped: Option<PortReport>,
    /// Packets marked.
    pub marked: u64,
    /// Congestion notifications (DCQCN).
    pub notifications: u64,
    /// Pauses sent.
    pub pauses: u64,
    /// Ports that were stopped.
    pub stopped_ports: usize,
    /// How long, in all, ports of hosts and switches were stopped.
    pub stopped_ps: u64,
}

/// A port and what it is named for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PortReport {
    /// The node.
    pub node: String,
    /// Its port.
    pub port: u16,
    /// The longest queue before it, in bytes.
    pub most_queued_bytes: u32,
    /// How long it was stopped.
    pub stopped_ps: u64,
}

/// Drops at one place for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DropReport {
    /// The node.
    pub node: String,
    /// Its port.
    pub port: u16,
    /// buffer, headroom, link, corrupt, dead or stray.
    pub reason: &'static str,
    /// Packets.
    pub packets: u64,
}

/// How much was simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WorkReport {
    /// Arrivals and timers.
    pub events: u64,
    /// Data packets times the links that they crossed.
    pub data_hops: u64,
    /// All other packets times links.
    pub control_hops: u64,
}

/// A reason as reports and files write it.
pub(super) fn reason(reason: DropReason) -> &'static str {
    match reason {
        DropReason::Buffer => "buffer",
        DropReason::Headroom => "headroom",
        DropReason::Link => "link",
        DropReason::Corrupt => "corrupt",
        DropReason::Dead => "dead",
        DropReason::Stray => "stray",
    }
}

impl SimulateReport {
    pub(super) fn new(scenario: &Scenario, outcome: &Outcome, ideals: &[u64]) -> Self {
        let network = &scenario.nodes.network;
        let drops = outcome.drops.iter().map(|(&(node, port, why), &packets)| DropReport {
            node: network.name(node),
            port,
            reason: reason(why),
            packets,
        });
        Self {
            manifest: ManifestReport::new(scenario),
            warnings: warnings(scenario, outcome),
            end: EndReport::new(scenario, outcome),
            network: NetworkReport::new(scenario),
            flows: FlowsReport::new(scenario, outcome, ideals),
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

/// What was doubtful before the run, and what came of it.
fn warnings(scenario: &Scenario, outcome: &Outcome) -> Vec<String> {
    let mut warnings = scenario.warnings.clone();
    warnings.extend(ending::storms(scenario, outcome));
    warnings.extend(overflow::warning(scenario, outcome));
    warnings.extend(timeouts::in_vain(scenario, outcome));
    warnings
}

impl NetworkReport {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let network = &scenario.nodes.network;
        let nodes = (0..network.nodes()).map(NodeId::at);
        let ends: usize = nodes.map(|node| network.ports(node).len()).sum();
        Self {
            kind: scenario.nodes.kind,
            hosts: network.hosts(),
            switches: network.switches(),
            links: ends / 2,
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
            goodput_bps: goodput(scenario, outcome),
        }
    }
}

/// A completion time over that of the flow alone.
pub(super) fn slowdown(taken: u64, ideal: u64) -> f64 {
    taken as f64 / ideal.max(1) as f64
}

fn goodput(scenario: &Scenario, outcome: &Outcome) -> f64 {
    let first = scenario.flows.iter().map(|flow| flow.start).min();
    let received: Option<Vec<_>> = outcome.flows.iter().map(|flow| flow.received).collect();
    let last = received.and_then(|all| all.into_iter().max()).unwrap_or(outcome.reached);
    let ps = first.and_then(|first| last.checked_since(first)).unwrap_or_default().as_ps();
    let bytes: u64 = outcome.goodput.iter().sum();
    if ps == 0 { 0.0 } else { bytes as f64 * 8e12 / ps as f64 }
}

impl QueuesReport {
    fn new(scenario: &Scenario, outcome: &Outcome) -> Self {
        let port = |link: &lightloom_twin::LinkOutcome| PortReport {
            node: scenario.nodes.network.name(link.from),
            port: link.port,
            most_queued_bytes: link.most_queued,
            stopped_ps: link.stopped.as_ps(),
        };
        // Of several the first, so that the answer does not depend on how maxima are found.
        let links = || outcome.links.iter().rev();
        let queued =
            links().filter(|link| link.most_queued > 0).max_by_key(|link| link.most_queued);
        let is_stopped = |link: &&lightloom_twin::LinkOutcome| link.stopped.as_ps() > 0;
        let stopped = links().filter(is_stopped).max_by_key(|link| link.stopped);
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
                .fold(0, |sum, link| sum.saturating_add(link.stopped.as_ps())),
        }
    }
}

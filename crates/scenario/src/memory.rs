//! How much memory a run takes, from the counts of its scenario.
//!
//! Each coefficient is measured: the peak of the command's resident memory, without what it takes for a scenario of one
//! small message, over the count. `scripts/memory-table` measures them again and compares; `docs/performance.md` has
//! its table.

use std::collections::BTreeSet;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::Flow;
use lightloom_units::DataSize;

use crate::scenario::Scenario;

/// What the program itself takes: 14 MB, and 20 MB of a build for tests.
const PROGRAM: u64 = 16_000_000;
/// Bytes for each operation of a trace and each computation: what is read, what runs, its results. A million
/// computations of 100 ranks: 486 B.
const COMPUTATION: u64 = 480;
/// Bytes for each port of the network, with its link. `fat-tree` of 48 ports: 476 B.
const PORT: u64 = 470;
/// Bytes for each flow: its message, its two ends, its results. 1.6 million flows of 1 kB: 1,305 B, and 65 B
/// of the ledger.
const FLOW: u64 = 1_370;
/// Bytes for each flow that every further run of several keeps. Three runs: 62 B.
const FLOW_OF_RUN: u64 = 62;
/// Bytes for each receiver of each message to a group. 1,000 messages to 1,024 hosts: 310 B.
const RECEIVER: u64 = 312;
/// Bytes for each pair of ToRs of a fabric: tables of all sources. A 32,2-Shufflecast: 14 B.
const PAIR: u64 = 14;
/// Bytes for each ToR of a fabric in the tree of a sender. 340 to 400 B.
const IN_TREE: u64 = 380;
/// Bytes for each arrival of a packet in a trace. 1.6 million flows over 3.8 links: 95 B.
const ARRIVAL: u64 = 96;
/// Bytes for each packet at each receiver that answers are held against.
const CHECKED: u64 = 16;

/// What is kept of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Number of runs.
    pub runs: u32,
    /// Number of runs at a time.
    pub at_once: usize,
    /// Whether all arrivals are kept.
    pub is_traced: bool,
    /// The most arrivals, and the most drops, that a recording keeps.
    pub recorded: Option<usize>,
    /// Whether answers of reliable groups are held against what receivers had.
    pub is_checked: bool,
}

impl Kept {
    /// One run without any of it.
    pub const ONE_RUN: Self =
        Self { runs: 1, at_once: 1, is_traced: false, recorded: None, is_checked: false };
}

/// The counts of a scenario that its memory follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Ports of all nodes.
    pub ports: u64,
    /// Number of flows.
    pub flows: u64,
    /// Number of computations. Each operation of a trace is one.
    pub computations: u64,
    /// Messages to groups times their receivers.
    pub receivers: u64,
    /// ToRs of the fabric that groups use. 0: they use none.
    pub tors: u64,
    /// Hosts that send to groups over the fabric.
    pub senders: u64,
    /// Arrivals of packets at nodes, at most.
    pub arrivals: u64,
    /// Packets to groups times their receivers.
    pub packets: u64,
}

impl Counts {
    /// The counts of a scenario. Arrivals are counted only where all of them are kept.
    pub fn of(scenario: &Scenario, is_traced: bool) -> Self {
        let network = &scenario.network;
        let nodes = (0..network.nodes()).map(NodeId::at);
        let mtu = u64::from(scenario.parameters.params.wire.mtu).max(1);
        let multicast = &scenario.multicast;
        let mut counts = Self {
            ports: nodes.map(|node| network.ports(node).len() as u64).sum(),
            flows: scenario.flows.len() as u64,
            computations: scenario.computations.len() as u64,
            ..Self::default()
        };
        let mut senders = BTreeSet::new();
        for cast in &multicast.casts {
            let group = multicast.groups.get(cast.to.0 as usize);
            let receivers = group.map_or(0, |group| group.members.len() as u64).saturating_sub(1);
            counts.receivers += receivers;
            let packets = cast.size.as_bytes().div_ceil(mtu).max(1);
            counts.packets = counts.packets.saturating_add(packets.saturating_mul(receivers));
            senders.insert(cast.from);
        }
        if scenario.glass.is_some() {
            let splitters = multicast.splitters.iter().map(|splitter| splitter.from);
            counts.tors = splitters.collect::<BTreeSet<_>>().len() as u64;
            counts.senders = senders.len() as u64;
        }
        if is_traced {
            let of_flows = scenario.flows.iter().map(|flow| arrivals(scenario, flow, mtu));
            // A packet of a group passes about as many nodes as it reaches, and each receiver answers.
            counts.arrivals = of_flows.fold(counts.packets.saturating_mul(2), u64::saturating_add);
        }
        counts
    }

    /// Estimate of the peak of the memory, with that of the program.
    pub fn memory(self, kept: Kept) -> DataSize {
        let Kept { runs, at_once, is_traced, recorded, is_checked } = kept;
        let runs = u64::from(runs.max(1));
        let at_once = runs.min(at_once.max(1) as u64);
        let of_run = [
            (self.flows, FLOW),
            (self.computations, COMPUTATION),
            (self.receivers, RECEIVER),
            (self.tors.saturating_mul(self.senders), IN_TREE),
            (if is_traced { self.arrivals } else { 0 }, ARRIVAL),
            (recorded.map_or(0, |most| (most as u64).min(self.arrivals_at_most())), ARRIVAL),
            (if is_checked { self.packets } else { 0 }, CHECKED),
        ];
        let of_run = sum(&of_run).saturating_mul(at_once);
        let of_all = [
            (self.ports, PORT),
            (self.tors.saturating_mul(self.tors), PAIR),
            (self.flows.saturating_mul(runs - 1), FLOW_OF_RUN),
        ];
        let all = of_run.saturating_add(sum(&of_all)).saturating_add(PROGRAM);
        DataSize::from_bytes(all)
    }

    /// Arrivals, where they are counted.
    fn arrivals_at_most(self) -> u64 {
        if self.arrivals == 0 { u64::MAX } else { self.arrivals }
    }
}

/// Memory of a scenario with this many flows, before they are made.
pub fn of_flows(flows: u64) -> DataSize {
    Counts { flows, ..Counts::default() }.memory(Kept::ONE_RUN)
}

/// The same of computations.
pub fn of_computations(computations: u64) -> DataSize {
    Counts { computations, ..Counts::default() }.memory(Kept::ONE_RUN)
}

fn sum(parts: &[(u64, u64)]) -> u64 {
    parts.iter().fold(0, |sum, (count, bytes)| sum.saturating_add(count.saturating_mul(*bytes)))
}

/// Arrivals of the packets of a flow and of their answers, as far as the run has time for them.
fn arrivals(scenario: &Scenario, flow: &Flow, mtu: u64) -> u64 {
    let network = &scenario.network;
    let bps = network.ports(flow.from).first().map_or(0, |port| port.rate.as_bps());
    let left = scenario.until.as_ps().saturating_sub(flow.start.as_ps());
    let in_time = u128::from(bps) * u128::from(left) / 8_000_000_000_000 / u128::from(mtu) + 1;
    let packets = flow.size.as_bytes().div_ceil(mtu).max(1);
    let packets = packets.min(u64::try_from(in_time).unwrap_or(u64::MAX));
    let answers = packets.div_ceil(scenario.parameters.params.transport.ack_every.max(1).into());
    packets.saturating_add(answers).saturating_mul(network.hops(flow.from, flow.to) as u64)
}

//! What is to be run, and the door to running it.

use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{DataSize, Instant, Span};

use crate::build::Cut;
use crate::engine::{Control, first_fault, run};
use crate::link::Pace;
use crate::outcome::{self, Outcome};
use crate::packet::{Class, FlowId};
use crate::params::{HEADER, Params};

/// How a message is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// To whatever buffer the receiver has posted.
    Send,
    /// Into the receiver's memory: its first packet says where, in 16 bytes more.
    Write,
}

/// One message from one host to another, on a queue pair of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// Who sends.
    pub from: NodeId,
    /// Who receives.
    pub to: NodeId,
    /// How much.
    pub size: DataSize,
    /// When the application asks for it, at the earliest.
    pub start: Instant,
    /// An earlier flow, to the host that sends this one: the application asks for this one when all of that
    /// has arrived, to hand it on.
    pub after: Option<FlowId>,
    /// Its priority.
    pub class: Class,
    /// How it is sent.
    pub verb: Verb,
}

/// Random loss on one direction of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkLoss {
    /// The node that transmits.
    pub from: NodeId,
    /// Its port.
    pub port: u16,
    /// Share of packets lost.
    pub rate: f64,
    /// Packets lost at once: 1 where losses are independent.
    pub burst: u32,
    /// Whether lost packets still travel, with wrong bits, until somebody checks them.
    pub corrupt: bool,
}

/// A link that is dead for a while, in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeadLink {
    /// The node at one end.
    pub node: NodeId,
    /// Its port.
    pub port: u16,
    /// From when.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
}

/// A host whose port is at fault: from a time until before another it stops its switch, again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PauseStorm {
    /// The host.
    pub host: NodeId,
    /// From when.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
}

/// What is to be run.
#[derive(Debug, Clone)]
pub struct Simulation<'a> {
    /// The network.
    pub network: &'a Network,
    /// Everything that is neither network nor traffic.
    pub params: Params,
    /// The traffic.
    pub flows: Vec<Flow>,
    /// Random losses; of several on one direction of a link the last counts.
    pub losses: Vec<LinkLoss>,
    /// Links that die, and may come back, once or more often. Packets on them are lost; routes stay as they
    /// are.
    pub dead: Vec<DeadLink>,
    /// Hosts that stop their switches.
    pub storms: Vec<PauseStorm>,
    /// So long without any progress the run counts as stalled.
    pub patience: Span,
    /// Whether every arrival is recorded.
    pub traced: bool,
    /// The seed of every random stream.
    pub seed: u64,
    /// When the run ends at the latest.
    pub until: Instant,
    /// The interval of the throughput series.
    pub interval: Span,
    /// Whether every flow has a series of its own.
    pub by_flow: bool,
    /// Number of threads, which is the number of parts too. How many of them take part at a time is
    /// measured and changes; results depend on neither.
    pub threads: usize,
}

/// Runs a simulation. `stop` ends it early when set; `told` hears the simulated time.
pub fn simulate(
    simulation: &Simulation<'_>,
    stop: &AtomicBool,
    told: &(dyn Fn(Instant) + Sync),
) -> Outcome {
    let cut = Cut::new(simulation.network, simulation.threads);
    let mut parts = cut.parts(simulation);
    let (until, patience) = (simulation.until, simulation.patience);
    let control = Control { stop, told, until, patience, busy_until: scheduled_until(simulation) };
    let ended = run(&mut parts, simulation.threads, lookahead(simulation), &control);
    let fault = first_fault(&parts);
    outcome::collect(simulation, &cut, parts, ended, fault)
}

/// The last start of a flow or return of a link.
fn scheduled_until(simulation: &Simulation<'_>) -> Instant {
    let starts = simulation.flows.iter().map(|flow| flow.start);
    let returns = simulation.dead.iter().map(|dead| dead.to);
    let calms = simulation.storms.iter().map(|storm| storm.to);
    starts
        .chain(returns.chain(calms).filter(|&to| to < simulation.until))
        .max()
        .unwrap_or(Instant::from_ps(0))
}

/// No packet arrives sooner after it starts, over any link: the length of a window.
pub(crate) fn lookahead(simulation: &Simulation<'_>) -> Span {
    let Simulation { network, params, .. } = simulation;
    let wire = &params.wire;
    // What the other end waits for: at least this of a frame, or its header, which is longer.
    let least = wire.control.min(wire.pause).min(wire.header).min(HEADER.into());
    let bytes = u32::from(wire.preamble) + u32::from(least);
    let nodes = (0..network.nodes()).map(NodeId::at);
    let takes = nodes.flat_map(|node| {
        network.ports(node).iter().map(move |port| Pace::of(port.rate).time(bytes) + port.delay)
    });
    takes.min().unwrap_or(network.shortest_delay())
}

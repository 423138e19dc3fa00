//! What is to be run, as it is asked for: raw, and not checked yet.

use std::sync::Arc;

use lightloom_topology::electrical::{Detours, Network, NodeId};
use lightloom_transport::messages::FlowId;
use lightloom_units::{DataSize, Instant, Span};

use crate::circuits::Circuits;
use crate::class::Class;
use crate::multicast::{GroupId, Multicast};
use crate::params::{Accelerator, Params};

/// How a message is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// To whatever buffer the receiver has posted.
    Send,
    /// Into the receiver's memory: its first packet says where, in 16 bytes more.
    Write,
}

/// One message from one host to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// Who sends.
    pub from: NodeId,
    /// Who receives.
    pub to: NodeId,
    /// Its payload, in bytes.
    pub size: DataSize,
    /// When the application asks for it, at the earliest.
    pub start: Instant,
    /// Other messages, to the host that sends this one or from it: the application asks for this one when all of them
    /// have arrived, or are acknowledged. Messages to groups have numbers after all flows; the sender of datagrams
    /// cannot wait for them. Computations have numbers after all messages to groups; those of the sending host can be
    /// waited for. So hosts form overlays (cepheus:II-C.overlays).
    pub after: Vec<FlowId>,
    /// Its priority.
    pub class: Class,
    /// How it is sent.
    pub verb: Verb,
    /// The connection that carries it. Flows of one number, between the same two hosts, share a queue pair;
    /// those of one direction are sent one after the other, in the order of the list. A flow without a
    /// number has a queue pair of its own.
    pub connection: Option<u32>,
}

/// A time during which a host computes, or waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Computation {
    /// The host.
    pub host: NodeId,
    /// A host has one computation of a stream at a time, in the order in which they may begin. Those without a stream
    /// are delays, which go on beside all others.
    pub stream: Option<u32>,
    /// How long it takes.
    pub takes: Span,
    /// When it begins, at the earliest.
    pub start: Instant,
    /// What ends before it begins, by numbers as in [`Flow::after`]: messages to the host or from it, and its
    /// computations.
    pub after: Vec<FlowId>,
    /// Computations of the host that begin before it does.
    pub begun: Vec<FlowId>,
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
    /// Simulated time at which it dies.
    pub from: Instant,
    /// Simulated time from which it works again.
    pub to: Instant,
}

/// Switches send packets to hosts other ways from a time on.
///
/// What arrives at that time still goes the old way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reroute {
    /// From when, until the next one.
    pub at: Instant,
    /// What differs from the usual next hops.
    pub detours: Arc<Detours>,
    /// Reliable groups whose leaders are told at that time to register again, because their ways change or a switch
    /// has lost its tables.
    pub groups: Vec<GroupId>,
}

/// A switch that begins anew: its queues are empty, and it knows no reliable group. What is configured stays:
/// next hops, and rules for groups of datagrams.
///
/// What arrives at that time is lost, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restart {
    /// Simulated time of the restart.
    pub at: Instant,
    /// The switch.
    pub node: NodeId,
}

/// A host whose port is at fault: from a time until before another it stops its switch, again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PauseStorm {
    /// The host.
    pub host: NodeId,
    /// Simulated time of the first pause.
    pub from: Instant,
    /// Simulated time from which it pauses no more.
    pub to: Instant,
}

/// What is to be run. `Simulation::new` of `lightloom-twin` checks it.
#[derive(Debug, Clone)]
pub struct Setup<'a> {
    /// The network of two-way links.
    pub network: &'a Network,
    /// Everything that is neither network nor traffic.
    pub params: Params,
    /// The traffic between two hosts each.
    pub flows: Vec<Flow>,
    /// What hosts compute; nothing by default.
    pub computations: Vec<Computation>,
    /// Random losses; of several on one direction of a link the last counts.
    pub losses: Vec<LinkLoss>,
    /// Links that die, and may come back, once or more often. Packets on them are lost; routes stay as they
    /// are, but for `reroutes`.
    pub dead: Vec<DeadLink>,
    /// Changes of routes, by time; none by default.
    pub reroutes: Vec<Reroute>,
    /// Switches that begin anew.
    pub restarts: Vec<Restart>,
    /// Hosts that stop their switches.
    pub storms: Vec<PauseStorm>,
    /// When links between switches carry light. `None`: at all times.
    pub circuits: Option<Circuits>,
    /// Switches whose reliable groups are served by an accelerator beside them, each once.
    pub accelerators: Vec<(NodeId, Accelerator)>,
    /// One-way splitters, groups, and messages to groups; none by default.
    pub multicast: Multicast,
    /// Time without any progress after which the run counts as stalled.
    pub patience: Span,
    /// Whether every arrival is recorded.
    pub traced: bool,
    /// The seed of every random stream.
    pub seed: u64,
    /// When the run ends at the latest.
    pub until: Instant,
    /// The interval of the throughput series.
    pub interval: Span,
    /// Whether every flow, and every receiver of every message to a group, has a series of its own.
    pub by_flow: bool,
    /// Number of threads, which is the number of parts too. How many of them take part at a time is
    /// measured and changes; results depend on neither.
    pub threads: usize,
}

impl<'a> Setup<'a> {
    /// A network without traffic, losses or failures: seed 1, one thread, at most one second, stalled after 100 ms
    /// without progress, series by the millisecond, nothing recorded. Fields that differ are set beside it:
    /// `Setup { flows, ..Setup::new(&network, params) }`.
    pub fn new(network: &'a Network, params: Params) -> Self {
        Self {
            network,
            params,
            flows: Vec::new(),
            computations: Vec::new(),
            losses: Vec::new(),
            dead: Vec::new(),
            reroutes: Vec::new(),
            restarts: Vec::new(),
            storms: Vec::new(),
            circuits: None,
            accelerators: Vec::new(),
            multicast: Multicast::default(),
            patience: Span::from_ms(100),
            traced: false,
            seed: 1,
            until: Instant::from_s(1),
            interval: Span::from_ms(1),
            by_flow: false,
            threads: 1,
        }
    }

    /// The number of the first computation among everything that can be waited for: after all flows and all messages to
    /// groups.
    pub fn first_computation(&self) -> usize {
        self.flows.len() + self.multicast.casts.len()
    }
}

//! From a simulation to running parts, and back to its outcome.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{DataSize, Instant, Span};

use crate::engine::{Address, Arrival, Control, Node, Out, Part, first_fault, run};
use crate::host::{Host, HostCounts, HostPort, Rate, Receiver, Sender};
use crate::link::{Dead, Loss, LossModel, Pace, Stops, Wire};
use crate::outcome::{self, Outcome};
use crate::packet::{CLASSES, Class, FlowId};
use crate::params::{Forwarding, HEADER, Params};
use crate::random::{Stream, mix};
use crate::switch::{Marking, PortCounts, Queue, Switch, SwitchPort};

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
    /// When the application asks for it.
    pub start: Instant,
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
    /// Links that die, and may come back; of several on one link the last counts. Packets on them are
    /// lost; routes stay as they are.
    pub dead: Vec<DeadLink>,
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
    /// Threads.
    pub threads: usize,
}

/// A host or a switch.
#[derive(Debug)]
pub(crate) enum AnyNode<'a> {
    Host(Box<Host>),
    Switch(Switch<'a>),
}

impl Node for AnyNode<'_> {
    fn prepare(&mut self, arrivals: &[Arrival]) {
        match self {
            Self::Host(_) => {}
            Self::Switch(switch) => switch.prepare(arrivals),
        }
    }

    #[inline]
    fn arrive(&mut self, now: Instant, place: usize, arrival: &Arrival, out: &mut Out<'_>) {
        match self {
            Self::Host(host) => host.arrive(now, arrival, out),
            Self::Switch(switch) => switch.arrive(now, place, arrival, out),
        }
    }

    #[inline]
    fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Host(host) => host.next_timer(),
            Self::Switch(switch) => switch.next_timer(),
        }
    }

    #[inline]
    fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        match self {
            Self::Host(host) => host.fire(now, out),
            Self::Switch(switch) => switch.fire(now, out),
        }
    }

    fn progress(&self) -> Instant {
        match self {
            Self::Host(host) => host.progress,
            Self::Switch(_) => Instant::from_ps(0),
        }
    }
}

/// Kinds of random streams.
const MARKING: u64 = 1;
const LOSS: u64 = 2;
const ENTROPY: u64 = 3;
/// The RETH of a WRITE.
const RETH: u16 = 16;

/// Runs a simulation. `stop` ends it early when set; `told` hears the simulated time.
pub fn simulate(
    simulation: &Simulation<'_>,
    stop: &AtomicBool,
    told: &(dyn Fn(Instant) + Sync),
) -> Outcome {
    let cut = Cut::new(simulation.network, simulation.threads);
    let mut parts = cut.parts(simulation);
    let (until, patience) = (simulation.until, simulation.patience);
    let control = Control { stop, told, until, patience };
    let ended = run(&mut parts, simulation.network.shortest_delay(), &control);
    let fault = first_fault(&parts);
    outcome::collect(simulation, &cut, parts, ended, fault)
}

/// The network cut into parts: nodes of each tier in equal shares, so that what is near stays near.
pub(crate) struct Cut {
    pub(crate) parts: usize,
    addresses: Vec<Address>,
    /// The nodes of each part, in order.
    pub(crate) nodes: Vec<Vec<NodeId>>,
}

impl Cut {
    fn new(network: &Network, threads: usize) -> Self {
        let parts = threads.clamp(1, network.nodes().min(usize::from(u16::MAX)));
        let mut addresses = vec![Address { part: 0, local: 0 }; network.nodes()];
        let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); parts];
        let mut tiers: Vec<Vec<NodeId>> = Vec::new();
        for node in (0..network.nodes()).map(NodeId::at) {
            let tier = usize::from(network.tier(node));
            if tiers.len() <= tier {
                tiers.resize(tier + 1, Vec::new());
            }
            tiers[tier].push(node);
        }
        for tier in &tiers {
            for (i, &node) in tier.iter().enumerate() {
                let part = i * parts / tier.len();
                addresses[node.index()] = Address {
                    part: u16::try_from(part).unwrap_or(0),
                    local: u32::try_from(nodes[part].len()).unwrap_or(u32::MAX),
                };
                nodes[part].push(node);
            }
        }
        Self { parts, addresses, nodes }
    }

    fn parts<'a>(&self, simulation: &Simulation<'a>) -> Vec<Part<AnyNode<'a>>> {
        let trouble = Trouble::new(simulation);
        let mut hosts = hosts(simulation, self, &trouble);
        let mut node = |id: NodeId| {
            if simulation.network.is_host(id) {
                AnyNode::Host(hosts[id.index()].take().expect("each host is in one part"))
            } else {
                AnyNode::Switch(switch(simulation, self, &trouble, id))
            }
        };
        let usual = usual_windows(simulation);
        let mut parts = Vec::with_capacity(self.parts);
        for (number, ids) in (0..).zip(&self.nodes) {
            let nodes = ids.iter().map(|&id| node(id)).collect();
            let mut part = Part::new(number, self.parts, nodes, usual);
            part.trace = simulation.traced.then(Vec::new);
            parts.push(part);
        }
        parts
    }
}

/// Windows within which full packets arrive, on the slowest of the links.
fn usual_windows(simulation: &Simulation<'_>) -> u64 {
    let network = simulation.network;
    let frame = simulation.params.wire.mtu.saturating_add(simulation.params.wire.header);
    let nodes = (0..network.nodes()).map(NodeId::at);
    let takes = nodes.flat_map(|id| {
        (0..network.ports(id).len()).map(move |port| {
            let (wire, _) = wire(simulation, id, port);
            wire.busy(frame).as_ps() + wire.delay.as_ps()
        })
    });
    let window = network.shortest_delay().as_ps().max(1);
    takes.max().unwrap_or(0) / window + 2
}

/// One direction of a link, as its transmitter sees it.
fn wire(simulation: &Simulation<'_>, id: NodeId, port: usize) -> (Wire, u16) {
    let (network, params) = (simulation.network, &simulation.params);
    let port = &network.ports(id)[port];
    let to_switch = !network.is_host(port.peer);
    let cut_through = to_switch && params.switch.forwarding == Forwarding::CutThrough;
    let through = if to_switch { params.switch.latency } else { Span::from_ps(0) };
    let wire = Wire {
        pace: Pace::of(port.rate),
        delay: port.delay + through,
        preamble: params.wire.preamble,
        gap: params.wire.gap,
    };
    (wire, if cut_through { HEADER } else { 0 })
}

/// Losses and deaths by node and port.
struct Trouble {
    losses: BTreeMap<(NodeId, u16), LinkLoss>,
    dead: BTreeMap<(NodeId, u16), Dead>,
}

impl Trouble {
    fn new(simulation: &Simulation<'_>) -> Self {
        let mut dead = BTreeMap::new();
        for &DeadLink { node, port, from, to } in &simulation.dead {
            let peer = &simulation.network.ports(node)[usize::from(port)];
            dead.insert((node, port), Dead { from, to });
            dead.insert((peer.peer, peer.peer_port.0), Dead { from, to });
        }
        let losses = simulation.losses.iter();
        Self { losses: losses.map(|loss| ((loss.from, loss.port), *loss)).collect(), dead }
    }

    fn dead(&self, id: NodeId, port: u16) -> Dead {
        self.dead.get(&(id, port)).copied().unwrap_or(Dead::NEVER)
    }

    /// The loss of one direction of a link, and how many packets pass before the first.
    fn loss(&self, seed: u64, id: NodeId, port: u16) -> (Loss, u64) {
        self.losses.get(&(id, port)).map_or(Loss::NONE, |said| {
            let number = u64::from(id.0) << 16 | u64::from(port);
            Loss::new(LossModel {
                rate: said.rate,
                burst: said.burst,
                random: Stream::new(seed, LOSS, number),
                corrupt: said.corrupt,
            })
        })
    }
}

fn switch<'a>(simulation: &Simulation<'a>, cut: &Cut, trouble: &Trouble, id: NodeId) -> Switch<'a> {
    let network = simulation.network;
    let port = |(number, port): (u16, &lightloom_topology::electrical::Port)| {
        let (wire, header) = wire(simulation, id, number.into());
        let (loss, loss_left) = trouble.loss(simulation.seed, id, number);
        let marking = simulation.params.switch.ecn.map(|ecn| {
            let (rate, at) = (port.rate.as_bps(), ecn.at.as_bps());
            let (kmin, kmax) = Marking::thresholds(ecn.kmin, ecn.kmax, rate, at);
            let stream = u64::from(id.0) << 16 | u64::from(number);
            let random = Stream::new(simulation.seed, MARKING, stream);
            Marking { kmin, kmax, pmax: ecn.pmax, random }
        });
        SwitchPort {
            peer: cut.addresses[port.peer.index()],
            peer_port: port.peer_port.0,
            wire,
            loss,
            loss_left,
            sent: 0,
            sent_data: 0,
            received: 0,
            was_stopped: false,
            dead: trouble.dead(id, number),
            marking,
            header,
            busy_until: Instant::from_ps(0),
            wake_at: None,
            stops: Stops::NONE,
            queued: 0,
            queues: [Queue::EMPTY; CLASSES],
            waiting_in: [0; CLASSES],
            stopped: [false; CLASSES],
            due: [false; CLASSES],
            refresh_at: [Instant::from_ps(0); CLASSES],
            counts: PortCounts::default(),
        }
    };
    let ports = (0..).zip(network.ports(id)).map(port).collect();
    Switch::new(id, network, ports, &simulation.params, simulation.seed)
}

/// All hosts with their queue pairs.
fn hosts(simulation: &Simulation<'_>, cut: &Cut, trouble: &Trouble) -> Vec<Option<Box<Host>>> {
    let (network, params) = (simulation.network, &simulation.params);
    let host = |id: NodeId| {
        let (wire, header) = wire(simulation, id, 0);
        let (loss, loss_left) = trouble.loss(simulation.seed, id, 0);
        let port = &network.ports(id)[0];
        let port = HostPort {
            peer: cut.addresses[port.peer.index()],
            peer_port: port.peer_port.0,
            wire,
            loss,
            loss_left,
            dead: trouble.dead(id, 0),
            header,
            busy_until: Instant::from_ps(0),
            stops: Stops::NONE,
            counts: HostCounts::default(),
        };
        Box::new(Host::new(port, params, simulation.interval))
    };
    let mut hosts: Vec<Option<Box<Host>>> =
        (0..network.hosts()).map(|i| Some(host(NodeId::at(i)))).collect();
    let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    for (id, flow) in (0..).map(FlowId).zip(&simulation.flows) {
        let (from, to) = (flow.from.index(), flow.to.index());
        let senders = hosts[from].as_ref().map_or(0, |host| number(host.senders.len()));
        let receivers = hosts[to].as_ref().map_or(0, |host| number(host.receivers.len()));
        // Sixteen bits of a hash of seed and flow.
        let hash = mix(simulation.seed ^ mix(ENTROPY << 32 | u64::from(id.0)));
        let entropy = u16::try_from(hash >> 48).unwrap_or(0);
        let rate = Rate::new(network.ports(flow.from)[0].rate);
        let extra = if flow.verb == Verb::Write { RETH } else { 0 };
        let sender = Sender::new(
            (id, flow.to, receivers),
            (flow.class, entropy),
            (flow.size.as_bytes(), params.wire.mtu, extra),
            flow.start + params.stack.send,
            rate,
            &params.transport,
        );
        let packets = sender.packets;
        let receiver = Receiver::new(
            (id, flow.from, senders),
            entropy,
            (packets, flow.size.as_bytes(), params.wire.mtu),
            &params.transport,
        );
        if let Some(host) = &mut hosts[to] {
            host.receivers.push(receiver);
        }
        if let Some(host) = &mut hosts[from] {
            host.add_sender(sender);
        }
    }
    hosts
}

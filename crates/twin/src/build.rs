//! From a simulation to running parts.

use std::collections::BTreeMap;

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{Instant, Span};

use crate::engine::{Address, Arrival, Node, Out, Part};
use crate::host::{Host, Rate, Receiver, Sender};
use crate::link::{Dead, Loss, Pace, Transmitter, Trouble};
use crate::packet::FlowId;
use crate::params::{Forwarding, HEADER, RETH};
use crate::random::{ENTROPY, LOSS, Stream, link_number, mix};
use crate::simulation::{DeadLink, LinkLoss, Simulation, Verb, lookahead};
use crate::switch::Switch;

/// A host or a switch.
#[derive(Debug)]
pub(crate) enum AnyNode<'a> {
    Host(Host<'a>),
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

impl AnyNode<'_> {
    /// The links that it transmits on, by port.
    pub(crate) fn links(&self) -> &[Transmitter] {
        match self {
            Self::Host(host) => std::slice::from_ref(&host.link),
            Self::Switch(switch) => &switch.links,
        }
    }
}

/// The network cut into parts: nodes of each tier in equal shares, so that what is near stays near.
pub(crate) struct Cut {
    pub(crate) parts: usize,
    addresses: Vec<Address>,
    /// The nodes of each part, in order.
    pub(crate) nodes: Vec<Vec<NodeId>>,
}

impl Cut {
    pub(crate) fn new(network: &Network, threads: usize) -> Self {
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

    pub(crate) fn parts<'a>(&self, simulation: &'a Simulation<'_>) -> Vec<Part<AnyNode<'a>>> {
        let troubles = Troubles::new(simulation);
        let mut hosts = hosts(simulation, self, &troubles);
        let mut node = |&id: &NodeId| {
            if simulation.network.is_host(id) {
                AnyNode::Host(hosts[id.index()].take().expect("each host is in one part"))
            } else {
                AnyNode::Switch(switch(simulation, self, &troubles, id))
            }
        };
        let nodes: Vec<Vec<AnyNode<'a>>> =
            self.nodes.iter().map(|ids| ids.iter().map(&mut node).collect()).collect();
        let usual = usual_windows(simulation, nodes.iter().flatten());
        let part = |(number, nodes)| {
            let mut part = Part::new(number, self.parts, nodes, usual);
            part.trace = simulation.traced.then(Vec::new);
            part
        };
        (0..).zip(nodes).map(part).collect()
    }

    pub(crate) fn address(&self, node: NodeId) -> Address {
        self.addresses[node.index()]
    }
}

/// Windows within which full packets arrive, on the slowest of the links.
fn usual_windows<'a>(
    simulation: &Simulation<'_>,
    nodes: impl Iterator<Item = &'a AnyNode<'a>>,
) -> u64 {
    let wire = &simulation.params.wire;
    let frame = wire.mtu.saturating_add(wire.header);
    let takes = |link: &Transmitter| link.busy(frame).as_ps() + link.delay.as_ps();
    let longest = nodes.flat_map(AnyNode::links).map(takes).max().unwrap_or(0);
    longest / lookahead(simulation).as_ps().max(1) + 2
}

/// What goes wrong on links, by the node and port that transmit.
struct Troubles {
    losses: BTreeMap<(NodeId, u16), LinkLoss>,
    dead: BTreeMap<(NodeId, u16), Vec<Dead>>,
}

impl Troubles {
    fn new(simulation: &Simulation<'_>) -> Self {
        let mut dead: BTreeMap<_, Vec<Dead>> = BTreeMap::new();
        for &DeadLink { node, port, from, to } in &simulation.dead {
            let peer = &simulation.network.ports(node)[usize::from(port)];
            for end in [(node, port), (peer.peer, peer.peer_port.0)] {
                dead.entry(end).or_default().push(Dead { from, to });
            }
        }
        let losses = simulation.losses.iter();
        Self { losses: losses.map(|loss| ((loss.from, loss.port), *loss)).collect(), dead }
    }

    /// The trouble of one direction of a link.
    fn of(&self, seed: u64, id: NodeId, port: u16) -> Option<Box<Trouble>> {
        let dead = self.dead.get(&(id, port)).cloned().unwrap_or_default();
        let loss = self.losses.get(&(id, port)).map(|said| {
            let random = Stream::new(seed, LOSS, link_number(id, port));
            Loss::new(said.rate, said.burst, said.corrupt, random)
        });
        (loss.is_some() || !dead.is_empty()).then(|| Box::new(Trouble::new(dead, loss)))
    }
}

/// The end of a link that transmits at a port of a node.
fn transmitter(
    simulation: &Simulation<'_>,
    cut: &Cut,
    troubles: &Troubles,
    (id, number): (NodeId, u16),
) -> Transmitter {
    let (network, params) = (simulation.network, &simulation.params);
    let port = &network.ports(id)[usize::from(number)];
    let to_switch = !network.is_host(port.peer);
    let cut_through = to_switch && params.switch.forwarding == Forwarding::CutThrough;
    let through = if to_switch { params.switch.latency } else { Span::from_ps(0) };
    Transmitter {
        busy_until: Instant::from_ps(0),
        pace: Pace::of(port.rate),
        delay: port.delay + through,
        sent: 0,
        sent_bytes: 0,
        trouble: troubles.of(simulation.seed, id, number),
        peer: cut.address(port.peer),
        peer_port: port.peer_port.0,
        preamble: params.wire.preamble,
        gap: params.wire.gap,
        header: if cut_through { HEADER } else { 0 },
        waits: false,
    }
}

fn switch<'a>(
    simulation: &'a Simulation<'_>,
    cut: &Cut,
    troubles: &Troubles,
    id: NodeId,
) -> Switch<'a> {
    let network = simulation.network;
    let ports = (0..).zip(network.ports(id));
    let link = |(number, _)| transmitter(simulation, cut, troubles, (id, number));
    Switch::new(id, network, ports.map(link).collect(), &simulation.params, simulation.seed)
}

/// All hosts with their queue pairs.
fn hosts<'a>(
    simulation: &'a Simulation<'_>,
    cut: &Cut,
    troubles: &Troubles,
) -> Vec<Option<Host<'a>>> {
    let (network, params) = (simulation.network, &simulation.params);
    let host = |id| {
        let link = transmitter(simulation, cut, troubles, (id, 0));
        Some(Host::new(link, params, (simulation.interval, simulation.by_flow)))
    };
    let mut hosts: Vec<_> = (0..network.hosts()).map(NodeId::at).map(host).collect();
    // The queue pair of each flow at its receiver.
    let mut at_receiver: Vec<u32> = Vec::with_capacity(simulation.flows.len());
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
        at_receiver.push(receivers);
        let Some(host) = &mut hosts[from] else { continue };
        host.senders.push(sender);
        match flow.after {
            None => host.ask(senders, flow.start, params.stack.send),
            Some(before) => {
                let handed = &simulation.flows[before.index()];
                assert!(handed.to == flow.from, "a host hands on what it receives");
                let before = at_receiver[before.index()] as usize;
                host.receivers[before].then.push((senders, flow.start));
            }
        }
    }
    for &storm in &simulation.storms {
        if let Some(host) = hosts.get_mut(storm.host.index()).and_then(Option::as_mut) {
            host.add_storm(storm);
        }
    }
    hosts
}

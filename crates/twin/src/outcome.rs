//! What came of a run, and whether every packet is accounted for.

use std::collections::BTreeMap;

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{Instant, Span};

use crate::build::{AnyNode, Cut};
use crate::deadlock;
use crate::drops::{DropReason, Drops};
use crate::engine::{End, Part, Seen};
use crate::fault::{Fault, Overflow};
use crate::packet::{FlowId, Kind, Packet};
use crate::simulation::Simulation;

/// What came of one flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowOutcome {
    /// When the sending application asked for it; none of a message that waits for another to hand on.
    pub asked: Option<Instant>,
    /// When the receiving application had all of it.
    pub received: Option<Instant>,
    /// When the sender knew.
    pub acknowledged: Option<Instant>,
    /// Packets that went out, repetitions included.
    pub sent: u64,
    /// Packets that were repeated.
    pub repeated: u64,
    /// Packets that reached the receiver, copies included.
    pub delivered: u64,
    /// Packets that were dropped.
    pub dropped: u64,
    /// Packets that were under way at the end.
    pub in_flight: u64,
    /// Packets that arrived again though the receiver had them: they were repeated in vain.
    pub spurious: u64,
    /// Acknowledgements and notifications that were dropped.
    pub answers_dropped: u64,
    /// Timeouts.
    pub timeouts: u64,
}

impl FlowOutcome {
    /// Whether the receiving application has all of it, and the sender has not heard so.
    pub fn is_unacknowledged(&self) -> bool {
        self.received.is_some() && self.acknowledged.is_none()
    }
}

/// What went over one direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkOutcome {
    /// The node that transmits.
    pub from: NodeId,
    /// Its port.
    pub port: u16,
    /// Packets put on the wire.
    pub sent: u64,
    /// Their bytes, from the first of the Ethernet header to the last of the check sequence.
    pub sent_bytes: u64,
    /// Of those packets, lost on it.
    pub lost: u64,
    /// Of those, arrived.
    pub received: u64,
    /// Of those, on it at the end.
    pub in_flight: u64,
    /// Packets marked in the queue before it.
    pub marked: u64,
    /// Pauses sent over it.
    pub pauses: u64,
    /// The longest queue before it, in bytes.
    pub most_queued: u32,
    /// How long the other end had stopped it.
    pub stopped: Span,
}

/// A packet that arrived at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// When.
    pub at: Instant,
    /// At which node.
    pub node: NodeId,
    /// On which port.
    pub port: u16,
    /// What.
    pub packet: Packet,
    /// Whose it is; none of a pause.
    pub flow: Option<FlowId>,
}

/// A sum that does not come out even: a fault of the twin itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// Packets of a flow appeared or vanished.
    Flow(usize),
    /// Packets on a link appeared or vanished.
    Link(NodeId, u16),
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The simulated time that was reached.
    pub reached: Instant,
    /// How the run ended.
    pub end: End,
    /// The promise that was broken, where one was.
    pub fault: Option<Fault>,
    /// Headroom that overflowed, by time, node and port.
    pub overflows: Vec<Overflow>,
    /// Each flow, in order.
    pub flows: Vec<FlowOutcome>,
    /// Each direction of each link, by node and port.
    pub links: Vec<LinkOutcome>,
    /// Drops by place and reason.
    pub drops: BTreeMap<(NodeId, u16, DropReason), u64>,
    /// Payload that arrived in order, by interval, over all hosts.
    pub goodput: Vec<u64>,
    /// The same for each flow, where it was asked for; empty else.
    pub flow_goodput: Vec<Vec<u64>>,
    /// Arrivals and timers.
    pub events: u64,
    /// Data packets times the links that they crossed.
    pub data_hops: u64,
    /// All other packets times links.
    pub control_hops: u64,
    /// Congestion notifications.
    pub notifications: u64,
    /// Ports whose packets wait at the end because the next switch has stopped them, with the bytes.
    pub stopped: Vec<(NodeId, u16, u64)>,
    /// Rings of ports that have stopped each other for ever, each in the order in which its ports wait: for the
    /// next one, and the last for the first. With the lossless bytes that wait at each.
    pub rings: Vec<Vec<(NodeId, u16, u64)>>,
    /// All ports that are stopped for ever: those of rings, and those that wait for one.
    pub stuck: Vec<(NodeId, u16, u64)>,
    /// Every arrival, by time, node and port; empty unless it was asked for.
    pub trace: Vec<Hop>,
    /// Sums that do not come out even; empty unless the twin itself is wrong.
    pub broken: Vec<Broken>,
}

/// Gathers the outcome of all parts.
pub(crate) fn collect(
    simulation: &Simulation<'_>,
    cut: &Cut,
    mut parts: Vec<Part<AnyNode<'_>>>,
    (reached, end): (Instant, End),
    fault: Option<Fault>,
) -> Outcome {
    let mut outcome = Outcome {
        reached,
        end,
        fault,
        overflows: Vec::new(),
        flows: vec![FlowOutcome::default(); simulation.flows.len()],
        links: Vec::new(),
        drops: BTreeMap::new(),
        goodput: Vec::new(),
        flow_goodput: if simulation.by_flow {
            vec![Vec::new(); simulation.flows.len()]
        } else {
            Vec::new()
        },
        events: parts.iter().map(|part| part.events).sum(),
        data_hops: parts.iter().map(|part| part.data_hops).sum(),
        control_hops: 0,
        notifications: 0,
        stopped: Vec::new(),
        rings: Vec::new(),
        stuck: Vec::new(),
        trace: Vec::new(),
        broken: Vec::new(),
    };
    let mut links = Links::new(simulation.network);
    let traces: Vec<Vec<Seen>> =
        parts.iter_mut().map(|part| part.trace.take().unwrap_or_default()).collect();
    let owners = Owners { cut, parts: &parts };
    for ((part, ids), trace) in parts.iter().zip(&cut.nodes).zip(traces) {
        outcome.trace.extend(trace.into_iter().map(|Seen { local, arrival }| Hop {
            at: arrival.at,
            node: ids[local as usize],
            port: arrival.packet.port,
            packet: arrival.packet,
            flow: owners.of(&arrival.packet),
        }));
        for (node, &id) in part.nodes.iter().zip(ids) {
            outcome.add_node(id, node, &owners);
            outcome.add_links(simulation, id, node, &mut links);
        }
        for (local, arrival) in part.on_the_way() {
            outcome.in_flight(&arrival.packet, &owners);
            let at = &simulation.network.ports(ids[local])[usize::from(arrival.packet.port)];
            links.of(at.peer, at.peer_port.0).in_flight += 1;
        }
    }
    outcome.links = links.all;
    // Until here these were all hops.
    outcome.control_hops -= outcome.data_hops;
    let deadlock = deadlock::find(simulation.network, cut, &parts, reached);
    (outcome.rings, outcome.stuck) = (deadlock.rings, deadlock.stuck);
    outcome.cut_ends(simulation.until);
    outcome.stopped.sort_unstable();
    outcome.overflows.sort_unstable_by_key(|overflow| (overflow.at, overflow.node, overflow.port));
    outcome.trace.sort_unstable_by_key(|hop| (hop.at, hop.node, hop.port));
    outcome.check();
    outcome
}

/// Whose a packet is: it says only to which queue pair it goes.
struct Owners<'a, 'b> {
    cut: &'a Cut,
    parts: &'a [Part<AnyNode<'b>>],
}

impl Owners<'_, '_> {
    fn of(&self, packet: &Packet) -> Option<FlowId> {
        self.at(packet.to, packet.qp, packet.kind)
    }

    fn at(&self, to: NodeId, qp: u32, kind: Kind) -> Option<FlowId> {
        if kind == Kind::Pause {
            return None;
        }
        let address = self.cut.address(to);
        let node = &self.parts[usize::from(address.part)].nodes[address.local as usize];
        match (node, kind) {
            (AnyNode::Host(host), Kind::Data) => Some(host.receivers[qp as usize].flow),
            (AnyNode::Host(host), _) => Some(host.senders[qp as usize].flow),
            (AnyNode::Switch(_), _) => None,
        }
    }
}

/// The outcomes of all links, by node and port.
struct Links {
    all: Vec<LinkOutcome>,
    /// Where those of each node begin.
    first: Vec<usize>,
}

impl Links {
    fn new(network: &Network) -> Self {
        let mut links = Self { all: Vec::new(), first: Vec::with_capacity(network.nodes()) };
        for node in (0..network.nodes()).map(NodeId::at) {
            links.first.push(links.all.len());
            let ports =
                (0..).zip(network.ports(node)).map(|(port, _)| LinkOutcome::new(node, port));
            links.all.extend(ports);
        }
        links
    }

    fn of(&mut self, node: NodeId, port: u16) -> &mut LinkOutcome {
        &mut self.all[self.first[node.index()] + usize::from(port)]
    }
}

impl LinkOutcome {
    fn new(from: NodeId, port: u16) -> Self {
        Self {
            from,
            port,
            sent: 0,
            sent_bytes: 0,
            lost: 0,
            received: 0,
            in_flight: 0,
            marked: 0,
            pauses: 0,
            most_queued: 0,
            stopped: Span::ZERO,
        }
    }
}

impl Outcome {
    fn add_node(&mut self, id: NodeId, node: &AnyNode<'_>, owners: &Owners<'_, '_>) {
        for link in node.links() {
            self.control_hops += link.sent;
        }
        match node {
            AnyNode::Host(host) => {
                for sender in &host.senders {
                    let flow = &mut self.flows[sender.flow.index()];
                    (flow.asked, flow.acknowledged) = (sender.asked, sender.done);
                    (flow.sent, flow.repeated) = (sender.sent, sender.resent);
                    flow.timeouts = sender.timeouts;
                }
                for receiver in &host.receivers {
                    let flow = &mut self.flows[receiver.flow.index()];
                    flow.received = receiver.done;
                    (flow.delivered, flow.spurious) = (receiver.delivered, receiver.copies);
                    if let Some(series) = self.flow_goodput.get_mut(receiver.flow.index()) {
                        series.clone_from(&receiver.goodput);
                    }
                }
                if self.goodput.len() < host.goodput.len() {
                    self.goodput.resize(host.goodput.len(), 0);
                }
                self.goodput.iter_mut().zip(&host.goodput).for_each(|(sum, add)| *sum += add);
                self.notifications += host.notifications;
                self.add_drops(id, &host.drops, owners);
            }
            AnyNode::Switch(switch) => {
                switch.waiting().for_each(|packet| self.in_flight(packet, owners));
                let stopped = switch.stopped(self.reached);
                self.stopped.extend(stopped.map(|(port, bytes)| (id, port, bytes)));
                self.overflows.extend(switch.overflows());
                self.add_drops(id, &switch.drops, owners);
            }
        }
    }

    /// A message that the application would have after the end of the run is unfinished; a run that is done
    /// ends when the last application has its message, and one whose flows are all done is done. Where all
    /// applications have their messages only acknowledgements are missing.
    fn cut_ends(&mut self, until: Instant) {
        let all_done = self.flows.iter().all(|flow| flow.acknowledged.is_some());
        if self.end == End::Stalled && all_done {
            self.end = End::Done;
        }
        if self.end == End::Done {
            let received = self.flows.iter().filter_map(|flow| flow.received);
            self.reached = received.fold(self.reached, Instant::max).min(until);
        }
        for flow in &mut self.flows {
            flow.received = flow.received.filter(|&at| at <= self.reached);
        }
        let all_received = self.flows.iter().all(|flow| flow.received.is_some());
        if self.end == End::Stalled && all_received && self.rings.is_empty() {
            self.end = End::Unacknowledged;
        }
    }

    fn add_drops(&mut self, id: NodeId, drops: &Drops, owners: &Owners<'_, '_>) {
        for (drop, packets) in drops.iter() {
            *self.drops.entry((id, drop.port, drop.reason)).or_default() += packets;
            if let Some(flow) = owners.at(drop.to, drop.qp, drop.kind) {
                let flow = &mut self.flows[flow.index()];
                let dropped = match drop.kind {
                    Kind::Data => &mut flow.dropped,
                    _ => &mut flow.answers_dropped,
                };
                *dropped += packets;
            }
        }
    }

    fn in_flight(&mut self, packet: &Packet, owners: &Owners<'_, '_>) {
        if packet.kind == Kind::Data
            && let Some(flow) = owners.of(packet)
        {
            self.flows[flow.index()].in_flight += 1;
        }
    }

    fn add_links(
        &mut self,
        simulation: &Simulation<'_>,
        id: NodeId,
        node: &AnyNode<'_>,
        links: &mut Links,
    ) {
        for (port, sends) in (0..).zip(node.links()) {
            let back = &simulation.network.ports(id)[usize::from(port)];
            links.of(back.peer, back.peer_port.0).received = match node {
                AnyNode::Host(host) => host.received,
                AnyNode::Switch(switch) => switch.ways_in[usize::from(port)].received,
            };
            let link = links.of(id, port);
            (link.sent, link.sent_bytes, link.lost) = (sends.sent, sends.sent_bytes, sends.lost());
            link.stopped = match node {
                AnyNode::Host(host) => host.stops.total(self.reached),
                AnyNode::Switch(switch) => {
                    let queues = &switch.ports[usize::from(port)];
                    let rare = queues.rare();
                    (link.marked, link.pauses) = (rare.marked, rare.pauses);
                    link.most_queued = queues.most_queued;
                    rare.stopped.total(self.reached)
                }
            };
        }
    }

    /// Sent = delivered + dropped + under way, for each flow and each link.
    fn check(&mut self) {
        for (number, flow) in self.flows.iter().enumerate() {
            if flow.sent != flow.delivered + flow.dropped + flow.in_flight {
                self.broken.push(Broken::Flow(number));
            }
        }
        for link in &self.links {
            if link.sent != link.lost + link.received + link.in_flight {
                self.broken.push(Broken::Link(link.from, link.port));
            }
        }
    }
}

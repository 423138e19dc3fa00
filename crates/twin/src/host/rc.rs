//! A queue pair of a reliable connection (RC): two-way, and as long as its connection lives (cepheus:V-C.transport).
//!
//! Each direction exists where messages go that way. With its default of one message the connection is what a
//! message of its own is.

use std::collections::BTreeMap;

use lightloom_setup::params::{Notices, Params, RETH};
use lightloom_setup::{Flow, Setup, Verb};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::dcqcn::Rate;
use lightloom_transport::messages::Waiter;
use lightloom_transport::outgoing::Outgoing;
use lightloom_transport::receiver::{Incoming, Receiver, Reply};
use lightloom_transport::sender::{QueuePairError, Sender};
use lightloom_units::{Instant, Span};

use super::desk::Desk;
use super::transport::{Arrived, Event, Handed, Hosts, Open, Placed, Transport};
use crate::outcome::{Outcome, Waiting, WaitsFor};
use crate::packet::{Class, Dest, Ecn, FlowId, Kind, Life, Packet, Psn};
use crate::random::entropy;
use crate::simulation::Simulation;

/// Where the other end of a connection is, and how its packets travel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) host: Dest,
    /// The queue pair there.
    pub(crate) qp: u32,
    pub(crate) class: Class,
    pub(crate) entropy: u16,
}

/// A queue pair.
#[derive(Debug)]
pub(crate) struct Rc {
    pub(crate) peer: Peer,
    pub(crate) sender: Option<Box<Sender>>,
    pub(crate) receiver: Option<Box<Receiver>>,
    /// The receiving side where the queue pair is in the error state: nothing reaches it any more.
    closed: Option<Box<Receiver>>,
}

impl Rc {
    /// A queue pair without any message.
    pub(crate) fn new(peer: Peer) -> Self {
        Self { peer, sender: None, receiver: None, closed: None }
    }

    /// What has come in, in the error state too.
    pub(crate) fn incoming(&self) -> Option<&Receiver> {
        self.receiver.as_deref().or(self.closed.as_deref())
    }

    /// What came of the messages that it sent.
    pub(super) fn report_sent(&self, params: &Params, outcome: &mut Outcome) {
        let Some(sender) = &self.sender else { return };
        outcome.add_failed(sender, None);
        for message in sender.messages.iter() {
            let flow = outcome.of(message.flow);
            (flow.asked, flow.acknowledged) = (message.asked, message.done);
            (flow.sent, flow.repeated) = (message.sent, message.resent);
            (flow.repeated_late, flow.timeouts) = (message.resent_late, message.timeouts);
            flow.bytes.asked = message.all_bytes(params.wire.mtu, params.wire.header);
            flow.bytes.sent = message.sent_bytes;
            flow.bytes.first = message.sent_bytes - message.resent_bytes;
        }
    }

    /// Its timer fires: the error where the oldest packet may not be repeated again.
    pub(super) fn silence(&mut self, now: Instant, desk: &Desk<'_>) -> Option<QueuePairError> {
        self.sender.as_mut()?.silence(now, &desk.params.transport)
    }

    /// The queue pair goes to the error state. It sends nothing more, and drops what comes in.
    #[cold]
    fn fail(&mut self, error: QueuePairError) {
        if let Some(sender) = &mut self.sender {
            sender.fail(error);
        }
        self.closed = self.receiver.take();
    }

    #[inline(always)]
    fn data(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        let Some(receiver) = self.receiver.as_deref_mut() else { return Arrived::Stray };
        let (in_order, reply) = receiver.data(packet.psn, packet.bytes, &desk.params.transport);
        let is_complete = in_order > 0 && receiver.deliver(now, in_order, desk);
        let Peer { host, qp, entropy, .. } = self.peer;
        let bytes = desk.params.wire.control;
        let control = |kind, psn, seen, ecn| Packet {
            entropy,
            ecn,
            ..Packet::control((host, qp), kind, (psn, seen), bytes)
        };
        let mut echo = Ecn::Not;
        if packet.ecn == Ecn::Marked
            && let Some(dcqcn) = &desk.params.dcqcn
            && receiver.notified.is_none_or(|last| now >= last + dcqcn.cnp_interval)
            && (dcqcn.notices == Notices::Packets || reply != Reply::Nothing)
        {
            receiver.notified = Some(now);
            desk.notifications += 1;
            match dcqcn.notices {
                Notices::Packets => {
                    let notice = control(Kind::Cnp, packet.psn, packet.psn, Ecn::Not);
                    desk.control.push_back(notice);
                }
                Notices::Answers => echo = Ecn::Marked,
            }
        }
        match reply {
            Reply::Nothing => {}
            Reply::Ack(psn) => desk.control.push_back(control(Kind::Ack, psn, psn, echo)),
            Reply::Nack(psn, seen) => desk.control.push_back(control(Kind::Nack, psn, seen, echo)),
        }
        if is_complete { Arrived::Complete } else { Arrived::Noted }
    }
}

impl Transport for Rc {
    #[inline(always)]
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        if packet.kind == Kind::Data {
            return self.data(now, packet, desk);
        }
        let Some(sender) = self.sender.as_deref_mut() else { return Arrived::Stray };
        let transport = &desk.params.transport;
        // Switches mark data only: a mark on an answer is the receiver's notification.
        if (packet.kind == Kind::Cnp || packet.ecn == Ecn::Marked)
            && let Some(dcqcn) = &desk.params.dcqcn
        {
            sender.rate.notified(now, dcqcn);
        }
        let ends = match packet.kind {
            Kind::Cnp => false,
            Kind::Nack => sender.missed(now, packet.psn, packet.seen, transport),
            Kind::Ack => sender.acknowledged(now, packet.psn, transport),
            _ => return Arrived::Stray,
        };
        let hands_on = ends && sender.hand_on(&mut desk.handed);
        if hands_on { Arrived::Complete } else { Arrived::Sending }
    }

    #[inline]
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
        let sender = self.sender.as_deref_mut()?;
        sender.has_work(&desk.params.transport).then_some(sender.eligible)
    }

    #[inline(always)]
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        let params = desk.params;
        let wire = &params.wire;
        let sender = self.sender.as_deref_mut().expect("only what sends has a next packet");
        let place = sender.take();
        let (bytes, message, is_first) = sender.goes_out(place, wire.mtu, wire.header);
        if is_first {
            desk.progress = now;
        }
        if !sender.is_waiting_since_before() {
            sender.listen_from(now, &params.transport);
        }
        let on_wire = u32::from(wire.preamble) + u32::from(bytes) + u32::from(wire.gap);
        let gap = match &params.dcqcn {
            Some(dcqcn) => sender.rate.sent(now, on_wire, dcqcn),
            None => desk.pace.time(on_wire),
        };
        sender.may_go_on(now + gap, &params.transport);
        Packet {
            to: self.peer.host,
            qp: self.peer.qp,
            psn: params.transport.psn(place),
            seen: Psn::new(message),
            bytes,
            entropy: self.peer.entropy,
            port: 0,
            kind: Kind::Data,
            ecn: if params.switch.ecn.is_some() { Ecn::Capable } else { Ecn::Not },
            class: self.peer.class,
            life: Life::default(),
        }
    }

    #[inline]
    fn timer(&self) -> Option<Instant> {
        let sender = self.sender.as_deref().filter(|sender| !sender.is_idle())?;
        Some(sender.deadline())
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        if let Some(error) = self.silence(now, desk) {
            self.fail(error);
        }
    }

    fn ask(&mut self, message: u32, now: Instant, asked: (Instant, Span), desk: &Desk<'_>) {
        if let Some(sender) = &mut self.sender {
            sender.ask(message, now, asked, &desk.params.transport);
        }
    }

    fn handed(&mut self, message: u32, _: Instant, _: &mut Desk<'_>) -> Handed {
        let Some(sender) = &mut self.sender else { return Handed::Noted };
        let bytes = sender.bytes(message);
        sender.one_less(message).map_or(Handed::Noted, |earliest| Handed::Ask(earliest, bytes))
    }

    fn completed(&self) -> usize {
        let messages = self.incoming().into_iter().flat_map(|half| half.messages.iter());
        messages.filter(|message| message.done.is_some()).count()
    }

    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId> {
        match kind {
            Kind::Data => Some(self.incoming()?.messages.get(message)?.flow),
            Kind::Pause => None,
            _ => Some(self.sender.as_ref()?.waited_for()?.flow),
        }
    }

    fn then(&mut self, event: Event, waiter: Waiter) -> bool {
        match event {
            Event::Acknowledged(at) => self.sender.as_mut().is_some_and(|it| it.then(at, waiter)),
            Event::Arrived(at) => self.receiver.as_mut().is_some_and(|it| it.then(at, waiter)),
            Event::Begun(_) | Event::Computed(_) => false,
        }
    }

    fn report(&self, _: NodeId, params: &Params, outcome: &mut Outcome) {
        self.report_sent(params, outcome);
        let Some(receiver) = self.incoming() else { return };
        for message in receiver.messages.iter() {
            let flow = outcome.of(message.flow);
            flow.received = message.done;
            flow.in_order = receiver.in_order(message, params.wire.mtu);
            (flow.delivered, flow.spurious) = (message.delivered, message.copies);
            flow.bytes.delivered = message.delivered_bytes;
            outcome.add_series(message.flow, &message.goodput);
        }
    }

    /// The oldest message waits, unless nothing of it is under way.
    fn waiting(&self, params: &Params, to: &mut Vec<Waiting>) {
        let sender = self.sender.as_deref().filter(|sender| !sender.is_idle());
        let oldest = sender.and_then(|sender| Some((sender.waited_for()?.flow, sender.acked())));
        to.extend(oldest.map(|(message, acked)| {
            let what = WaitsFor::Acknowledgement(params.transport.psn(acked));
            Waiting { message, what }
        }));
    }
}

impl Open for Rc {
    type Opens = Self;

    /// A connection for each flow, or for all that share one.
    fn open(simulation: &Simulation<'_>, hosts: &mut impl Hosts<Self>) {
        let setup = simulation.setup();
        let mut connections = Connections::default();
        let placed = (0..).map(FlowId).zip(&setup.flows).map(|(id, flow)| {
            let placed = connections.add(setup, hosts, id, flow);
            hosts.place(id, placed);
            (flow, placed)
        });
        for (flow, placed) in placed.collect::<Vec<_>>() {
            if flow.after.is_empty() {
                let asked = (flow.start, flow.size.as_bytes());
                hosts.ask(flow.from, placed.from, asked);
            }
        }
    }
}

/// The queue pairs of connections: that of the host that opened it, and that of the other.
#[derive(Default)]
struct Connections(BTreeMap<u32, (NodeId, u32, u32)>);

impl Connections {
    /// Adds a flow to its connection, which its first flow opens.
    fn add(
        &mut self,
        setup: &Setup<'_>,
        hosts: &mut impl Hosts<Rc>,
        id: FlowId,
        flow: &Flow,
    ) -> Placed {
        let known = flow.connection.and_then(|name| self.0.get(&name).copied());
        let (opener, here, there) = known.unwrap_or_else(|| {
            let (here, there) = connect(setup, hosts, id, flow);
            if let Some(name) = flow.connection {
                self.0.insert(name, (flow.from, here, there));
            }
            (flow.from, here, there)
        });
        let (from, to) = if opener == flow.from { (here, there) } else { (there, here) };
        let (params, size) = (&setup.params, flow.size.as_bytes());
        let extra = if flow.verb == Verb::Write { RETH } else { 0 };
        let missing = u32::try_from(flow.after.len()).unwrap_or(u32::MAX);
        let message = Outgoing::new(id, size, params.wire.mtu, extra);
        let message = message.waits_for(missing, flow.start);
        let outgoing = match &mut hosts.endpoint(flow.from, from).sender {
            Some(sender) => sender.push(message),
            none => {
                let rate = Rate::new(setup.network.ports(flow.from)[0].rate);
                *none = Some(Box::new(Sender::new(message, rate, &params.transport)));
                0
            }
        };
        let message = Incoming::new(id, size, params.wire.mtu);
        let incoming = match &mut hosts.endpoint(flow.to, to).receiver {
            Some(receiver) => receiver.push(message),
            none => {
                *none = Some(Box::new(Receiver::new(message)));
                0
            }
        };
        Placed {
            from: Waiter { endpoint: from, message: outgoing },
            to: Waiter { endpoint: to, message: incoming },
        }
    }
}

/// Opens a connection: the queue pairs at the host that sends its first flow, and at the other.
fn connect(setup: &Setup<'_>, hosts: &mut impl Hosts<Rc>, id: FlowId, flow: &Flow) -> (u32, u32) {
    let entropy = entropy(setup.seed, id.0);
    let mut end = |at, other| {
        let peer = Peer { host: Dest::host(other), qp: 0, class: flow.class, entropy };
        hosts.open(at, Rc::new(peer), flow.class)
    };
    let (here, there) = (end(flow.from, flow.to), end(flow.to, flow.from));
    hosts.endpoint(flow.from, here).peer.qp = there;
    hosts.endpoint(flow.to, there).peer.qp = here;
    (here, there)
}

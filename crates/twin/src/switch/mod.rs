//! A switch: packets come in, wait in the shared buffer, and go out.

mod buffer;
mod port;
mod waits;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lightloom_prefetch::prefetch_read;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{Instant, Span};

use crate::drops::{DropReason, Drops};
use crate::engine::{Arrival, NEVER, Out};
use crate::fault::{Fault, Overflow};
use crate::link::{MOST_QUANTA, Transmitter};
use crate::packet::{Class, Ecn, Kind, Packet};
use crate::params::{EcnParams, Forwarding, HEADER, Overflows, Params};
use crate::random::{MARKING, Stream, link_number, mix};
use buffer::{Buffer, Queue};
use port::{Marking, Overflowed, PortQueues};
pub(crate) use waits::ByIngress;

/// From when the first packet of a queue may start: at once, but where packets cut through.
fn ready_in(buffer: &Buffer, forwarding: Forwarding) -> impl Fn(&Queue) -> Instant {
    let cuts = forwarding == Forwarding::CutThrough;
    move |queue| if cuts { buffer.ready(queue) } else { Instant::from_ps(0) }
}

/// What came in at a port.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WayIn {
    /// Packets.
    pub(crate) received: u64,
    /// Lossless bytes that are still in the buffer.
    waiting: u32,
    /// Whether the other end was told to stop sending lossless packets, or is to be.
    stopped: bool,
}

/// A switch.
#[derive(Debug)]
pub(crate) struct Switch<'a> {
    pub(crate) id: NodeId,
    network: &'a Network,
    /// By port: where packets go out.
    pub(crate) links: Vec<Transmitter>,
    /// By port: what came in.
    pub(crate) ways_in: Vec<WayIn>,
    ecn: Option<EcnParams>,
    /// Queues up to this many bytes are marked at no port.
    mark_above: u32,
    seed: u64,
    /// By port: what waits there.
    pub(crate) ports: Vec<PortQueues>,
    /// Whether any link here is ever dead.
    mortal: bool,
    buffer: Buffer,
    /// When a port is to be served again: (time, port).
    timers: BinaryHeap<Reverse<(Instant, u16)>>,
    salt: u64,
    /// The ways out of the packets that arrive in this window.
    ways: Vec<u16>,
    pause_bytes: u16,
    forwarding: Forwarding,
    overflow: Overflows,
    pub(crate) drops: Drops,
}

impl<'a> Switch<'a> {
    pub(crate) fn new(
        id: NodeId,
        network: &'a Network,
        links: Vec<Transmitter>,
        params: &Params,
        seed: u64,
    ) -> Self {
        let ecn = params.switch.ecn;
        let rates = network.ports(id).iter().map(|port| port.rate);
        let kmin = |rate| Some(Marking::new(ecn.as_ref()?, rate, Stream::new(seed, 0, 0)).kmin());
        Self {
            id,
            network,
            buffer: Buffer::new(&params.switch, links.len(), params.wire),
            ports: (0..links.len()).map(|_| PortQueues::EMPTY).collect(),
            ways_in: vec![WayIn::default(); links.len()],
            mark_above: rates.filter_map(kmin).min().unwrap_or(u32::MAX),
            ecn,
            seed,
            mortal: links.iter().any(Transmitter::is_mortal),
            links,
            timers: BinaryHeap::new(),
            ways: Vec::new(),
            salt: mix(seed ^ u64::from(id.0)),
            pause_bytes: params.wire.pause,
            forwarding: params.switch.forwarding,
            overflow: params.switch.overflow,
            drops: Drops::default(),
        }
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    /// Finds the way out of each packet.
    pub(crate) fn prepare(&mut self, arrivals: &[Arrival]) {
        self.ways.clear();
        for Arrival { packet, .. } in arrivals {
            let way = if packet.kind == Kind::Pause { 0 } else { self.way(packet) };
            prefetch_read(&raw const self.links[usize::from(way)]);
            self.ways.push(way);
        }
    }

    /// One of the shortest ways to a packet's host, the same for all packets of a flow.
    fn way(&self, packet: &Packet) -> u16 {
        let routes = self.network.routes(self.id, packet.to);
        // The high bits of the product choose evenly among the ways.
        let hash = mix(self.salt ^ u64::from(packet.entropy)) >> 32;
        let choice = usize::try_from((hash * routes.len() as u64) >> 32).unwrap_or(0);
        routes.get(choice).0
    }

    pub(crate) fn arrive(
        &mut self,
        now: Instant,
        place: usize,
        arrival: &Arrival,
        out: &mut Out<'_>,
    ) {
        let packet = arrival.packet;
        let port = usize::from(packet.port);
        self.ways_in[port].received += 1;
        // A switch that cuts through has the head of a frame on its way before it can know that the tail is
        // wrong.
        let checks = self.forwarding == Forwarding::StoreAndForward || packet.kind == Kind::Pause;
        if packet.corrupt && checks {
            self.drop(&packet, packet.port, DropReason::Corrupt);
        } else if self.mortal && self.links[port].is_dead(now) {
            self.drop(&packet, packet.port, DropReason::Dead);
        } else if packet.kind == Kind::Pause {
            self.ports[port].pause(now, packet.class, packet.psn, self.links[port].pace);
            self.serve(now, packet.port, out);
        } else {
            let way = self.ways[place];
            self.forward(now, way, packet, out);
        }
    }

    pub(crate) fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        if let Some(Reverse((_, port))) = self.timers.pop() {
            let woken = &mut self.ports[usize::from(port)];
            if woken.wake_at == now {
                woken.wake_at = NEVER;
                self.serve(now, port, out);
            }
            self.forget_stale();
        }
    }

    /// Hands a packet on: straight out where nothing is in its way, else into the buffer.
    fn forward(&mut self, now: Instant, way: u16, mut packet: Packet, out: &mut Out<'_>) {
        let (class, egress) = (packet.class, usize::from(way));
        let link = &self.links[egress];
        let ready = self.ready(now, way, &packet);
        let free = link.busy_until <= now && ready <= now;
        if free && (!link.waits || self.ports[egress].lets_pass(now, class)) {
            self.send(now, way, packet, out);
            return;
        }
        let queued = self.ports[egress].queues[class.index()].bytes;
        if queued > self.mark_above && packet.ecn == Ecn::Capable && self.marks(way, class) {
            packet.ecn = Ecn::Marked;
        }
        if !self.admit(now, way, &packet, out) {
            return;
        }
        let port = &mut self.ports[egress];
        let queue = &mut port.queues[class.index()];
        self.buffer.push(queue, packet, ready);
        port.most_queued = port.most_queued.max(queue.bytes);
        self.links[egress].waits = true;
        self.schedule(now, way);
    }

    /// Whether a packet is marked that joins the queue of a class.
    fn marks(&mut self, way: u16, class: Class) -> bool {
        let Some(ecn) = &self.ecn else { return false };
        let (id, seed) = (self.id, self.seed);
        let rate = self.network.ports(id)[usize::from(way)].rate;
        self.ports[usize::from(way)].marks(class, || {
            Marking::new(ecn, rate, Stream::new(seed, MARKING, link_number(id, way)))
        })
    }

    /// Whether a packet may wait in the buffer. A lossless one may, and stops its sender where that is
    /// due; a lossy one is dropped where its queue is too long.
    fn admit(&mut self, now: Instant, way: u16, packet: &Packet, out: &mut Out<'_>) -> bool {
        let (class, ingress) = (packet.class, packet.port);
        let bytes = u32::from(packet.bytes);
        if self.is_lossless(class) {
            let way_in = &mut self.ways_in[usize::from(ingress)];
            let waiting = way_in.waiting + bytes;
            if waiting > self.buffer.pause_above() || !self.buffer.fits(bytes) {
                return self.takes_headroom(now, packet, out);
            }
            way_in.waiting = waiting;
        } else if class != Class::CONTROL {
            let queued = self.ports[usize::from(way)].queues[class.index()].bytes;
            if !self.buffer.admit_lossy(packet.bytes, queued) {
                self.drop(packet, way, DropReason::Buffer);
                return false;
            }
        }
        true
    }

    /// A lossless packet that is one too many for the shared buffer stops its sender, and waits in the headroom
    /// of its port. Whether it fits there.
    fn takes_headroom(&mut self, now: Instant, packet: &Packet, out: &mut Out<'_>) -> bool {
        let (ingress, bytes) = (packet.port, u32::from(packet.bytes));
        let port = &mut self.ports[usize::from(ingress)];
        let fits = port.takes_headroom(bytes, self.buffer.headroom);
        let way_in = &mut self.ways_in[usize::from(ingress)];
        if fits {
            self.buffer.enter_headroom(bytes);
            way_in.waiting += bytes;
        }
        // Where nothing waits nothing would let the sender go on.
        if !way_in.stopped && way_in.waiting > 0 {
            port.begins_to_stop();
            self.tell_later(now, ingress, true, out);
        }
        if !fits {
            let lost_pause = self.ports[usize::from(ingress)].overflows(now);
            if self.overflow == Overflows::End {
                out.fail(Fault { at: now, node: self.id, port: ingress, lost_pause });
            }
            self.drop(packet, ingress, DropReason::Headroom);
        }
        fits
    }

    fn is_lossless(&self, class: Class) -> bool {
        class == Class::LOSSLESS && self.buffer.pfc
    }

    /// When a packet that is handed on now may start: with cut-through a faster way out must not overtake
    /// the way in, so its last bit goes out no sooner than it has come in. The preamble goes before it and
    /// waits for nothing.
    fn ready(&self, now: Instant, way: u16, packet: &Packet) -> Instant {
        if self.forwarding == Forwarding::StoreAndForward {
            return now;
        }
        let (way_in, way_out) =
            (&self.links[usize::from(packet.port)], &self.links[usize::from(way)]);
        let whole = way_in.on_wire(packet.bytes);
        let takes = way_in.on_wire(packet.bytes.min(HEADER.into())) + way_out.on_wire(packet.bytes);
        now + Span::from_ps(whole.as_ps().saturating_sub(takes.as_ps()))
    }

    /// Sends what a port may send now, and sees to it that it is served again.
    fn serve(&mut self, now: Instant, port: u16, out: &mut Out<'_>) {
        let at = usize::from(port);
        let queues = &mut self.ports[at];
        queues.refresh(now);
        if self.links[at].busy_until <= now {
            if queues.due {
                self.tell(now, port, out);
            } else if let Some(class) =
                queues.next_class(now, ready_in(&self.buffer, self.forwarding))
                && let Some(packet) = self.buffer.pop(&mut queues.queues[class])
            {
                self.send(now, port, packet, out);
                self.left(now, &packet, out);
            }
        }
        self.links[at].waits = self.ports[at].waits();
        self.schedule(now, port);
    }

    /// A packet has left the buffer: its sender may go on.
    fn left(&mut self, now: Instant, packet: &Packet, out: &mut Out<'_>) {
        if !self.is_lossless(packet.class) {
            return;
        }
        let bytes = u32::from(packet.bytes);
        let way_in = &mut self.ways_in[usize::from(packet.port)];
        way_in.waiting -= bytes;
        if !way_in.stopped {
            return;
        }
        let port = &mut self.ports[usize::from(packet.port)];
        self.buffer.leave_headroom(port.gives_headroom_back(bytes));
        // The headroom must be free again before the sender goes on.
        let in_headroom = port.rare().headroom;
        if way_in.waiting <= self.buffer.resume_below() && self.buffer.fits(in_headroom) {
            self.buffer.leave_headroom(port.leaves_headroom());
            self.tell_later(now, packet.port, false, out);
        }
    }

    /// Sees to it that the other end of a port is told to stop sending lossless packets, or to go on, as
    /// soon as the port is free.
    fn tell_later(&mut self, now: Instant, port: u16, stop: bool, out: &mut Out<'_>) {
        self.ways_in[usize::from(port)].stopped = stop;
        self.ports[usize::from(port)].due = true;
        self.serve(now, port, out);
    }

    /// Tells the other end of a port to stop sending lossless packets, or to go on.
    fn tell(&mut self, now: Instant, port: u16, out: &mut Out<'_>) {
        let stop = self.ways_in[usize::from(port)].stopped;
        let pace = self.links[usize::from(port)].pace;
        self.ports[usize::from(port)].told(now, stop, pace);
        let quanta = if stop { MOST_QUANTA } else { 0 };
        let packet = Packet::pause(Class::LOSSLESS, quanta, self.pause_bytes);
        let link = &mut self.links[usize::from(port)];
        let sent = link.send(now, packet, out);
        let lost = match sent {
            Err(reason) => Some(reason),
            Ok(arrival) if arrival.packet.corrupt => Some(DropReason::Corrupt),
            Ok(arrival) if link.is_dead(arrival.at) => Some(DropReason::Dead),
            Ok(_) => None,
        };
        if let Some(reason) = lost.filter(|_| stop) {
            self.ports[usize::from(port)].lost_pause(now, reason);
        }
        if let Err(reason) = sent {
            self.drop(&packet, port, reason);
        }
    }

    fn send(&mut self, start: Instant, port: u16, packet: Packet, out: &mut Out<'_>) {
        if let Err(reason) = self.links[usize::from(port)].send(start, packet, out) {
            self.drop(&packet, port, reason);
        }
    }

    /// Serves a port again when it is free, if it has anything to send.
    fn schedule(&mut self, now: Instant, port: u16) {
        let free = self.links[usize::from(port)].busy_until.max(now);
        let queues = &mut self.ports[usize::from(port)];
        let ready = ready_in(&self.buffer, self.forwarding);
        let Some(at) = queues.wants_service(free, ready) else {
            queues.wake_at = NEVER;
            self.forget_stale();
            return;
        };
        if at < queues.wake_at {
            queues.wake_at = at;
            self.timers.push(Reverse((at, port)));
        }
    }

    /// Takes timers that nobody waits for any more off the front, so that a run does not wait for them.
    fn forget_stale(&mut self) {
        while let Some(&Reverse((at, port))) = self.timers.peek() {
            if self.ports[usize::from(port)].wake_at == at {
                return;
            }
            self.timers.pop();
        }
    }

    fn drop(&mut self, packet: &Packet, port: u16, reason: DropReason) {
        self.drops.add(packet, port, reason);
    }

    /// Ports whose packets wait because the other end has stopped them: (port, bytes).
    pub(crate) fn stopped(&self, now: Instant) -> impl Iterator<Item = (u16, u64)> {
        let stopped =
            (0..).zip(&self.ports).map(move |(port, queues)| (port, queues.stopped_bytes(now)));
        stopped.filter(|&(_, bytes)| bytes > 0)
    }

    /// Headroom that overflowed.
    pub(crate) fn overflows(&self) -> impl Iterator<Item = Overflow> {
        let of = |(port, queues): (u16, &PortQueues)| {
            let Overflowed { at, packets, lost_pause } = queues.rare().overflow()?;
            let (node, class) = (self.id, Class::LOSSLESS);
            Some(Overflow { at, node, port, class, packets, lost_pause })
        };
        (0..).zip(&self.ports).filter_map(of)
    }

    /// Packets that wait in the buffer.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Packet> {
        let queues = self.ports.iter().flat_map(|port| port.queues.iter());
        queues.flat_map(|queue| self.buffer.iter(queue))
    }
}

//! A switch: packets come in, wait in the shared buffer, and go out.

mod buffer;
mod port;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::Instant;

use crate::engine::{Arrival, Out};
use crate::fault::Fault;
use crate::link::Fate;
use crate::packet::{CLASSES, Class, Ecn, FlowId, Kind, Packet, Psn};
use crate::params::{Forwarding, HEADER, Params};
use crate::random::mix;
use buffer::Buffer;
pub(crate) use buffer::Queue;
pub(crate) use port::{Marking, PortCounts, SwitchPort};

/// What a packet was dropped for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// A lossy queue was too long, or the buffer full.
    Buffer,
    /// The link lost it.
    Link,
    /// Its check sequence failed.
    Corrupt,
    /// The link or the next node is dead.
    Dead,
}

/// A packet that was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) flow: FlowId,
    pub(crate) port: u16,
    pub(crate) reason: DropReason,
    pub(crate) data: bool,
}

/// A switch.
#[derive(Debug)]
pub(crate) struct Switch<'a> {
    pub(crate) id: NodeId,
    network: &'a Network,
    pub(crate) ports: Vec<SwitchPort>,
    buffer: Buffer,
    /// When a port is to be served again: (time, port).
    timers: BinaryHeap<Reverse<(Instant, u16)>>,
    salt: u64,
    /// The ways out of the packets that arrive in this window.
    ways: Vec<u16>,
    pause_bytes: u16,
    forwarding: Forwarding,
    pub(crate) dropped: Vec<Dropped>,
}

impl<'a> Switch<'a> {
    pub(crate) fn new(
        id: NodeId,
        network: &'a Network,
        ports: Vec<SwitchPort>,
        params: &Params,
        seed: u64,
    ) -> Self {
        Self {
            id,
            network,
            buffer: Buffer::new(&params.switch, ports.len(), params.wire),
            ports,
            timers: BinaryHeap::new(),
            ways: Vec::new(),
            salt: mix(seed ^ u64::from(id.0)),
            pause_bytes: params.wire.pause,
            forwarding: params.switch.forwarding,
            dropped: Vec::new(),
        }
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    /// Finds the way out of each packet.
    pub(crate) fn prepare(&mut self, arrivals: &[Arrival]) {
        self.ways.clear();
        let mut touched = 0;
        for Arrival { packet, .. } in arrivals {
            let way = if packet.kind == Kind::Pause { 0 } else { self.way(packet) };
            touched ^= self.ports[usize::from(way)].busy_until.as_ps();
            self.ways.push(way);
        }
        // Only so that the ports are in the cache when they are needed.
        std::hint::black_box(touched);
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
        let Arrival { packet, port, .. } = *arrival;
        let way_in = &mut self.ports[usize::from(port)];
        way_in.received += 1;
        if packet.corrupt || way_in.dead.is(now) {
            let reason = if packet.corrupt { DropReason::Corrupt } else { DropReason::Dead };
            self.drop(&packet, port, reason);
            return;
        }
        if packet.kind == Kind::Pause {
            self.ports[usize::from(port)].pause(now, packet.class, packet.psn);
            self.serve(now, port, out);
            return;
        }
        let egress = self.ways[place];
        self.forward(now, port, egress, packet, out);
    }

    pub(crate) fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        if let Some(Reverse((_, port))) = self.timers.pop() {
            let woken = &mut self.ports[usize::from(port)];
            if woken.wake_at == Some(now) {
                woken.wake_at = None;
                self.serve(now, port, out);
            }
        }
    }

    fn forward(
        &mut self,
        now: Instant,
        ingress: u16,
        egress: u16,
        mut packet: Packet,
        out: &mut Out<'_>,
    ) {
        let class = packet.class;
        let way_out = &mut self.ports[usize::from(egress)];
        if way_out.is_free(now, class) {
            let ready = self.ready(now, ingress, egress, &packet);
            self.transmit(ready, egress, packet, out);
            return;
        }
        if packet.ecn == Ecn::Capable && way_out.marks(class) {
            packet.ecn = Ecn::Marked;
        }
        if class == Class::LOSSLESS && self.buffer.pfc {
            if !self.buffer.admit_lossless(packet.bytes) {
                out.fail(Fault { at: now, node: self.id, port: ingress });
                self.drop(&packet, ingress, DropReason::Buffer);
                return;
            }
            let way_in = &mut self.ports[usize::from(ingress)];
            way_in.waiting_in[class.index()] += u32::from(packet.bytes);
            if !way_in.stopped[class.index()]
                && way_in.waiting_in[class.index()] > self.buffer.pause_above()
            {
                way_in.stopped[class.index()] = true;
                way_in.due[class.index()] = true;
                self.serve(now, ingress, out);
            }
        } else {
            let queued = self.ports[usize::from(egress)].queues[class.index()].bytes;
            if class != Class::CONTROL && !self.buffer.admit_lossy(packet.bytes, queued) {
                self.drop(&packet, egress, DropReason::Buffer);
                return;
            }
            self.ports[usize::from(ingress)].waiting_in[class.index()] += u32::from(packet.bytes);
        }
        let ready = self.ready(now, ingress, egress, &packet);
        let way_out = &mut self.ports[usize::from(egress)];
        let queue = &mut way_out.queues[class.index()];
        self.buffer.push(queue, packet, ingress, ready);
        way_out.queued += 1;
        way_out.counts.most_queued = way_out.counts.most_queued.max(queue.bytes);
        self.schedule(now, egress);
    }

    /// When a packet that is handed on now may start: with cut-through a faster way out must not overtake
    /// the way in.
    fn ready(&self, now: Instant, ingress: u16, egress: u16, packet: &Packet) -> Instant {
        if self.forwarding == Forwarding::StoreAndForward {
            return now;
        }
        let (way_in, way_out) =
            (&self.ports[usize::from(ingress)], &self.ports[usize::from(egress)]);
        way_in.earliest_start(now, packet.bytes, HEADER, way_out)
    }

    /// Sends what a port may send now, and sees to it that it is served again.
    fn serve(&mut self, now: Instant, port: u16, out: &mut Out<'_>) {
        let way_out = &mut self.ports[usize::from(port)];
        if way_out.busy_until <= now {
            way_out.refresh(now);
            if let Some(class) = way_out.due_class() {
                self.tell(now, port, class, out);
            } else if let Some(class) = way_out.next_class(now) {
                let way_out = &mut self.ports[usize::from(port)];
                if let Some((packet, ingress, ready)) = self.buffer.pop(&mut way_out.queues[class])
                {
                    way_out.queued -= 1;
                    self.transmit(ready.max(now), port, packet, out);
                    self.left(now, ingress, packet, out);
                }
            }
        }
        self.schedule(now, port);
    }

    /// A packet has left the buffer: its sender may go on.
    fn left(&mut self, now: Instant, ingress: u16, packet: Packet, out: &mut Out<'_>) {
        let class = packet.class.index();
        let go_on_below = self.buffer.resume_below();
        let way_in = &mut self.ports[usize::from(ingress)];
        way_in.waiting_in[class] -= u32::from(packet.bytes);
        if way_in.stopped[class] && way_in.waiting_in[class] <= go_on_below {
            way_in.stopped[class] = false;
            way_in.due[class] = true;
            self.serve(now, ingress, out);
        }
    }

    /// Tells the other end of a port to stop a class or to go on.
    fn tell(&mut self, now: Instant, port: u16, class: Class, out: &mut Out<'_>) {
        let stop = self.ports[usize::from(port)].told(now, class);
        let packet = Packet {
            flow: FlowId(u32::MAX),
            to: self.id,
            qp: 0,
            psn: Psn::new(if stop { port::PAUSE_QUANTA } else { 0 }),
            seen: Psn::new(0),
            bytes: self.pause_bytes,
            entropy: 0,
            kind: Kind::Pause,
            ecn: Ecn::Not,
            class,
            corrupt: false,
        };
        self.transmit(now, port, packet, out);
    }

    fn transmit(&mut self, start: Instant, egress: u16, mut packet: Packet, out: &mut Out<'_>) {
        let way = &mut self.ports[usize::from(egress)];
        match way.send(start, &mut packet) {
            (_, _, Fate::Lost) => self.drop(&packet, egress, DropReason::Link),
            (_, _, Fate::Dead) => self.drop(&packet, egress, DropReason::Dead),
            (at, to, Fate::Passes | Fate::Corrupted) => {
                let port = self.ports[usize::from(egress)].peer_port;
                out.send(to, Arrival { at, packet, port });
            }
        }
    }

    /// Serves a port again when it is free, if it has anything to send.
    fn schedule(&mut self, now: Instant, port: u16) {
        let way = &mut self.ports[usize::from(port)];
        let Some(at) = way.wants_service(now) else { return };
        if way.wake_at.is_none_or(|wake_at| at < wake_at) {
            way.wake_at = Some(at);
            self.timers.push(Reverse((at, port)));
        }
    }

    fn drop(&mut self, packet: &Packet, port: u16, reason: DropReason) {
        self.ports[usize::from(port)].counts.dropped += 1;
        let data = packet.kind == Kind::Data;
        self.dropped.push(Dropped { flow: packet.flow, port, reason, data });
    }

    /// Ports whose packets wait because the other end has stopped them: (port, bytes).
    pub(crate) fn stopped(&self, now: Instant) -> impl Iterator<Item = (u16, u64)> {
        (0..).zip(&self.ports).filter_map(move |(number, port)| {
            let stopped = (0..CLASSES).filter(|&c| port.stops.until(c) > now);
            let bytes = stopped.map(|c| u64::from(port.queues[c].bytes)).sum();
            (bytes > 0).then_some((number, bytes))
        })
    }

    /// Packets that wait in the buffer.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Packet> {
        let queues = self.ports.iter().flat_map(|port| port.queues[..CLASSES].iter());
        queues.flat_map(|queue| self.buffer.iter(queue))
    }
}

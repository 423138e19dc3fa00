//! A switch: packets come in, wait in the shared buffer, and go out.

mod accelerator;
mod beside;
mod bridges;
mod bridging;
mod buffer;
mod by_ingress;
mod deaths;
mod dropping;
mod gates;
mod group;
mod groups;
mod hold;
mod ingress;
mod marking;
mod pfc;
mod port;
mod reroutes;
mod restart;
mod routing;
mod sampling;
mod updates;
mod waits;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use lightloom_prefetch::prefetch_read;
use lightloom_setup::params::{EcnParams, Forwarding, HEADER, Marks, Multipath, Overflows, Params};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_units::{Instant, Span};

use crate::circuits::Gates;
use crate::drops::{DropReason, Drops};
use crate::engine::{Arrival, Out};
use crate::envelope::Envelopes;
use crate::headroom::buffer_sizes;
use crate::link::{Dead, Pace, Transmitter};
use crate::packet::{Class, Dest, Kind, Packet};
use crate::random::{Stream, mix};
use crate::wires::Wires;
pub(crate) use beside::MOST_PORTS;
use beside::PASS;
pub(crate) use bridges::{Bridges, NONE};
use buffer::{Buffer, Queue};
pub(crate) use by_ingress::{ByIngress, of_port};
pub(crate) use groups::{Copies, Groups, New, Updates, Ways};
pub(crate) use ingress::IngressState;
use ingress::Reception;
use port::{Marking, PortQueues};
pub(crate) use reroutes::Rerouted;

/// From when the first packet of a queue may start: at once, but where packets cut through.
fn ready_in(buffer: &Buffer, forwarding: Forwarding) -> impl Fn(&Queue) -> Instant {
    let cuts = forwarding == Forwarding::CutThrough;
    move |queue| if cuts { buffer.ready(queue) } else { Instant::from_ps(0) }
}

/// A switch. What every packet touches stands first, in the order in which it does.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Switch<'a> {
    network: &'a Network,
    salt: u64,
    /// Whether data packets of a flow take other ways than each other.
    sprays: bool,
    /// The ways out of the packets that arrive in this window; [`SET`] where a packet is not for one host.
    ways: Vec<u16>,
    /// By transmitting port.
    pub(crate) links: Vec<Transmitter>,
    /// By receiving port.
    pub(crate) ingress: Vec<IngressState>,
    pub(crate) id: NodeId,
    /// Behind queues up to this many bytes no packet is marked at any port when it joins.
    mark_above: u32,
    /// Before queues up to this many bytes no packet is marked at any port when it leaves.
    mark_behind: u32,
    pause_bytes: u16,
    forwarding: Forwarding,
    overflow: Overflows,
    /// Whether any ingress is ever dead.
    mortal: bool,
    /// Whether packets may go by another ToR where the circuit to theirs is not there.
    detours: bool,
    /// Whether its state leaves the cache between two windows.
    is_cold: bool,
    /// Routes that differ from the usual ones for a time. `None`: they never do.
    pub(crate) rerouted: Option<Box<Rerouted>>,
    /// When ports to circuits may begin frames. `None`: there are none.
    gates: Option<Box<Gates>>,
    /// By transmitting port: what waits there.
    pub(crate) ports: Vec<PortQueues>,
    /// When a port is to be served again: (time, port). A number above all ports: tables change (`updates`).
    timers: BinaryHeap<Reverse<(Instant, u16)>>,
    buffer: Buffer,
    reception: Box<Reception>,
    wires: &'a Wires<'a>,
    ecn: Option<EcnParams>,
    seed: u64,
    /// What is done with packets to groups.
    pub(crate) groups: Box<Groups>,
    /// Reliable groups.
    pub(crate) bridges: Box<Bridges>,
    /// Bytes of an answer.
    control_bytes: u16,
    /// From the arrival of a pause at a neighbour to the time from which it begins no more frames.
    pause_response: Span,
    pub(crate) drops: Drops,
}

/// The egress of a packet that is not for one host: none, or several.
const SET: u16 = u16::MAX;

impl<'a> Switch<'a> {
    /// A switch with its transmitters and, by receiving port, when the ingress is dead.
    pub(crate) fn new(
        id: NodeId,
        wires: &'a Wires<'a>,
        (links, dead): (Vec<Transmitter>, Vec<Vec<Dead>>),
        (groups, envelopes): (Groups, Arc<Envelopes>),
        params: &Params,
        seed: u64,
    ) -> Self {
        let ecn = params.switch.ecn;
        let rates = (0..).zip(&links).map(|(port, _)| wires.rate_out((id, port)));
        let kmin = |rate| Some(Marking::new(ecn.as_ref()?, rate, Stream::new(seed, 0, 0)).kmin());
        let receivers = 0..wires.receivers(id);
        let paces = receivers.clone().map(|port| Pace::of(wires.rate_in((id, port))));
        let ports = links.len().max(receivers.len());
        let shared = buffer_sizes(wires.network, &params.switch, id, ports as u64).shared;
        // Headroom holds what is under way when a pause goes out, so it follows from the rate and the length of each
        // link.
        let links_in = wires.network.ports(id).iter();
        let headroom = links_in.map(|link| params.switch.headroom(link.rate, link.delay)).collect();
        // The least threshold of all ports. Behind shorter queues nothing is marked anywhere, and the path of most
        // packets asks no more than this number.
        let mark_from = rates.filter_map(kmin).min().unwrap_or(u32::MAX);
        let marks_when =
            |when| if ecn.is_some_and(|ecn| ecn.when == when) { mark_from } else { u32::MAX };
        let reception = Reception::new(paces.collect(), dead);
        let mut switch = Self {
            id,
            network: wires.network,
            wires,
            buffer: Buffer::new(&params.switch, shared, headroom, params.wire),
            ports: (0..links.len()).map(|_| PortQueues::EMPTY).collect(),
            is_cold: wires.are_cold(),
            rerouted: None,
            gates: None,
            detours: false,
            mortal: reception.is_mortal(),
            reception: Box::new(reception),
            ingress: receivers.map(|port| IngressState::new(wires, (id, port))).collect(),
            mark_above: marks_when(Marks::Joining),
            mark_behind: marks_when(Marks::Leaving),
            ecn,
            seed,
            links,
            timers: BinaryHeap::new(),
            ways: Vec::new(),
            groups: Box::new(groups),
            bridges: Box::new(Bridges::new(ports, envelopes, params)),
            control_bytes: params.wire.control,
            salt: mix(seed ^ u64::from(id.0)),
            sprays: params.switch.multipath == Multipath::Packet,
            pause_bytes: params.wire.pause,
            pause_response: params.switch.pause_response,
            forwarding: params.switch.forwarding,
            overflow: params.switch.overflow,
            drops: Drops::default(),
        };
        switch.await_update();
        switch
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    /// Finds the egress of each packet.
    pub(crate) fn prepare(&mut self, arrivals: &[Arrival]) {
        if self.is_cold {
            prefetch_read(self.timers.as_slice().as_ptr());
        }
        self.ways.clear();
        let mut last = Dest::NEXT_NODE;
        for Arrival { at, packet } in arrivals {
            // All ways are found before the first packet is handled, so that the links and queues that they lead to are
            // in the cache when it is.
            let Some(host) = packet.to.as_host() else {
                self.ways.push(SET);
                // Packets of one group often come in a row: its table is fetched once.
                if packet.to != last {
                    self.prepare_group(packet.to);
                    last = packet.to;
                }
                continue;
            };
            let way = self.way_of(*at, host, packet);
            prefetch_read(&raw const self.links[usize::from(way)]);
            if self.is_cold {
                prefetch_read(&raw const self.ports[usize::from(way)]);
            }
            self.ways.push(way);
        }
    }

    pub(crate) fn arrive(
        &mut self,
        now: Instant,
        place: usize,
        arrival: &Arrival,
        out: &mut Out<'_>,
    ) {
        let packet = &arrival.packet;
        if self.mortal && self.reception.loses(packet.port, now) {
            self.drop(now, packet, DropReason::Dead);
            return;
        }
        // What came over a dead way was never received. Everything else was, corrupt packets too.
        self.ingress[usize::from(packet.port)].received += 1;
        // A switch that cuts through has the head of a frame on its way before it can know that the tail is
        // wrong.
        let checks = self.forwarding == Forwarding::StoreAndForward || packet.kind == Kind::Pause;
        if packet.is_corrupt() && checks {
            self.drop(now, packet, DropReason::Corrupt);
        } else {
            match self.ways[place] {
                SET if packet.to == Dest::NEXT_NODE => self.paused(now, packet, out),
                SET if self.is_redirected(packet) => self.redirect(now, *packet, out),
                SET => self.spread(now, *packet, out),
                way if self.detours => {
                    let way = self.first_circuit(now, way, packet.port);
                    self.forward(now, way, packet, out);
                }
                way => self.forward(now, way, packet, out),
            }
        }
    }

    pub(crate) fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        if let Some(Reverse((_, port))) = self.timers.pop() {
            match self.ports.get_mut(usize::from(port)) {
                Some(woken) if woken.wake_at == now => {
                    woken.wake_at = Instant::NEVER;
                    self.serve(now, port, out);
                }
                Some(_) => {}
                None if port == PASS => self.pass(now, out),
                None => self.update(now, out),
            }
            self.forget_stale();
        }
    }

    /// Hands a packet on: straight out where nothing is in its way, else into the buffer.
    #[inline(always)]
    fn forward(&mut self, now: Instant, way: u16, packet: &Packet, out: &mut Out<'_>) {
        let (class, egress) = (packet.class, usize::from(way));
        let link = &self.links[egress];
        let ready = self.ready(now, way, packet);
        let free = link.busy_until <= now && ready <= now;
        if free && (!link.waits || self.lets_pass(now, egress, class)) {
            self.send(now, way, packet, out);
            return;
        }
        let mut packet = *packet;
        self.mark(way, &mut packet);
        // Marked by the queue that it finds, then admitted: one that is dropped has drawn its random number too.
        if !self.admit(now, way, &packet, out) {
            return;
        }
        let port = &mut self.ports[egress];
        let queue = &mut port.queues[class.index()];
        self.buffer.push(queue, packet, ready);
        port.most_queued = port.most_queued.max(queue.bytes);
        // The next packet to this port must not pass this one.
        self.links[egress].waits = true;
        self.schedule(now, way);
    }

    /// Whether a packet that may start at `ready` can go straight out.
    fn is_free(&self, now: Instant, way: u16, class: Class, ready: Instant) -> bool {
        let link = &self.links[usize::from(way)];
        let free = link.busy_until <= now && ready <= now;
        free && (!link.waits || self.lets_pass(now, usize::from(way), class))
    }

    /// Whether a packet may wait in the buffer. A lossless one may, and stops its sender where that is
    /// due; a lossy one is dropped where its queue is too long, and so is one whose sender does not hear us.
    #[inline(always)]
    fn admit(&mut self, now: Instant, way: u16, packet: &Packet, out: &mut Out<'_>) -> bool {
        let (class, bytes) = (packet.class, u32::from(packet.bytes));
        let ingress = &mut self.ingress[usize::from(packet.port)];
        if class == Class::LOSSLESS && self.buffer.pfc && ingress.hears_us() {
            // Most runs have one shared buffer with thresholds that follow what is free. Reserves cost another
            // comparison, and stand apart.
            if self.buffer.has_reserves() {
                return self.admit_with_reserves(now, packet, out);
            }
            let waiting = ingress.waiting + bytes;
            if waiting > self.buffer.pause_above() || !self.buffer.fits(bytes) {
                return self.takes_headroom(now, packet, out);
            }
            ingress.waiting = waiting;
        } else if class != Class::CONTROL {
            let queued = self.ports[usize::from(way)].queues[class.index()].bytes;
            if !self.buffer.admit_lossy(packet.bytes, queued) {
                self.drop_leaving(now, packet, way, DropReason::Buffer);
                return false;
            }
        }
        true
    }

    /// When a packet that is handed on now may start: with cut-through a faster egress must not overtake
    /// the ingress, so its last bit goes out no sooner than it has come in. The preamble goes before it and
    /// waits for nothing.
    #[inline(always)]
    fn ready(&self, now: Instant, way: u16, packet: &Packet) -> Instant {
        if self.forwarding == Forwarding::StoreAndForward {
            return now;
        }
        let (pace_in, egress) = (self.reception.pace(packet.port), &self.links[usize::from(way)]);
        let comes_in = |bytes: u16| pace_in.time(u32::from(egress.preamble) + u32::from(bytes));
        let whole = comes_in(packet.bytes);
        let takes = comes_in(packet.bytes.min(HEADER.into())) + egress.on_wire(packet.bytes);
        now + Span::from_ps(whole.as_ps().saturating_sub(takes.as_ps()))
    }

    /// Sends what a port may send now, and sees to it that it is served again.
    fn serve(&mut self, now: Instant, port: u16, out: &mut Out<'_>) {
        let at = usize::from(port);
        let may_begin = !self.ports[at].apart.is_any() || self.served_apart(now, at, out);
        let queues = &mut self.ports[at];
        queues.refresh(now);
        if self.links[at].busy_until <= now && may_begin {
            // A pause goes before everything: what it stops is on its way meanwhile.
            if queues.due {
                self.tell(now, port, out);
            } else if let Some(class) =
                queues.next_class(now, ready_in(&self.buffer, self.forwarding))
                && let Some((packet, is_last)) = self.buffer.pop(&mut queues.queues[class])
            {
                let may = queues.queues[class].bytes > self.mark_behind;
                let packet = if may { self.leaving(port, packet) } else { packet };
                self.send(now, port, &packet, out);
                if is_last {
                    self.left(now, &packet, out);
                }
            }
        }
        // The flag stands beside the link, in the line that a packet touches anyway. Only where it is set are the
        // queues looked at.
        self.links[at].waits = self.ports[at].waits();
        self.schedule(now, port);
    }

    fn send(&mut self, start: Instant, port: u16, packet: &Packet, out: &mut Out<'_>) {
        if let Err(reason) = self.links[usize::from(port)].send(start, packet, out) {
            self.drop_leaving(start, packet, port, reason);
        }
    }

    /// Serves a port again when it is free, if it has anything to send.
    fn schedule(&mut self, now: Instant, port: u16) {
        let free = self.links[usize::from(port)].busy_until.max(now);
        let queues = &mut self.ports[usize::from(port)];
        let ready = ready_in(&self.buffer, self.forwarding);
        let mut wanted = queues.wants_service(free, ready);
        if queues.apart.is_any() {
            wanted = queues.wants_apart(wanted, self.gates.as_deref(), port);
        }
        let Some(at) = wanted else {
            queues.wake_at = Instant::NEVER;
            self.forget_stale();
            return;
        };
        // Timers are never taken out of the middle of the heap. One that was overtaken by an earlier one is stale, and
        // is known by its time.
        if at < queues.wake_at {
            queues.wake_at = at;
            self.timers.push(Reverse((at, port)));
        }
    }

    /// Removes stale timers from the front, so that they do not delay the end of a run.
    fn forget_stale(&mut self) {
        while let Some(&Reverse((at, port))) = self.timers.peek() {
            if self.ports.get(usize::from(port)).is_none_or(|port| port.wake_at == at) {
                return;
            }
            self.timers.pop();
        }
    }
}

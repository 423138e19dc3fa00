//! A host: its queue pairs, and the port that they share.

mod dcqcn;
mod receiver;
mod sender;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use lightloom_units::{Instant, Span};

use crate::engine::{Address, Arrival, Out};
use crate::link::{Dead, Fate, Loss, Stops, Wire};
use crate::packet::{Class, Ecn, Kind, Packet, Psn};
use crate::params::Params;
use crate::switch::{DropReason, Dropped};
pub(crate) use dcqcn::Rate;
pub(crate) use receiver::{Receiver, Reply};
pub(crate) use sender::Sender;

/// Bytes of a pause quantum.
const QUANTUM_BYTES: u32 = 64;

/// What a timer of a host is for, in the order in which they fire at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    /// The port may send.
    Port,
    /// A sender has been silent for too long.
    Silence(u32),
}

/// The port of a host.
#[derive(Debug)]
pub(crate) struct HostPort {
    pub(crate) peer: Address,
    pub(crate) peer_port: u16,
    pub(crate) wire: Wire,
    pub(crate) loss: Loss,
    /// Packets that pass before the next loss.
    pub(crate) loss_left: u64,
    pub(crate) dead: Dead,
    /// Bytes that the other end waits for before it acts on a packet; all of it where 0.
    pub(crate) header: u16,
    pub(crate) busy_until: Instant,
    pub(crate) stops: Stops,
    pub(crate) counts: HostCounts,
}

/// What went through the port of a host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct HostCounts {
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) lost: u64,
    pub(crate) data_sent: u64,
    pub(crate) control_sent: u64,
}

/// A host.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) port: HostPort,
    params: Params,
    pub(crate) senders: Vec<Sender>,
    pub(crate) receivers: Vec<Receiver>,
    /// Control packets go before data.
    control: VecDeque<Packet>,
    /// Senders that have something to send, by when they may.
    ready: BinaryHeap<Reverse<(Instant, u32)>>,
    timers: BinaryHeap<Reverse<(Instant, Timer)>>,
    /// When the port is looked at next.
    wake_at: Option<Instant>,
    /// Payload that has arrived in order, by intervals of `interval`.
    pub(crate) goodput: Vec<u64>,
    pub(crate) interval: Span,
    pub(crate) dropped: Vec<Dropped>,
    pub(crate) notifications: u64,
    /// When something last arrived in order here, or went out for the first time.
    pub(crate) progress: Instant,
}

impl Host {
    pub(crate) fn new(port: HostPort, params: &Params, interval: Span) -> Self {
        Self {
            port,
            params: *params,
            senders: Vec::new(),
            receivers: Vec::new(),
            control: VecDeque::new(),
            ready: BinaryHeap::new(),
            timers: BinaryHeap::new(),
            wake_at: None,
            goodput: Vec::new(),
            interval,
            dropped: Vec::new(),
            notifications: 0,
            progress: Instant::from_ps(0),
        }
    }

    /// Takes a sender on: it starts when it is eligible.
    pub(crate) fn add_sender(&mut self, mut sender: Sender) {
        let number = u32::try_from(self.senders.len()).unwrap_or(u32::MAX);
        sender.queued = true;
        self.ready.push(Reverse((sender.eligible, number)));
        sender.alarm = sender.deadline;
        self.timers.push(Reverse((sender.deadline, Timer::Silence(number))));
        let first = sender.eligible;
        self.senders.push(sender);
        self.wake(first);
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    pub(crate) fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        match self.timers.pop() {
            Some(Reverse((at, Timer::Port))) if self.wake_at == Some(at) => {
                self.wake_at = None;
                self.serve(now, out);
            }
            Some(Reverse((_, Timer::Silence(number)))) => self.silence(now, number, out),
            _ => {}
        }
        self.forget_done();
    }

    pub(crate) fn arrive(&mut self, now: Instant, arrival: &Arrival, out: &mut Out<'_>) {
        self.port.counts.received += 1;
        let packet = &arrival.packet;
        if packet.corrupt || self.port.dead.is(now) {
            let reason = if packet.corrupt { DropReason::Corrupt } else { DropReason::Dead };
            self.drop(packet, reason);
            return;
        }
        match packet.kind {
            Kind::Data => self.data(now, packet),
            Kind::Ack | Kind::Nack | Kind::Cnp => self.feedback(now, packet),
            Kind::Pause => {
                let stop = self.port.wire.pace.time(packet.psn.get() * QUANTUM_BYTES);
                self.port.stops.stop(now, packet.class.index(), stop);
            }
        }
        self.serve(now, out);
    }

    fn data(&mut self, now: Instant, packet: &Packet) {
        let transport = &self.params.transport;
        let receiver = &mut self.receivers[packet.qp as usize];
        let (in_order, reply) = receiver.data(packet.psn, transport);
        if in_order > 0 {
            self.progress = now;
            let slot = usize::try_from((now.as_ps()) / self.interval.as_ps()).unwrap_or(usize::MAX);
            if self.goodput.len() <= slot {
                self.goodput.resize(slot + 1, 0);
            }
            self.goodput[slot] += receiver.payload_of_last(in_order);
            if receiver.is_complete() && receiver.done.is_none() {
                receiver.done = Some(now + self.params.stack.receive);
            }
        }
        let (flow, from, qp, entropy) =
            (receiver.flow, receiver.from, receiver.peer_qp, receiver.entropy);
        let control = |kind, psn, seen| Packet {
            flow,
            to: from,
            qp,
            psn,
            seen,
            bytes: self.params.wire.control,
            entropy,
            kind,
            ecn: Ecn::Not,
            class: Class::CONTROL,
            corrupt: false,
        };
        let notifies = packet.ecn == Ecn::Marked
            && self.params.dcqcn.is_some_and(|dcqcn| {
                receiver.notified.is_none_or(|last| now >= last + dcqcn.cnp_interval)
            });
        if notifies {
            receiver.notified = Some(now);
            self.notifications += 1;
            self.control.push_back(control(Kind::Cnp, packet.psn, packet.psn));
        }
        match reply {
            Reply::Nothing => {}
            Reply::Ack(psn) => self.control.push_back(control(Kind::Ack, psn, psn)),
            Reply::Nack(psn, seen) => self.control.push_back(control(Kind::Nack, psn, seen)),
        }
    }

    fn feedback(&mut self, now: Instant, packet: &Packet) {
        let transport = &self.params.transport;
        let sender = &mut self.senders[packet.qp as usize];
        match packet.kind {
            Kind::Cnp => {
                if let Some(dcqcn) = &self.params.dcqcn {
                    sender.rate.notified(now, dcqcn);
                }
            }
            Kind::Nack => sender.missed(now, packet.psn, packet.seen, transport),
            _ => sender.acknowledged(now, packet.psn, transport),
        }
        self.set_alarm(packet.qp);
        self.enqueue(packet.qp);
        self.forget_done();
    }

    /// Takes the alarms of finished senders off the front, so that a run does not wait for them.
    fn forget_done(&mut self) {
        while let Some(Reverse((_, Timer::Silence(number)))) = self.timers.peek() {
            if self.senders[*number as usize].done.is_none() {
                return;
            }
            self.timers.pop();
        }
    }

    fn silence(&mut self, now: Instant, number: u32, out: &mut Out<'_>) {
        let transport = &self.params.transport;
        let sender = &mut self.senders[number as usize];
        // An alarm that was overtaken by an earlier one is stale.
        if sender.done.is_some() || sender.alarm != now {
            return;
        }
        if sender.is_overdue(now, transport) {
            if sender.is_waiting() {
                sender.timed_out(now, transport);
            } else {
                // Nothing is under way, so nothing is missed.
                sender.listen_from(now, transport);
            }
        }
        sender.alarm = Instant::from_ps(u64::MAX);
        self.set_alarm(number);
        self.enqueue(number);
        self.serve(now, out);
    }

    /// Sees to it that a sender is looked at no later than its deadline.
    fn set_alarm(&mut self, number: u32) {
        let sender = &mut self.senders[number as usize];
        if sender.deadline < sender.alarm {
            sender.alarm = sender.deadline;
            self.timers.push(Reverse((sender.deadline, Timer::Silence(number))));
        }
    }

    /// Puts a sender that has something to send among those that wait for the port.
    fn enqueue(&mut self, number: u32) {
        let sender = &mut self.senders[number as usize];
        if !sender.queued && sender.has_work(&self.params.transport) {
            sender.queued = true;
            self.ready.push(Reverse((sender.eligible, number)));
        }
    }

    /// Sends what may go out now, and sees to it that the port is looked at again.
    fn serve(&mut self, now: Instant, out: &mut Out<'_>) {
        if self.port.busy_until <= now {
            if self.port.stops.until(Class::CONTROL.index()) <= now
                && let Some(packet) = self.control.pop_front()
            {
                self.port.counts.control_sent += 1;
                self.transmit(now, packet, out);
            } else if let Some(number) = self.next_sender(now) {
                self.send_data(now, number, out);
            }
        }
        let free = self.port.busy_until.max(now);
        let control = (!self.control.is_empty())
            .then(|| self.port.stops.until(Class::CONTROL.index()).max(free));
        let data = self.ready.peek().map(|Reverse((eligible, number))| {
            let class = self.senders[*number as usize].class;
            (*eligible).max(free).max(self.port.stops.until(class.index()))
        });
        if let Some(at) = control.into_iter().chain(data).min() {
            self.wake(at);
        }
    }

    /// The sender that has waited longest of those that may send. A stopped class holds back the
    /// senders behind it: a port has one queue of work.
    fn next_sender(&mut self, now: Instant) -> Option<u32> {
        let Reverse((eligible, number)) = *self.ready.peek()?;
        let class = self.senders[number as usize].class;
        let may = eligible <= now && self.port.stops.until(class.index()) <= now;
        if may {
            self.ready.pop();
        }
        may.then_some(number)
    }

    fn send_data(&mut self, now: Instant, number: u32, out: &mut Out<'_>) {
        let params = self.params;
        let sender = &mut self.senders[number as usize];
        sender.queued = false;
        // What it waited for may have been acknowledged in the meantime.
        if !sender.has_work(&params.transport) {
            self.serve(now, out);
            return;
        }
        let place = sender.take();
        let bytes = sender.bytes_of(place, params.wire.mtu, params.wire.header);
        let packet = Packet {
            flow: sender.flow,
            to: sender.to,
            qp: sender.peer_qp,
            psn: Psn::of(sender.first, place),
            seen: Psn::new(0),
            bytes,
            entropy: sender.entropy,
            kind: Kind::Data,
            ecn: if params.switch.ecn.is_some() { Ecn::Capable } else { Ecn::Not },
            class: sender.class,
            corrupt: false,
        };
        if sender.count(place) {
            self.progress = now;
        }
        if !sender.is_waiting_since_before() {
            sender.listen_from(now, &params.transport);
        }
        let (preamble, gap) = (self.port.wire.preamble, self.port.wire.gap);
        let on_wire = u32::from(preamble) + u32::from(bytes) + u32::from(gap);
        sender.eligible = now
            + match &params.dcqcn {
                Some(dcqcn) => sender.rate.sent(now, on_wire, dcqcn),
                None => self.port.wire.pace.time(on_wire),
            };
        self.port.counts.data_sent += 1;
        self.transmit(now, packet, out);
        self.set_alarm(number);
        self.enqueue(number);
    }

    fn transmit(&mut self, now: Instant, mut packet: Packet, out: &mut Out<'_>) {
        let port = &mut self.port;
        port.busy_until = now + port.wire.busy(packet.bytes);
        port.counts.sent += 1;
        let fate = if port.dead.is(now) { Fate::Dead } else { port.loss.fate(&mut port.loss_left) };
        match fate {
            Fate::Passes => {}
            Fate::Corrupted => packet.corrupt = true,
            Fate::Lost | Fate::Dead => {
                port.counts.lost += 1;
                let reason = if fate == Fate::Lost { DropReason::Link } else { DropReason::Dead };
                self.drop(&packet, reason);
                return;
            }
        }
        let at = port.wire.arrives(now, packet.bytes, port.header);
        out.send(port.peer, Arrival { at, packet, port: port.peer_port });
    }

    fn drop(&mut self, packet: &Packet, reason: DropReason) {
        let data = packet.kind == Kind::Data;
        self.dropped.push(Dropped { flow: packet.flow, port: 0, reason, data });
    }

    fn wake(&mut self, at: Instant) {
        if self.wake_at.is_none_or(|wake_at| at < wake_at) {
            self.wake_at = Some(at);
            self.timers.push(Reverse((at, Timer::Port)));
        }
    }
}

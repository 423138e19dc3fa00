//! A host: its queue pairs, and the port that they share.

mod dcqcn;
mod receiver;
mod sender;
mod storm;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use lightloom_units::{Instant, Span};

use crate::drops::{DropReason, Drops};
use crate::engine::{Arrival, NEVER, Out};
use crate::link::{Stops, Transmitter};
use crate::packet::{Class, Ecn, Kind, Packet, Psn};
use crate::params::Params;
use crate::simulation::PauseStorm;
pub(crate) use dcqcn::Rate;
pub(crate) use receiver::{Receiver, Reply};
pub(crate) use sender::Sender;

/// What a timer of a host is for, in the order in which they fire at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    /// The port may send.
    Port,
    /// A sender has been silent for too long.
    Silence(u32),
    /// A storm begins, is told again, or ends.
    Storm,
}

/// A host.
#[derive(Debug)]
pub(crate) struct Host<'a> {
    pub(crate) link: Transmitter,
    /// What the switch has stopped.
    pub(crate) stops: Stops,
    /// Packets that came in.
    pub(crate) received: u64,
    params: &'a Params,
    pub(crate) senders: Vec<Sender>,
    pub(crate) receivers: Vec<Receiver>,
    /// Control packets go before data.
    control: VecDeque<Packet>,
    /// Senders that have something to send, by class as in [`Class::DATA`] and by when they may.
    ready: [BinaryHeap<Reverse<(Instant, u32)>>; Class::DATA.len()],
    timers: BinaryHeap<Reverse<(Instant, Timer)>>,
    /// When the port is looked at next.
    wake_at: Instant,
    /// Payload that has arrived in order, by intervals of `interval`.
    pub(crate) goodput: Vec<u64>,
    interval: Span,
    /// Whether each receiver records the same for itself.
    by_flow: bool,
    /// When it stops its switch though it need not.
    storms: Vec<PauseStorm>,
    pub(crate) drops: Drops,
    pub(crate) notifications: u64,
    /// When something last arrived in order here, or went out for the first time.
    pub(crate) progress: Instant,
}

/// The place of a class among those of data.
fn place_of(class: Class) -> usize {
    usize::from(class != Class::DATA[0])
}

/// Adds to a place of a series, which grows to it.
fn add(series: &mut Vec<u64>, slot: usize, payload: u64) {
    if series.len() <= slot {
        series.resize(slot + 1, 0);
    }
    series[slot] += payload;
}

impl<'a> Host<'a> {
    /// A host whose series have intervals of this length, flow by flow too if asked for.
    pub(crate) fn new(
        link: Transmitter,
        params: &'a Params,
        (interval, by_flow): (Span, bool),
    ) -> Self {
        Self {
            link,
            stops: Stops::NONE,
            received: 0,
            params,
            senders: Vec::new(),
            receivers: Vec::new(),
            control: VecDeque::new(),
            ready: Default::default(),
            timers: BinaryHeap::new(),
            wake_at: NEVER,
            goodput: Vec::new(),
            interval,
            by_flow,
            storms: Vec::new(),
            drops: Drops::default(),
            notifications: 0,
            progress: Instant::from_ps(0),
        }
    }

    /// The application asks a sender for its message; the software takes a time.
    pub(crate) fn ask(&mut self, number: u32, now: Instant, takes: Span) {
        let sender = &mut self.senders[number as usize];
        sender.ask(now, takes, &self.params.transport);
        let first = sender.eligible;
        self.set_alarm(number);
        self.enqueue(number);
        self.wake(first);
    }

    /// A message has arrived, and goes on to others.
    fn hand_on(&mut self, now: Instant, receiver: u32) {
        let then = std::mem::take(&mut self.receivers[receiver as usize].then);
        for (sender, earliest) in then {
            self.ask(sender, now.max(earliest), self.params.stack.forward);
        }
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    pub(crate) fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        match self.timers.pop() {
            Some(Reverse((at, Timer::Port))) if self.wake_at == at => {
                self.wake_at = NEVER;
                self.serve(now, out);
            }
            Some(Reverse((_, Timer::Silence(number)))) => self.silence(now, number, out),
            Some(Reverse((_, Timer::Storm))) => self.storm(now, out),
            _ => {}
        }
        self.forget_stale();
    }

    pub(crate) fn arrive(&mut self, now: Instant, arrival: &Arrival, out: &mut Out<'_>) {
        self.received += 1;
        let packet = &arrival.packet;
        if packet.corrupt || self.link.is_dead(now) {
            let reason = if packet.corrupt { DropReason::Corrupt } else { DropReason::Dead };
            self.drop(packet, reason);
            return;
        }
        match packet.kind {
            Kind::Data => self.data(now, packet),
            Kind::Ack | Kind::Nack | Kind::Cnp => self.feedback(now, packet),
            Kind::Pause => {
                let stop = self.link.pace.quanta(packet.psn.get());
                self.stops.stop(now, packet.class.index(), stop);
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
            let slot = usize::try_from(now.as_ps() / self.interval.as_ps()).unwrap_or(usize::MAX);
            let payload = receiver.payload_of_last(in_order);
            add(&mut self.goodput, slot, payload);
            if self.by_flow {
                add(&mut receiver.goodput, slot, payload);
            }
            if receiver.is_complete() && receiver.done.is_none() {
                receiver.done = Some(now + self.params.stack.receive);
                self.hand_on(now, packet.qp);
            }
        }
        let receiver = &mut self.receivers[packet.qp as usize];
        let (to, qp, entropy) = (receiver.from, receiver.peer_qp, receiver.entropy);
        let control = |kind, psn, seen| Packet {
            to,
            qp,
            psn,
            seen,
            bytes: self.params.wire.control,
            entropy,
            port: 0,
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
        self.forget_stale();
    }

    /// Takes timers that nobody waits for any more off the front, so that a run does not wait for them.
    fn forget_stale(&mut self) {
        while let Some(&Reverse((at, timer))) = self.timers.peek() {
            let stale = match timer {
                Timer::Port => self.wake_at != at,
                Timer::Silence(number) => self.senders[number as usize].done.is_some(),
                Timer::Storm => false,
            };
            if !stale {
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
            self.ready[place_of(sender.class)].push(Reverse((sender.eligible, number)));
        }
    }

    /// Sends what may go out now, and sees to it that the port is looked at again.
    fn serve(&mut self, now: Instant, out: &mut Out<'_>) {
        if self.link.busy_until <= now {
            if self.stops.until(Class::CONTROL.index()) <= now
                && let Some(packet) = self.control.pop_front()
            {
                self.transmit(now, packet, out);
            } else if let Some(number) = self.next_sender(now) {
                self.send_data(now, number, out);
            }
        }
        let free = self.link.busy_until.max(now);
        let control =
            (!self.control.is_empty()).then(|| self.stops.until(Class::CONTROL.index()).max(free));
        let data = self.next_data(free).map(|(at, _)| at);
        match control.into_iter().chain(data).min() {
            Some(at) => self.wake(at),
            None => self.wake_at = NEVER,
        }
        self.forget_stale();
    }

    /// The sender that may go next, not before `free`, and when: the one that has waited longest of those
    /// whose class is not stopped.
    fn next_data(&self, free: Instant) -> Option<(Instant, u32)> {
        let first = |(class, ready): (&Class, &BinaryHeap<Reverse<(Instant, u32)>>)| {
            let Reverse((eligible, number)) = *ready.peek()?;
            let may = eligible.max(self.stops.until(class.index())).max(free);
            Some((may, eligible, number))
        };
        let firsts = Class::DATA.iter().zip(&self.ready).filter_map(first);
        firsts.min().map(|(may, _, number)| (may, number))
    }

    /// Takes the sender that may go now, past those that had their last packets acknowledged while they
    /// waited.
    fn next_sender(&mut self, now: Instant) -> Option<u32> {
        loop {
            let (may, number) = self.next_data(now)?;
            if may > now {
                return None;
            }
            let sender = &mut self.senders[number as usize];
            self.ready[place_of(sender.class)].pop();
            sender.queued = false;
            if sender.has_work(&self.params.transport) {
                return Some(number);
            }
        }
    }

    fn send_data(&mut self, now: Instant, number: u32, out: &mut Out<'_>) {
        let params = self.params;
        let sender = &mut self.senders[number as usize];
        let place = sender.take();
        let bytes = sender.bytes_of(place, params.wire.mtu, params.wire.header);
        let packet = Packet {
            to: sender.to,
            qp: sender.peer_qp,
            psn: Psn::of(sender.first, place),
            seen: Psn::new(0),
            bytes,
            entropy: sender.entropy,
            port: 0,
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
        let (preamble, gap) = (self.link.preamble, self.link.gap);
        let on_wire = u32::from(preamble) + u32::from(bytes) + u32::from(gap);
        sender.eligible = now
            + match &params.dcqcn {
                Some(dcqcn) => sender.rate.sent(now, on_wire, dcqcn),
                None => self.link.pace.time(on_wire),
            };
        self.transmit(now, packet, out);
        self.set_alarm(number);
        self.enqueue(number);
    }

    fn transmit(&mut self, now: Instant, packet: Packet, out: &mut Out<'_>) {
        if let Err(reason) = self.link.send(now, packet, out) {
            self.drop(&packet, reason);
        }
    }

    fn drop(&mut self, packet: &Packet, reason: DropReason) {
        self.drops.add(packet, 0, reason);
    }

    fn wake(&mut self, at: Instant) {
        if at < self.wake_at {
            self.wake_at = at;
            self.timers.push(Reverse((at, Timer::Port)));
        }
    }
}

//! Hosts of the model: the twin's own queue pairs, and beside each receiver a list of what has arrived.

use lightloom_units::{BitRate, Instant, Span};

use crate::dcqcn::Rate;
use crate::messages::FlowId;
use crate::outgoing::Outgoing;
use crate::params::{Recovery, Transport};
use crate::psn::Psn;
use crate::receiver::{Incoming, Receiver, Reply};
use crate::sender::Sender;

const MTU: u16 = 1000;

/// A receiver, and what it has.
#[derive(Debug)]
pub(super) struct Has {
    receiver: Receiver,
    transport: Transport,
    /// The first packet of its message among all of the group.
    base: u64,
    /// From `base` on.
    arrived: Vec<bool>,
    /// Packets in order that its application has.
    pub(super) in_order: u64,
}

impl Has {
    pub(super) fn new(base: u64, packets: u64, transport: Transport) -> Self {
        let message = Incoming::new(FlowId(0), packets * u64::from(MTU), MTU);
        Self {
            receiver: Receiver::new(message),
            transport,
            base,
            arrived: vec![false; usize::try_from(packets).expect("it is small")],
            in_order: 0,
        }
    }

    /// All before this packet have arrived.
    pub(super) fn upto(&self) -> u64 {
        self.base + self.in_order
    }

    /// Whether a packet has arrived, and is kept.
    pub(super) fn has(&self, packet: u64) -> bool {
        let place = packet.checked_sub(self.base).and_then(|place| usize::try_from(place).ok());
        place.is_none_or(|place| self.arrived.get(place).copied().unwrap_or(false))
    }

    pub(super) fn data(&mut self, packet: u64, psn: Psn) -> Reply {
        let (more, reply) = self.receiver.data(psn, MTU, &self.transport);
        let keeps = match self.transport.recovery {
            Recovery::GoBackN => packet == self.upto(),
            Recovery::SelectiveRepeat { window, .. } => packet <= self.upto() + u64::from(window),
        };
        if let Some(place) = packet.checked_sub(self.base)
            && keeps
        {
            self.arrived[usize::try_from(place).expect("it is small")] = true;
        }
        self.in_order += more;
        let run = self.arrived.iter().take_while(|arrived| **arrived).count();
        assert_eq!(self.in_order, run as u64, "what the application has is what has arrived");
        reply
    }
}

/// The host that sends.
#[derive(Debug)]
pub(super) struct Sends {
    sender: Sender,
    transport: Transport,
    /// The first packet of its message among all of the group, and its packets.
    pub(super) base: u64,
    pub(super) packets: u64,
    /// All before it are acknowledged, among all of the group.
    pub(super) acked: u64,
    /// Packets that went out.
    pub(super) sent: u64,
}

impl Sends {
    pub(super) fn new(base: u64, packets: u64, transport: Transport, now: Instant) -> Self {
        let rate = Rate::new(BitRate::from_gbps(100));
        let message = Outgoing::new(FlowId(0), packets * u64::from(MTU), MTU, 0);
        let mut sender = Sender::new(message, rate, &transport);
        sender.ask(0, now, (now, Span::ZERO), &transport);
        Self { sender, transport, base, packets, acked: base, sent: 0 }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.sender.is_idle()
    }

    pub(super) fn deadline(&self) -> Instant {
        self.sender.deadline()
    }

    pub(super) fn timeouts(&self) -> u64 {
        self.sender.messages.iter().map(|message| message.timeouts).sum()
    }

    /// The next packet, and whether it goes out for the first time.
    pub(super) fn take(&mut self, now: Instant) -> Option<(u64, Psn, bool)> {
        if !self.sender.has_work(&self.transport) {
            return None;
        }
        let place = self.sender.take();
        let (_, _, is_first) = self.sender.goes_out(place, MTU, 0);
        if !self.sender.is_waiting_since_before() {
            self.sender.listen_from(now, &self.transport);
        }
        self.sender.may_go_on(now, &self.transport);
        self.sent += 1;
        Some((self.base + place, self.transport.psn(place), is_first))
    }

    pub(super) fn acknowledged(&mut self, now: Instant, packet: u64, psn: Psn) {
        self.acked = self.acked.max(packet);
        self.sender.acknowledged(now, psn, &self.transport);
    }

    pub(super) fn missed(&mut self, now: Instant, packet: u64, (psn, seen): (Psn, Psn)) {
        self.acked = self.acked.max(packet);
        self.sender.missed(now, psn, seen, &self.transport);
    }

    pub(super) fn silence(&mut self, now: Instant) {
        assert_eq!(self.sender.silence(now, &self.transport), None, "there is no limit");
    }
}

//! The receiving side of a reliable connection, without any input or output.

use std::collections::VecDeque;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::packet::{FlowId, Psn};
use crate::params::{Recovery, Transport};

/// A receiving queue pair with one message.
#[derive(Debug)]
pub(crate) struct Receiver {
    pub(crate) flow: FlowId,
    pub(crate) from: NodeId,
    /// The queue pair at the other end.
    pub(crate) peer_qp: u32,
    pub(crate) entropy: u16,
    first: Psn,
    packets: u64,
    /// Payload of the message, and of a full packet.
    bytes: u64,
    mtu: u64,
    /// All packets before this one have arrived.
    pub(crate) expected: u64,
    unacknowledged: u32,
    /// Whether the gap was reported, with go-back-N.
    reported: bool,
    /// From `expected` on: whether the packet has arrived, with selective repeat.
    arrived: VecDeque<bool>,
    pub(crate) notified: Option<Instant>,
    /// Packets that arrived, copies and those out of order included.
    pub(crate) delivered: u64,
    /// Of those, packets that had arrived before.
    pub(crate) copies: u64,
    pub(crate) done: Option<Instant>,
    /// Senders of the same host that hand the message on, each with the earliest time for it.
    pub(crate) then: Vec<(u32, Instant)>,
    /// Payload that has arrived in order, by interval, where that is recorded.
    pub(crate) goodput: Vec<u64>,
}

/// What to tell the sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Nothing,
    /// All before this have arrived.
    Ack(Psn),
    /// The first is missing, the second has arrived.
    Nack(Psn, Psn),
}

impl Receiver {
    pub(crate) fn new(
        (flow, from, peer_qp): (FlowId, NodeId, u32),
        entropy: u16,
        (packets, bytes, mtu): (u64, u64, u16),
        transport: &Transport,
    ) -> Self {
        Self {
            flow,
            from,
            peer_qp,
            entropy,
            first: Psn::new(transport.first_psn),
            packets,
            bytes,
            mtu: mtu.into(),
            expected: 0,
            unacknowledged: 0,
            reported: false,
            arrived: VecDeque::new(),
            notified: None,
            delivered: 0,
            copies: 0,
            done: None,
            then: Vec::new(),
            goodput: Vec::new(),
        }
    }

    /// A packet has arrived: how many more are now in order, and what to tell the sender.
    pub(crate) fn data(&mut self, psn: Psn, transport: &Transport) -> (u64, Reply) {
        self.delivered += 1;
        let ahead = psn.after(Psn::of(self.first, self.expected));
        match (ahead, transport.recovery) {
            (0, _) => {
                let before = self.expected;
                self.expected += 1;
                self.arrived.pop_front();
                while self.arrived.front() == Some(&true) {
                    self.arrived.pop_front();
                    self.expected += 1;
                }
                let in_order = self.expected - before;
                // A sender that has repeated something waits to hear that it has arrived.
                let closed = self.reported || in_order > 1 || !self.arrived.is_empty();
                self.reported = false;
                self.unacknowledged += 1;
                let last = self.expected >= self.packets;
                let due = closed || last || self.unacknowledged >= transport.ack_every;
                (in_order, if due { self.ack() } else { Reply::Nothing })
            }
            // A copy: its acknowledgement may have been lost.
            (..0, _) => {
                self.copies += 1;
                (0, self.ack())
            }
            (1.., Recovery::GoBackN) => {
                let reply = if self.reported {
                    Reply::Nothing
                } else {
                    Reply::Nack(Psn::of(self.first, self.expected), psn)
                };
                self.reported = true;
                (0, reply)
            }
            (1.., Recovery::SelectiveRepeat { window, .. }) => {
                let place = usize::try_from(ahead).unwrap_or(usize::MAX);
                if place > window as usize {
                    return (0, Reply::Nothing);
                }
                if self.arrived.len() <= place {
                    self.arrived.resize(place + 1, false);
                }
                self.copies += u64::from(self.arrived[place]);
                self.arrived[place] = true;
                (0, Reply::Nack(Psn::of(self.first, self.expected), psn))
            }
        }
    }

    /// Payload of the last so many packets in order.
    pub(crate) fn payload_of_last(&self, packets: u64) -> u64 {
        let upto = |packets: u64| (packets * self.mtu).min(self.bytes);
        upto(self.expected) - upto(self.expected - packets)
    }

    /// Whether everything has arrived.
    pub(crate) fn is_complete(&self) -> bool {
        self.expected >= self.packets
    }

    fn ack(&mut self) -> Reply {
        self.unacknowledged = 0;
        Reply::Ack(Psn::of(self.first, self.expected))
    }
}

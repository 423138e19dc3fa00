//! The sending side of a reliable connection, without any input or output: handlers take the time and
//! say what to do.

use std::collections::VecDeque;

use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span};

use super::dcqcn::Rate;
use crate::packet::{Class, FlowId, Psn};
use crate::params::{Recovery, Transport};

/// A sending queue pair with one message.
#[derive(Debug)]
pub(crate) struct Sender {
    pub(crate) flow: FlowId,
    pub(crate) to: NodeId,
    /// The queue pair at the other end.
    pub(crate) peer_qp: u32,
    pub(crate) class: Class,
    pub(crate) entropy: u16,
    pub(crate) first: Psn,
    /// Payload of the message.
    pub(crate) bytes: u64,
    /// Header that the first packet has beyond the others'.
    pub(crate) first_extra: u16,
    pub(crate) packets: u64,
    /// All packets before this one are acknowledged.
    pub(crate) acked: u64,
    /// The next new packet.
    pub(crate) next: u64,
    /// When the application asked for it; none before that.
    pub(crate) asked: Option<Instant>,
    /// The next packet may go out at this time.
    pub(crate) eligible: Instant,
    pub(crate) deadline: Instant,
    /// When the silence began that the deadline ends.
    since: Instant,
    /// When it is looked at for silence.
    pub(crate) alarm: Instant,
    pub(crate) rate: Rate,
    /// Whether it waits for its turn at the port.
    pub(crate) queued: bool,
    /// What has arrived beyond `acked`, with selective repeat.
    selective: Option<Box<Selective>>,
    /// The highest packet that ever went out, and one more.
    highest: u64,
    pub(crate) sent: u64,
    pub(crate) resent: u64,
    pub(crate) timeouts: u64,
    pub(crate) done: Option<Instant>,
}

/// Selective repeat (IRN, section 3.1): what has arrived, and what is still to be repeated.
#[derive(Debug, Default)]
struct Selective {
    /// From `acked` on: whether the packet has arrived.
    arrived: VecDeque<bool>,
    /// Recovery lasts until everything before this is acknowledged.
    until: Option<u64>,
    /// The next packet to look at for repeating.
    look: u64,
    /// The highest packet that has arrived, and one more.
    seen: u64,
}

impl Sender {
    /// Takes the flow with its ends, how its packets travel, and payload, full payload and the first
    /// packet's extra header.
    pub(crate) fn new(
        (flow, to, peer_qp): (FlowId, NodeId, u32),
        (class, entropy): (Class, u16),
        (bytes, mtu, first_extra): (u64, u16, u16),
        rate: Rate,
        transport: &Transport,
    ) -> Self {
        let selective = match transport.recovery {
            Recovery::GoBackN => None,
            Recovery::SelectiveRepeat { .. } => Some(Box::default()),
        };
        Self {
            flow,
            to,
            peer_qp,
            class,
            entropy,
            first: Psn::new(transport.first_psn),
            bytes,
            first_extra,
            // An empty message is one packet without payload.
            packets: bytes.div_ceil(mtu.into()).max(1),
            acked: 0,
            next: 0,
            asked: None,
            eligible: Instant::from_ps(0),
            deadline: Instant::from_ps(0),
            since: Instant::from_ps(0),
            alarm: Instant::from_ps(u64::MAX),
            rate,
            queued: false,
            selective,
            highest: 0,
            sent: 0,
            resent: 0,
            timeouts: 0,
            done: None,
        }
    }

    /// The application asks for the message, and the software takes a time before the first packet.
    pub(crate) fn ask(&mut self, now: Instant, takes: Span, transport: &Transport) {
        self.asked = Some(now);
        self.eligible = now + takes;
        self.listen_from(self.eligible, transport);
    }

    /// Whether there is anything that may go out.
    pub(crate) fn has_work(&mut self, transport: &Transport) -> bool {
        if self.asked.is_none() || self.done.is_some() {
            return false;
        }
        match transport.recovery {
            Recovery::GoBackN => {
                self.next < self.packets && self.next - self.acked < MOST_UNDER_WAY
            }
            Recovery::SelectiveRepeat { window, .. } => {
                let new = self.next < self.packets && self.next - self.acked < u64::from(window);
                new || self.missing().is_some()
            }
        }
    }

    /// The next packet to go out.
    pub(crate) fn take(&mut self) -> u64 {
        if let Some(missing) = self.missing() {
            if let Some(selective) = &mut self.selective {
                selective.look = missing + 1;
            }
            return missing;
        }
        self.next += 1;
        self.next - 1
    }

    /// In recovery, the first packet that was not repeated yet and that a later one has overtaken.
    fn missing(&mut self) -> Option<u64> {
        let selective = self.selective.as_mut()?;
        selective.until?;
        let from = selective.look.max(self.acked);
        let has_arrived = |place: u64| {
            let at = usize::try_from(place - self.acked).unwrap_or(usize::MAX);
            selective.arrived.get(at).copied().unwrap_or(false)
        };
        let missing = (from..selective.seen).find(|&place| !has_arrived(place));
        // What has arrived is not looked at again.
        selective.look = missing.unwrap_or(from.max(selective.seen));
        missing
    }

    /// All before `psn` have arrived.
    pub(crate) fn acknowledged(&mut self, now: Instant, psn: Psn, transport: &Transport) {
        let ahead = psn.after(Psn::of(self.first, self.acked));
        let Ok(ahead) = u64::try_from(ahead) else { return };
        let acked = self.acked + ahead;
        if ahead == 0 || acked > self.packets {
            return;
        }
        self.acked = acked;
        self.next = self.next.max(acked);
        if let Some(selective) = &mut self.selective {
            for _ in 0..ahead {
                selective.arrived.pop_front();
            }
            if selective.until.is_some_and(|until| acked >= until) {
                selective.until = None;
            }
        }
        self.listen_from(now, transport);
        if acked == self.packets {
            self.done = Some(now);
        }
    }

    /// `psn` is missing; with selective repeat `seen` has arrived.
    pub(crate) fn missed(&mut self, now: Instant, psn: Psn, seen: Psn, transport: &Transport) {
        self.acknowledged(now, psn, transport);
        if self.done.is_some() {
            return;
        }
        let Some(selective) = &mut self.selective else {
            // Only what was sent can be missing.
            if psn.after(Psn::of(self.first, self.acked)) == 0 {
                self.next = self.acked;
            }
            return;
        };
        let Ok(ahead) = usize::try_from(seen.after(Psn::of(self.first, self.acked))) else {
            return;
        };
        if self.acked + ahead as u64 >= self.next {
            return;
        }
        if selective.arrived.len() <= ahead {
            selective.arrived.resize(ahead + 1, false);
        }
        selective.arrived[ahead] = true;
        selective.seen = selective.seen.max(self.acked + ahead as u64 + 1);
        selective.until.get_or_insert(self.next);
    }

    /// Nothing was heard for too long: the oldest packet counts as lost.
    pub(crate) fn timed_out(&mut self, now: Instant, transport: &Transport) {
        self.timeouts += 1;
        match &mut self.selective {
            None => self.next = self.acked,
            Some(selective) => {
                selective.until = Some(self.next);
                selective.look = self.acked;
                selective.seen = selective.seen.max(self.acked + 1).min(self.next.max(1));
            }
        }
        self.listen_from(now, transport);
    }

    /// Silence begins now.
    pub(crate) fn listen_from(&mut self, now: Instant, transport: &Transport) {
        self.since = now;
        self.deadline = now + self.timeout(transport);
    }

    /// Puts the deadline where what is under way by now puts it; whether it has passed.
    pub(crate) fn is_overdue(&mut self, now: Instant, transport: &Transport) -> bool {
        self.deadline = self.since + self.timeout(transport);
        self.deadline <= now
    }

    /// The timeout that now holds.
    fn timeout(&self, transport: &Transport) -> Span {
        match transport.recovery {
            Recovery::SelectiveRepeat { short_timeout, few, .. }
                if self.next - self.acked < u64::from(few) =>
            {
                short_timeout
            }
            _ => transport.timeout,
        }
    }

    /// The size on the wire of a packet, its preamble and gap not counted.
    pub(crate) fn bytes_of(&self, place: u64, mtu: u16, header: u16) -> u16 {
        let before = place * u64::from(mtu);
        let payload = self.bytes.saturating_sub(before).min(mtu.into());
        let extra = if place == 0 { self.first_extra } else { 0 };
        // At most a full packet and its headers, which the parameters keep within 16 bits.
        u16::try_from(payload + u64::from(header) + u64::from(extra)).unwrap_or(u16::MAX)
    }

    /// Counts a packet that goes out; whether it is the first time.
    pub(crate) fn count(&mut self, place: u64) -> bool {
        let first = place >= self.highest;
        self.sent += 1;
        self.resent += u64::from(!first);
        self.highest = self.highest.max(place + 1);
        first
    }

    /// Whether more than the packet that goes out now is under way, so that the clock runs already.
    pub(crate) fn is_waiting_since_before(&self) -> bool {
        self.next > self.acked + 1
    }

    /// Whether packets are under way.
    pub(crate) fn is_waiting(&self) -> bool {
        self.done.is_none() && self.next > self.acked
    }
}

/// A quarter of the sequence numbers: no more packets may be under way, so that old and new are told
/// apart with room to spare.
const MOST_UNDER_WAY: u64 = 1 << 22;

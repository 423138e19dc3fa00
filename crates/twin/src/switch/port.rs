//! A port of a switch: its queues, who has stopped it, and whom it has stopped.

use lightloom_units::{DataSize, Instant, Span};

use super::buffer::Queue;
use crate::engine::Address;
use crate::link::{Dead, Fate, Loss, Stops, Wire};
use crate::packet::{CLASSES, Class, Kind, Packet, Psn};
use crate::random::Stream;

/// The longest pause, in quanta of 512 bit times (IEEE 802.3 annex 31B).
pub(super) const PAUSE_QUANTA: u32 = 65_535;
const QUANTUM_BYTES: u32 = 64;

/// What happened at a port, but for what happens to every packet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PortCounts {
    pub(crate) lost: u64,
    pub(crate) dropped: u64,
    pub(crate) marked: u64,
    pub(crate) pauses: u64,
    pub(crate) most_queued: u32,
}

/// A port of a switch. What every packet touches stands first, in two cache lines: what goes out needs
/// both, what comes in the second.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct SwitchPort {
    pub(crate) busy_until: Instant,
    pub(crate) wire: Wire,
    pub(crate) peer: Address,
    pub(crate) peer_port: u16,
    /// Bytes that the other end waits for before it acts on a packet; all of it where 0.
    pub(crate) header: u16,
    pub(crate) sent: u64,
    // Here the second line begins.
    pub(crate) received: u64,
    pub(crate) sent_data: u64,
    /// Packets that pass before the next loss.
    pub(crate) loss_left: u64,
    pub(crate) dead: Dead,
    /// Packets in all queues.
    pub(crate) queued: u32,
    /// Whether the other end has yet to be told to stop, or to go on.
    pub(crate) due: [bool; CLASSES],
    /// Whether the other end has ever stopped a class, so that `stops` matters.
    pub(crate) was_stopped: bool,
    // And here what only queues and losses touch.
    /// What the other end has stopped.
    pub(crate) stops: Stops,
    pub(crate) counts: PortCounts,
    pub(crate) loss: Loss,
    pub(crate) wake_at: Option<Instant>,
    pub(crate) queues: [Queue; CLASSES],
    /// Bytes in the buffer that came in here.
    pub(crate) waiting_in: [u32; CLASSES],
    /// Whether the other end was told to stop.
    pub(crate) stopped: [bool; CLASSES],
    /// When it must be told again, or it would go on by itself.
    pub(crate) refresh_at: [Instant; CLASSES],
    pub(crate) marking: Option<Marking>,
}

/// Random early marking of one port.
#[derive(Debug, Clone)]
pub(crate) struct Marking {
    pub(crate) kmin: u32,
    pub(crate) kmax: u32,
    pub(crate) pmax: f64,
    pub(crate) random: Stream,
}

impl SwitchPort {
    /// Whether a packet of a class can go out at once.
    #[inline]
    pub(super) fn is_free(&self, now: Instant, class: Class) -> bool {
        self.busy_until <= now
            && self.queued == 0
            && self.due == [false; CLASSES]
            && (!self.was_stopped || self.stops.until(class.index()) <= now)
    }

    /// Whether a packet that joins a queue is marked, by what waits before it.
    pub(super) fn marks(&mut self, class: Class) -> bool {
        let queued = self.queues[class.index()].bytes;
        let Some(marking) = &mut self.marking else { return false };
        let marks = if queued <= marking.kmin {
            false
        } else if queued > marking.kmax {
            true
        } else {
            let over = f64::from(queued - marking.kmin);
            let most = f64::from(marking.kmax - marking.kmin);
            marking.random.unit() < marking.pmax * over / most
        };
        self.counts.marked += u64::from(marks);
        marks
    }

    /// The other end says: stop a class for a time, or go on.
    pub(super) fn pause(&mut self, now: Instant, class: Class, quanta: Psn) {
        self.was_stopped = true;
        let time = self.wire.pace.time(quanta.get() * QUANTUM_BYTES);
        self.stops.stop(now, class.index(), time);
    }

    /// The class that the other end has yet to be told of.
    #[inline]
    pub(super) fn due_class(&self) -> Option<Class> {
        [Class::LOSSLESS, Class::LOSSY, Class::CONTROL]
            .into_iter()
            .find(|class| self.due[class.index()])
    }

    /// The other end was told at this time; if it was to stop, it must be told again in half of the
    /// time that it then waits.
    pub(super) fn told(&mut self, now: Instant, class: Class) -> bool {
        let c = class.index();
        self.due[c] = false;
        let half = self.wire.pace.time(PAUSE_QUANTA * QUANTUM_BYTES / 2);
        self.refresh_at[c] = now + half;
        self.counts.pauses += u64::from(self.stopped[c]);
        self.stopped[c]
    }

    /// Notes which stops must be told again.
    pub(super) fn refresh(&mut self, now: Instant) {
        for c in 0..CLASSES {
            self.due[c] |= self.stopped[c] && self.refresh_at[c] <= now;
        }
    }

    /// The first class that has packets and may send.
    pub(super) fn next_class(&self, now: Instant) -> Option<usize> {
        (0..CLASSES).find(|&c| !self.queues[c].is_empty() && self.stops.until(c) <= now)
    }

    /// When the port should be served again: when it is free, or no longer stopped.
    pub(super) fn wants_service(&self, now: Instant) -> Option<Instant> {
        let free = self.busy_until.max(now);
        if self.due_class().is_some() {
            return Some(free);
        }
        let waiting = (0..CLASSES).filter(|&c| !self.queues[c].is_empty());
        let sends = waiting.map(|c| self.stops.until(c).max(free)).min();
        let stopped = (0..CLASSES).filter(|&c| self.stopped[c]);
        let refreshes = stopped.map(|c| self.refresh_at[c].max(free)).min();
        sends.into_iter().chain(refreshes).min()
    }

    /// The earliest start on `out` of a packet whose header, and no more, has come in here now: it must
    /// not end before the packet has come in.
    pub(super) fn earliest_start(
        &self,
        now: Instant,
        bytes: u16,
        header: u16,
        out: &Self,
    ) -> Instant {
        let still = self.wire.pace.time(u32::from(bytes.saturating_sub(header)));
        let takes = out.wire.pace.time(bytes.into());
        now + Span::from_ps(still.as_ps().saturating_sub(takes.as_ps()))
    }

    /// Puts a packet on the wire: when and where it arrives, and whether it does.
    #[inline]
    pub(super) fn send(&mut self, start: Instant, packet: &mut Packet) -> (Instant, Address, Fate) {
        self.busy_until = start + self.wire.busy(packet.bytes);
        self.sent += 1;
        self.sent_data += u64::from(packet.kind == Kind::Data);
        let fate =
            if self.dead.is(start) { Fate::Dead } else { self.loss.fate(&mut self.loss_left) };
        match fate {
            Fate::Passes => {}
            Fate::Lost | Fate::Dead => self.counts.lost += 1,
            Fate::Corrupted => packet.corrupt = true,
        }
        (self.wire.arrives(start, packet.bytes, self.header), self.peer, fate)
    }
}

impl Marking {
    /// Thresholds for a port's rate, in proportion to those of the reference rate.
    pub(crate) fn thresholds(kmin: DataSize, kmax: DataSize, rate: u64, at: u64) -> (u32, u32) {
        let scaled = |size: DataSize| {
            let bytes = u128::from(size.as_bytes()) * u128::from(rate) / u128::from(at.max(1));
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        (scaled(kmin), scaled(kmax))
    }
}

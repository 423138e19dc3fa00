//! One direction of a link: the end that transmits, and what is lost on the way.

use lightloom_units::{BitRate, Instant, Span};

use crate::drops::DropReason;
use crate::engine::{Address, Arrival, Out};
use crate::packet::{CLASSES, Packet};
use crate::random::Stream;

/// Picoseconds in a second, times the bits of a byte.
const PS_BITS: u64 = 8_000_000_000_000;

/// Bytes of a pause quantum: 512 bit times (IEEE 802.3 annex 31B).
const QUANTUM_BYTES: u32 = 64;

/// The longest pause, in quanta (the same).
pub(crate) const MOST_QUANTA: u32 = 65_535;

/// Turns bytes into time at one rate, rounded up to the picosecond.
///
/// At most rates a byte takes a whole number of picoseconds, as at 100 Gb/s: then this is that number
/// and [`Pace::WHOLE`]; else it is the bits of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace(u64);

impl Pace {
    const WHOLE: u64 = 1 << 63;

    /// The pace of a rate that is not zero.
    pub(crate) fn of(rate: BitRate) -> Self {
        let bps = rate.as_bps().clamp(1, Self::WHOLE - 1);
        if PS_BITS.is_multiple_of(bps) { Self((PS_BITS / bps) | Self::WHOLE) } else { Self(bps) }
    }

    #[inline]
    pub(crate) fn time(self, bytes: u32) -> Span {
        let Self(number) = self;
        Span::from_ps(if number & Self::WHOLE != 0 {
            u64::from(bytes) * (number & !Self::WHOLE)
        } else {
            match u64::from(bytes).checked_mul(PS_BITS) {
                Some(ps_bits) => ps_bits.div_ceil(number),
                // Only pauses are so long; at any rate their time fits.
                None => (u128::from(bytes) * u128::from(PS_BITS))
                    .div_ceil(number.into())
                    .try_into()
                    .unwrap_or(u64::MAX),
            }
        })
    }

    /// The time of so many pause quanta.
    pub(crate) fn quanta(self, quanta: u32) -> Span {
        self.time(quanta * QUANTUM_BYTES)
    }
}

/// The end of a link that transmits. Every packet touches it, so it is one cache line, and what only
/// trouble needs stands elsewhere.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Transmitter {
    pub(crate) busy_until: Instant,
    pub(crate) pace: Pace,
    /// Along the fibre, and through the node at its end until it acts on a packet.
    pub(crate) delay: Span,
    /// Packets put on the wire.
    pub(crate) sent: u64,
    /// Their bytes, from the first of the Ethernet header to the last of the check sequence.
    pub(crate) sent_bytes: u64,
    pub(crate) trouble: Option<Box<Trouble>>,
    pub(crate) peer: Address,
    pub(crate) peer_port: u16,
    /// Bytes of time on the wire before a frame, and after it.
    pub(crate) preamble: u16,
    pub(crate) gap: u16,
    /// Bytes that the other end waits for before it acts on a packet; all of it where 0.
    pub(crate) header: u8,
    /// Whether anything waits for the port or has stopped it, so that a packet cannot just go out.
    pub(crate) waits: bool,
}

impl Transmitter {
    /// How long the port is busy with a frame.
    #[inline]
    pub(crate) fn busy(&self, bytes: u16) -> Span {
        self.pace.time(u32::from(self.preamble) + u32::from(bytes) + u32::from(self.gap))
    }

    /// How long a frame of so many bytes is on the wire, or the first so many of one: preamble and all.
    #[inline]
    pub(crate) fn on_wire(&self, bytes: u16) -> Span {
        self.pace.time(u32::from(self.preamble) + u32::from(bytes))
    }

    /// Puts a packet on the wire: its arrival, or the reason where there is none.
    #[inline]
    pub(crate) fn send(
        &mut self,
        start: Instant,
        mut packet: Packet,
        out: &mut Out<'_>,
    ) -> Result<Arrival, DropReason> {
        self.busy_until = start + self.busy(packet.bytes);
        self.sent += 1;
        self.sent_bytes += u64::from(packet.bytes);
        out.count(packet.kind);
        if let Some(trouble) = &mut self.trouble {
            packet.corrupt |= trouble.passes(start)?;
        }
        let header = u16::from(self.header);
        let needed = if header == 0 { packet.bytes } else { header.min(packet.bytes) };
        let at = start + self.on_wire(needed) + self.delay;
        let arrival = Arrival { at, packet: Packet { port: self.peer_port, ..packet } };
        out.send(self.peer, arrival);
        Ok(arrival)
    }

    /// Whether the link is ever dead.
    pub(crate) fn is_mortal(&self) -> bool {
        self.trouble.as_ref().is_some_and(|trouble| !trouble.dead.is_empty())
    }

    /// Whether the link is dead now.
    pub(crate) fn is_dead(&self, now: Instant) -> bool {
        self.trouble.as_ref().is_some_and(|trouble| trouble.is_dead(now))
    }

    /// Whether the link is dead, or dies again, after a time.
    pub(crate) fn dies_after(&self, now: Instant) -> bool {
        self.trouble.as_ref().is_some_and(|trouble| trouble.dead.iter().any(|dead| now < dead.to))
    }

    /// Packets that were lost on the link.
    pub(crate) fn lost(&self) -> u64 {
        self.trouble.as_ref().map_or(0, |trouble| trouble.lost)
    }
}

/// What goes wrong on a link.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// When it is dead.
    dead: Vec<Dead>,
    loss: Option<Loss>,
    /// Packets lost.
    lost: u64,
}

impl Trouble {
    pub(crate) fn new(dead: Vec<Dead>, loss: Option<Loss>) -> Self {
        Self { dead, loss, lost: 0 }
    }

    fn is_dead(&self, now: Instant) -> bool {
        self.dead.iter().any(|dead| dead.from <= now && now < dead.to)
    }

    /// What becomes of a packet: whether it comes through with wrong bits, or why it does not.
    fn passes(&mut self, now: Instant) -> Result<bool, DropReason> {
        if self.is_dead(now) {
            self.lost += 1;
            return Err(DropReason::Dead);
        }
        let Some(loss) = &mut self.loss else { return Ok(false) };
        let taken = loss.takes();
        if taken && !loss.corrupts {
            self.lost += 1;
            return Err(DropReason::Link);
        }
        Ok(taken)
    }
}

/// When a link is dead: from the first time until before the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dead {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
}

/// Random loss of a link. A geometric number of packets passes between losses, so nothing is drawn for
/// those that pass.
#[derive(Debug)]
pub(crate) struct Loss {
    rate: f64,
    /// Packets lost at once: 1 where losses are independent.
    burst: u32,
    random: Stream,
    /// Whether a lost packet still travels, with its bits changed, and is dropped at the receiver.
    corrupts: bool,
    /// Packets that pass before the next loss.
    left: u64,
    /// Packets of the burst that are lost already.
    gone: u32,
}

impl Loss {
    pub(crate) fn new(rate: f64, burst: u32, corrupts: bool, random: Stream) -> Self {
        let mut loss = Self { rate, burst, random, corrupts, left: 0, gone: 0 };
        loss.left = loss.next();
        loss
    }

    /// Whether the next packet is lost.
    fn takes(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.gone += 1;
        if self.gone >= self.burst {
            self.gone = 0;
            self.left = self.next();
        }
        true
    }

    /// Packets that pass before the next loss begins: geometric. Outside a burst of b packets one begins
    /// with probability r / (b (1 - r) + r), so that a share r of all packets is lost.
    fn next(&mut self) -> u64 {
        let burst = f64::from(self.burst.max(1));
        let begins = self.rate / (burst * (1.0 - self.rate) + self.rate);
        if begins <= 0.0 {
            return u64::MAX;
        }
        if begins >= 1.0 {
            return 0;
        }
        let u = 1.0 - self.random.unit();
        let skips = u.ln() / (-begins).ln_1p();
        // At least 0 since both logarithms are at most 0; beyond u64 it is never.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let skips = skips as u64;
        skips
    }
}

/// What the other end of a link has stopped, class by class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stops {
    until: [Instant; CLASSES],
    since: [Instant; CLASSES],
    total: Span,
}

impl Stops {
    pub(crate) const NONE: Self = Self {
        until: [Instant::from_ps(0); CLASSES],
        since: [Instant::from_ps(0); CLASSES],
        total: Span::from_ps(0),
    };

    /// Until when a class is stopped.
    #[inline]
    pub(crate) fn until(&self, class: usize) -> Instant {
        self.until[class]
    }

    /// The other end says: stop a class for a time, or go on.
    pub(crate) fn stop(&mut self, now: Instant, class: usize, time: Span) {
        self.total = self.total_at(now, class);
        self.since[class] = now;
        self.until[class] = now + time;
    }

    /// How long a class has been stopped by now, added to what was counted before.
    fn total_at(&self, now: Instant, class: usize) -> Span {
        let end = self.until[class].min(now);
        self.total + end.checked_since(self.since[class]).unwrap_or_default()
    }

    /// How long all classes together have been stopped.
    pub(crate) fn total(mut self, now: Instant) -> Span {
        for class in 0..CLASSES {
            self.total = self.total_at(now, class);
        }
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transmitter_is_one_cache_line() {
        assert_eq!(size_of::<Transmitter>(), 64);
    }
}

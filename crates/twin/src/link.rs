//! One direction of a link: serialisation, and what is lost on it.

use lightloom_units::{BitRate, Instant, Span};

use crate::packet::CLASSES;
use crate::random::Stream;

/// Picoseconds in a second, times the bits of a byte.
const PS_BITS: u64 = 8_000_000_000_000;

/// Turns bytes into time at one rate, rounded up to the picosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// A whole number of picoseconds a byte, as at 100 Gb/s.
    Whole(u64),
    /// Anything else.
    Rate(u64),
}

impl Pace {
    /// The pace of a rate that is not zero.
    pub(crate) fn of(rate: BitRate) -> Self {
        let bps = rate.as_bps().max(1);
        if PS_BITS.is_multiple_of(bps) { Self::Whole(PS_BITS / bps) } else { Self::Rate(bps) }
    }

    #[inline]
    pub(crate) fn time(self, bytes: u32) -> Span {
        Span::from_ps(match self {
            Self::Whole(each) => u64::from(bytes) * each,
            Self::Rate(bps) => match u64::from(bytes).checked_mul(PS_BITS) {
                Some(ps_bits) => ps_bits.div_ceil(bps),
                // Only pauses are so long; at any rate their time fits.
                None => (u128::from(bytes) * u128::from(PS_BITS))
                    .div_ceil(bps.into())
                    .try_into()
                    .unwrap_or(u64::MAX),
            },
        })
    }
}

/// Random loss of a link: none costs one comparison.
///
/// `left` of [`Loss::fate`] stands apart, among what every packet touches: packets that still pass before
/// the next loss.
#[derive(Debug, Clone)]
pub(crate) struct Loss {
    /// Packets of the burst that are lost already.
    burst: u32,
    model: Option<LossModel>,
}

/// How packets are lost, at random.
#[derive(Debug, Clone)]
pub(crate) struct LossModel {
    pub(crate) rate: f64,
    /// Packets lost at once: 1 where losses are independent.
    pub(crate) burst: u32,
    pub(crate) random: Stream,
    /// Whether a lost packet still travels, with its bits changed, and is dropped at the receiver.
    pub(crate) corrupt: bool,
}

/// What a link does to a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Passes,
    Lost,
    Corrupted,
    /// The link is dead.
    Dead,
}

impl Loss {
    /// No loss, and how many packets pass before the first.
    pub(crate) const NONE: (Self, u64) = (Self { burst: 0, model: None }, u64::MAX);

    /// Loss by a model, and how many packets pass before the first.
    pub(crate) fn new(mut model: LossModel) -> (Self, u64) {
        let left = model.next_loss();
        (Self { burst: 0, model: Some(model) }, left)
    }

    /// The fate of the next packet. A geometric number of packets passes between losses, so nothing
    /// is drawn for those that pass.
    #[inline]
    pub(crate) fn fate(&mut self, left: &mut u64) -> Fate {
        if *left > 0 {
            *left -= 1;
            return Fate::Passes;
        }
        self.lose(left)
    }

    #[cold]
    fn lose(&mut self, left: &mut u64) -> Fate {
        let Some(model) = &mut self.model else {
            *left = u64::MAX;
            return Fate::Passes;
        };
        self.burst += 1;
        if self.burst >= model.burst {
            self.burst = 0;
            *left = model.next_loss();
        }
        if model.corrupt { Fate::Corrupted } else { Fate::Lost }
    }
}

impl LossModel {
    /// Packets that pass before the next loss begins: geometric. Outside a burst of b packets one begins
    /// with probability r / (b (1 - r) + r), so that a share r of all packets is lost.
    fn next_loss(&mut self) -> u64 {
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

/// When a link is dead: from the first time until before the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dead {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
}

impl Dead {
    pub(crate) const NEVER: Self =
        Self { from: Instant::from_ps(u64::MAX), to: Instant::from_ps(u64::MAX) };

    #[inline]
    pub(crate) fn is(&self, now: Instant) -> bool {
        self.from <= now && now < self.to
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

/// Times of one direction of a link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wire {
    pub(crate) pace: Pace,
    /// Along the fibre, and through the node at its end until it acts on a packet.
    pub(crate) delay: Span,
    pub(crate) preamble: u16,
    pub(crate) gap: u16,
}

impl Wire {
    /// How long the port is busy with a frame.
    #[inline]
    pub(crate) fn busy(&self, bytes: u16) -> Span {
        self.pace.time(u32::from(self.preamble) + u32::from(bytes) + u32::from(self.gap))
    }

    /// When the other end acts on a frame: after its header, or all of it where `header` is 0.
    #[inline]
    pub(crate) fn arrives(&self, start: Instant, bytes: u16, header: u16) -> Instant {
        let needed = if header == 0 { bytes } else { header.min(bytes) };
        start + self.pace.time(u32::from(self.preamble) + u32::from(needed)) + self.delay
    }
}

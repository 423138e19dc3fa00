//! Turns bytes into time.

use lightloom_units::{BitRate, Span};

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

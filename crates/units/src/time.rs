//! Time in whole picoseconds: [`Instant`] is a point, [`Span`] is the distance of two points.
//!
//! Light in fibre travels a fifth of a millimetre in a picosecond, and a bit at 800 Gbit/s takes
//! longer than one. A `u64` of picoseconds lasts 213 days. Two points cannot be added:
//!
//! ```
//! use lightloom_units::{Instant, Span};
//! let _ = Instant::from_ps(1) + Span::from_ps(1);
//! ```
//! ```compile_fail,E0308
//! use lightloom_units::{Instant, Span};
//! let _ = Instant::from_ps(1) + Instant::from_ps(1);
//! ```

use std::{
    fmt,
    ops::{Add, Mul, Sub},
    str::FromStr,
};

use crate::parse::{Notation, ParseError};
use crate::print;

const PS_PER_NS: u64 = 1_000;
const PS_PER_US: u64 = 1_000_000;
const PS_PER_MS: u64 = 1_000_000_000;
const PS_PER_S: u64 = 1_000_000_000_000;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a time such as \"1.5 us\"",
    whole: "a time in whole picoseconds",
    at_most: "a time of at most 18446744.073709551615 s",
    units: &[
        ("s", PS_PER_S),
        ("ms", PS_PER_MS),
        ("us", PS_PER_US),
        ("\u{b5}s", PS_PER_US),  // micro sign
        ("\u{3bc}s", PS_PER_US), // Greek mu
        ("ns", PS_PER_NS),
        ("ps", 1),
    ],
};

/// A length of time, in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(u64);

impl Span {
    /// The span 0.
    pub const ZERO: Self = Self(0);

    /// A span of `ps` picoseconds.
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// A span of `ns` nanoseconds. Panics beyond 1.8 × 10¹⁶ ns.
    pub const fn from_ns(ns: u64) -> Self {
        Self::of(ns, PS_PER_NS)
    }

    /// A span of `us` microseconds. Panics beyond 1.8 × 10¹³ us.
    pub const fn from_us(us: u64) -> Self {
        Self::of(us, PS_PER_US)
    }

    /// A span of `ms` milliseconds. Panics beyond 1.8 × 10¹⁰ ms.
    pub const fn from_ms(ms: u64) -> Self {
        Self::of(ms, PS_PER_MS)
    }

    /// A span of `s` seconds. Panics beyond 1.8 × 10⁷ s.
    pub const fn from_s(s: u64) -> Self {
        Self::of(s, PS_PER_S)
    }

    /// The span in picoseconds.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// The sum, or `None` beyond `u64` picoseconds.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` if `other` is longer.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The span `count` times, or `None` beyond `u64` picoseconds.
    pub fn checked_mul(self, count: u64) -> Option<Self> {
        self.0.checked_mul(count).map(Self)
    }

    const fn of(count: u64, ps_per_unit: u64) -> Self {
        Self(count.checked_mul(ps_per_unit).expect("span overflow"))
    }
}

/// A point in time, in picoseconds since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(u64);

impl Instant {
    /// The start.
    pub const ZERO: Self = Self(0);

    /// The time of what never happens.
    pub const NEVER: Self = Self(u64::MAX);

    /// The point `ps` picoseconds after the start.
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// The point `ns` nanoseconds after the start. Panics beyond 1.8 × 10¹⁶ ns.
    pub const fn from_ns(ns: u64) -> Self {
        Self(Span::from_ns(ns).0)
    }

    /// The point `us` microseconds after the start. Panics beyond 1.8 × 10¹³ us.
    pub const fn from_us(us: u64) -> Self {
        Self(Span::from_us(us).0)
    }

    /// The point `ms` milliseconds after the start. Panics beyond 1.8 × 10¹⁰ ms.
    pub const fn from_ms(ms: u64) -> Self {
        Self(Span::from_ms(ms).0)
    }

    /// The point `s` seconds after the start. Panics beyond 1.8 × 10⁷ s.
    pub const fn from_s(s: u64) -> Self {
        Self(Span::from_s(s).0)
    }

    /// Picoseconds since the start.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// The point `span` later, or `None` beyond `u64` picoseconds.
    pub fn checked_add(self, span: Span) -> Option<Self> {
        self.0.checked_add(span.0).map(Self)
    }

    /// The point `span` earlier, or `None` before the start.
    pub fn checked_sub(self, span: Span) -> Option<Self> {
        self.0.checked_sub(span.0).map(Self)
    }

    /// The time since `earlier`, or `None` if that is later than `self`.
    pub fn checked_since(self, earlier: Self) -> Option<Span> {
        self.0.checked_sub(earlier.0).map(Span)
    }
}

impl Add<Span> for Instant {
    type Output = Self;

    /// Panics on overflow; [`Instant::checked_add`] does not.
    fn add(self, span: Span) -> Self {
        self.checked_add(span).expect("instant overflow")
    }
}

impl Sub for Instant {
    type Output = Span;

    /// Panics if `earlier` is later than `self`; [`Instant::checked_since`] does not.
    fn sub(self, earlier: Self) -> Span {
        self.checked_since(earlier).expect("the later instant comes first in a difference")
    }
}

impl Add for Span {
    type Output = Self;

    /// Panics on overflow; [`Span::checked_add`] does not.
    fn add(self, other: Self) -> Self {
        self.checked_add(other).expect("span overflow")
    }
}

impl Mul<u64> for Span {
    type Output = Self;

    /// Panics on overflow; [`Span::checked_mul`] does not.
    fn mul(self, count: u64) -> Self {
        self.checked_mul(count).expect("span overflow")
    }
}

impl fmt::Display for Span {
    /// In the largest unit that is not longer than the span: `1.5 us`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::in_largest_unit(f, self.0, NOTATION.units)
    }
}

impl fmt::Display for Instant {
    /// The time since the start, written as a [`Span`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Span(self.0).fmt(f)
    }
}

impl FromStr for Span {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

impl FromStr for Instant {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

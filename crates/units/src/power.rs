//! Electrical power in whole microwatts.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, Mul},
    str::FromStr,
};

use crate::parse::{Notation, ParseError};
use crate::print;

const UW_PER_MW: u64 = 1_000;
const UW_PER_W: u64 = 1_000_000;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a power such as \"3.5 W\"",
    whole: "a power in whole microwatts",
    at_most: "a power of at most 18446744073709.551615 W",
    units: &[
        ("MW", 1_000_000_000_000),
        ("kW", 1_000_000_000),
        ("W", UW_PER_W),
        ("mW", UW_PER_MW),
        ("uW", 1),
        ("\u{b5}W", 1),  // micro sign
        ("\u{3bc}W", 1), // Greek mu
    ],
};

/// An electrical power, in microwatts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Power(u64);

impl Power {
    /// The power 0.
    pub const ZERO: Self = Self(0);

    /// A power of `microwatts` microwatts.
    pub const fn from_microwatts(microwatts: u64) -> Self {
        Self(microwatts)
    }

    /// A power of `milliwatts` milliwatts. Panics beyond 1.8 × 10¹⁶ mW.
    pub const fn from_milliwatts(milliwatts: u64) -> Self {
        Self(milliwatts.checked_mul(UW_PER_MW).expect("power overflow"))
    }

    /// A power of `watts` watts. Panics beyond 1.8 × 10¹³ W.
    pub const fn from_watts(watts: u64) -> Self {
        Self(watts.checked_mul(UW_PER_W).expect("power overflow"))
    }

    /// The power in microwatts.
    pub const fn as_microwatts(self) -> u64 {
        self.0
    }

    /// The power in watts, to the nearest `f64`.
    pub fn as_watts(self) -> f64 {
        self.0 as f64 / UW_PER_W as f64
    }

    /// The sum, or `None` beyond `u64` microwatts.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The power `count` times, or `None` beyond `u64` microwatts.
    pub fn checked_mul(self, count: u64) -> Option<Self> {
        self.0.checked_mul(count).map(Self)
    }
}

impl Add for Power {
    type Output = Self;

    /// Panics on overflow; [`Power::checked_add`] does not.
    fn add(self, other: Self) -> Self {
        self.checked_add(other).expect("power overflow")
    }
}

impl Mul<u64> for Power {
    type Output = Self;

    /// Panics on overflow; [`Power::checked_mul`] does not.
    fn mul(self, count: u64) -> Self {
        self.checked_mul(count).expect("power overflow")
    }
}

impl Sum for Power {
    /// Panics on overflow; a fold over [`Power::checked_add`] does not.
    fn sum<I: Iterator<Item = Self>>(powers: I) -> Self {
        powers.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Power {
    /// Always in watts: `3.5 W`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::number_and_unit(f, false, &print::decimal(self.0, UW_PER_W, 0), "W")
    }
}

impl FromStr for Power {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

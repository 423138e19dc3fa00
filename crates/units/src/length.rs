//! Lengths of fibre, tray and cable in whole micrometres.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, Mul},
    str::FromStr,
};

use crate::parse::{Notation, ParseError};
use crate::print;

const UM_PER_MM: u64 = 1_000;
const UM_PER_CM: u64 = 10_000;
const UM_PER_M: u64 = 1_000_000;
const UM_PER_KM: u64 = 1_000_000_000;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a length such as \"12.5 m\"",
    whole: "a length in whole micrometres",
    at_most: "a length of at most 18446744073709.551615 m",
    units: &[
        ("km", UM_PER_KM),
        ("m", UM_PER_M),
        ("cm", UM_PER_CM),
        ("mm", UM_PER_MM),
        ("um", 1),
        ("\u{b5}m", 1),  // micro sign
        ("\u{3bc}m", 1), // Greek mu
    ],
};

/// A column whose heading already gives the unit metre.
const METRES: Notation = Notation {
    expected: "a number of metres such as \"12.5\", without a unit",
    whole: "a number of metres with at most 6 decimals",
    at_most: "a number of metres of at most 18446744073709.551615",
    units: &[("", UM_PER_M)],
};

/// A length, in micrometres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Length(u64);

impl Length {
    /// The length 0.
    pub const ZERO: Self = Self(0);

    /// A length of `um` micrometres.
    pub const fn from_um(um: u64) -> Self {
        Self(um)
    }

    /// A length of `mm` millimetres. Panics beyond 1.8 × 10¹⁶ mm.
    pub const fn from_mm(mm: u64) -> Self {
        Self(mm.checked_mul(UM_PER_MM).expect("length overflow"))
    }

    /// A length of `m` metres. Panics beyond 1.8 × 10¹³ m.
    pub const fn from_m(m: u64) -> Self {
        Self(m.checked_mul(UM_PER_M).expect("length overflow"))
    }

    /// The length in micrometres.
    pub const fn as_um(self) -> u64 {
        self.0
    }

    /// The length in metres, to the nearest `f64`.
    pub fn as_m(self) -> f64 {
        self.0 as f64 / UM_PER_M as f64
    }

    /// The sum, or `None` beyond `u64` micrometres.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` if `other` is longer.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The length `count` times, or `None` beyond `u64` micrometres.
    pub fn checked_mul(self, count: u64) -> Option<Self> {
        self.0.checked_mul(count).map(Self)
    }

    /// How far apart the two lengths are, whichever is longer.
    pub const fn abs_diff(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }

    /// The number of metres, exactly and without its unit: `12.5`.
    pub fn to_metres_string(self) -> String {
        print::decimal(self.0, UM_PER_M, 0)
    }

    /// Reads the bare number of metres that [`Length::to_metres_string`] writes, as in a column
    /// whose heading names the unit. A unit in the cell itself is refused.
    pub fn parse_metres(text: &str) -> Result<Self, ParseError> {
        METRES.parse(text).map(Self)
    }
}

impl Add for Length {
    type Output = Self;

    /// Panics on overflow; [`Length::checked_add`] does not.
    fn add(self, other: Self) -> Self {
        self.checked_add(other).expect("length overflow")
    }
}

impl Mul<u64> for Length {
    type Output = Self;

    /// Panics on overflow; [`Length::checked_mul`] does not.
    fn mul(self, count: u64) -> Self {
        self.checked_mul(count).expect("length overflow")
    }
}

impl Sum for Length {
    /// Panics on overflow; a fold over [`Length::checked_add`] does not.
    fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
        lengths.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Length {
    /// Always in metres: `12.5 m`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::number_and_unit(f, false, &self.to_metres_string(), "m")
    }
}

impl FromStr for Length {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

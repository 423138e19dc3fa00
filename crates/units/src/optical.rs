//! Optical levels: [`Dbm`] is a power relative to 1 mW, [`Db`] a ratio (a loss, a gain, a margin).
//!
//! A ratio shifts a level, and the difference of two levels is a ratio. The sum of two levels in
//! dBm has no meaning and does not compile:
//!
//! ```
//! use lightloom_units::{Db, Dbm};
//! let launch = Dbm::new(-1.0)?;
//! let received = launch - Db::new(7.5)?;
//! assert_eq!(received.to_string(), "-8.5 dBm");
//! assert_eq!((received - launch).to_string(), "-7.5 dB");
//! # Ok::<(), lightloom_units::NotFinite>(())
//! ```
//! ```compile_fail,E0308
//! use lightloom_units::Dbm;
//! let (one, other) = (Dbm::new(-1.0)?, Dbm::new(-8.5)?);
//! let sum = one + other;
//! # Ok::<(), lightloom_units::NotFinite>(())
//! ```
//!
//! Both are always finite, so they are totally ordered. Arithmetic saturates at the largest `f64`,
//! and zero is always the positive zero.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    iter::Sum,
    ops::{Add, Mul, Neg, Sub},
    str::FromStr,
};

use thiserror::Error;

use crate::parse::{self, Decimal, ParseError};
use crate::print;

pub(crate) const DB_EXPECTED: &str = "a ratio such as \"3.4 dB\"";
pub(crate) const DBM_EXPECTED: &str = "an optical level such as \"-8.4 dBm\"";

/// An optical level or ratio was infinite or not a number.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("an optical level must be a finite number, not {0}")]
pub struct NotFinite(
    /// The refused number.
    pub f64,
);

/// A finite number, never the negative zero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Finite(f64);

impl Finite {
    fn new(value: f64) -> Result<Self, NotFinite> {
        if value.is_finite() { Ok(Self::clamp(value)) } else { Err(NotFinite(value)) }
    }

    /// Clamps the result of arithmetic on finite numbers, which is never NaN, to a finite number.
    fn clamp(value: f64) -> Self {
        // Adding zero turns -0.0 into 0.0 and changes nothing else.
        Self(value.clamp(f64::MIN, f64::MAX) + 0.0)
    }

    fn parse(text: &str, unit: &str, expected: &'static str) -> Result<Self, ParseError> {
        let refuse = || ParseError::new(text, expected);
        let (negative, rest) = parse::sign(text.trim());
        let (number, found) = Decimal::split(rest).ok_or_else(refuse)?;
        let magnitude: f64 = number.as_str().parse().map_err(|_| refuse())?;
        if found != unit {
            return Err(refuse());
        }
        Self::new(if negative { -magnitude } else { magnitude }).map_err(|_| refuse())
    }

    fn write(self, f: &mut fmt::Formatter<'_>, unit: &str) -> fmt::Result {
        let magnitude = match f.precision() {
            Some(places) => format!("{:.places$}", self.0.abs()),
            None => self.0.abs().to_string(),
        };
        print::number_and_unit(f, self.0 < 0.0, &magnitude, unit)
    }
}

impl Eq for Finite {}

impl Ord for Finite {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Finite {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Finite {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// A ratio of two powers, in decibels; finite, may be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Db(Finite);

impl Db {
    /// The ratio of one: neither loss nor gain.
    pub const ZERO: Self = Self(Finite(0.0));

    /// A ratio of `db` decibels, which must be finite.
    pub fn new(db: f64) -> Result<Self, NotFinite> {
        Finite::new(db).map(Self)
    }

    /// The ratio in decibels.
    pub const fn get(self) -> f64 {
        self.0.0
    }
}

/// An optical power level, in decibels relative to one milliwatt; finite, may be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dbm(Finite);

impl Dbm {
    /// A level of `dbm` decibels above one milliwatt, which must be finite.
    pub fn new(dbm: f64) -> Result<Self, NotFinite> {
        Finite::new(dbm).map(Self)
    }

    /// The level of a power in milliwatts. A power of zero or less has no finite level.
    pub fn from_milliwatts(milliwatts: f64) -> Result<Self, NotFinite> {
        Self::new(10.0 * milliwatts.log10())
    }

    /// The level in dBm.
    pub const fn get(self) -> f64 {
        self.0.0
    }

    /// The power in milliwatts. Beyond about ±3,000 dBm it is infinity or zero.
    pub fn to_milliwatts(self) -> f64 {
        10_f64.powf(self.get() / 10.0)
    }
}

impl Add<Db> for Dbm {
    type Output = Self;

    fn add(self, gain: Db) -> Self {
        Self(Finite::clamp(self.get() + gain.get()))
    }
}

impl Sub<Db> for Dbm {
    type Output = Self;

    fn sub(self, loss: Db) -> Self {
        Self(Finite::clamp(self.get() - loss.get()))
    }
}

impl Sub for Dbm {
    type Output = Db;

    fn sub(self, other: Self) -> Db {
        Db(Finite::clamp(self.get() - other.get()))
    }
}

impl Add for Db {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(Finite::clamp(self.get() + other.get()))
    }
}

impl Sub for Db {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(Finite::clamp(self.get() - other.get()))
    }
}

impl Neg for Db {
    type Output = Self;

    fn neg(self) -> Self {
        Self(Finite::clamp(-self.get()))
    }
}

impl Mul<f64> for Db {
    type Output = Self;

    /// The ratio times `factor`, for example the loss per kilometre times kilometres.
    /// Panics if `factor` is not finite.
    fn mul(self, factor: f64) -> Self {
        assert!(factor.is_finite(), "a ratio is multiplied by a finite number, not {factor}");
        Self(Finite::clamp(self.get() * factor))
    }
}

impl Sum for Db {
    fn sum<I: Iterator<Item = Self>>(ratios: I) -> Self {
        ratios.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Db {
    /// The shortest text that reads back as the same ratio, `3.4 dB`; `{:.1}` rounds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, "dB")
    }
}

impl fmt::Display for Dbm {
    /// The shortest text that reads back as the same level, `-8.4 dBm`; `{:.1}` rounds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, "dBm")
    }
}

impl FromStr for Db {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Finite::parse(text, "dB", DB_EXPECTED).map(Self)
    }
}

impl FromStr for Dbm {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Finite::parse(text, "dBm", DBM_EXPECTED).map(Self)
    }
}

//! Amounts of data in whole bytes.

use std::{fmt, str::FromStr};

use crate::parse::{Notation, ParseError};
use crate::print;
use crate::rate::BitRate;
use crate::time::Span;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a data size such as \"1.5 MB\" or \"64 KiB\" (units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)",
    whole: "a data size in whole bytes",
    at_most: "a data size of at most 18446744.073709551615 TB",
    // Display takes the first unit that fits, so the decimal units come before the binary ones.
    units: &[
        ("TB", 1_000_000_000_000),
        ("GB", 1_000_000_000),
        ("MB", 1_000_000),
        ("kB", 1_000),
        ("B", 1),
        ("TiB", 1 << 40),
        ("GiB", 1 << 30),
        ("MiB", 1 << 20),
        ("KiB", 1 << 10),
    ],
};

/// An amount of data, in bytes of eight bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DataSize(u64);

impl DataSize {
    /// No data.
    pub const ZERO: Self = Self(0);

    /// An amount of `bytes` bytes.
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The amount in bytes.
    pub const fn as_bytes(self) -> u64 {
        self.0
    }

    /// The sum, or `None` beyond `u64` bytes.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The time that the bits take on a line of this rate, rounded up to a whole picosecond.
    /// `None` if the rate is zero or the time exceeds what [`Span`] holds.
    pub fn serialization_time(self, rate: BitRate) -> Option<Span> {
        const PS_PER_S: u128 = 1_000_000_000_000;
        // At most 2⁶⁴ × 2³ × 2⁴⁰, so the product fits.
        let bits_by_ps = u128::from(self.0) * 8 * PS_PER_S;
        let bps = u128::from(rate.as_bps());
        if bps == 0 {
            return None;
        }
        u64::try_from(bits_by_ps.div_ceil(bps)).ok().map(Span::from_ps)
    }
}

impl fmt::Display for DataSize {
    /// In the largest decimal unit that is not above the size: `1.5 MB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::in_largest_unit(f, self.0, NOTATION.units)
    }
}

impl FromStr for DataSize {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_size_is_told_every_unit() {
        let told = "10 Mb".parse::<DataSize>().unwrap_err().to_string();
        let (_, listed) = told.split_once("(units: ").unwrap();
        let mut listed: Vec<&str> = listed.trim_end_matches(')').split(", ").collect();
        let mut units: Vec<&str> = NOTATION.units.iter().map(|(unit, _)| *unit).collect();
        listed.sort_unstable();
        units.sort_unstable();
        assert_eq!(listed, units, "{told}");
    }
}

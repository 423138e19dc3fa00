//! Line rates in whole bits per second.

use std::{fmt, str::FromStr};

use crate::parse::{Notation, ParseError};
use crate::print;

const KILO: u64 = 1_000;
const MEGA: u64 = 1_000_000;
const GIGA: u64 = 1_000_000_000;
const TERA: u64 = 1_000_000_000_000;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a bit rate such as \"400 Gbps\"",
    whole: "a bit rate in whole bits per second",
    at_most: "a bit rate of at most 18446744.073709551615 Tbps",
    units: &[
        ("Tbps", TERA),
        ("Tb/s", TERA),
        ("Tbit/s", TERA),
        ("Gbps", GIGA),
        ("Gb/s", GIGA),
        ("Gbit/s", GIGA),
        ("Mbps", MEGA),
        ("Mb/s", MEGA),
        ("Mbit/s", MEGA),
        ("kbps", KILO),
        ("kb/s", KILO),
        ("kbit/s", KILO),
        ("bps", 1),
        ("b/s", 1),
        ("bit/s", 1),
    ],
};

/// A rate, in bits per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BitRate(u64);

impl BitRate {
    /// A rate of `bps` bits per second.
    pub const fn from_bps(bps: u64) -> Self {
        Self(bps)
    }

    /// A rate of `gbps` gigabits (10⁹ bits) per second. Panics beyond 1.8 × 10¹⁰ Gbps.
    pub const fn from_gbps(gbps: u64) -> Self {
        Self(gbps.checked_mul(GIGA).expect("bit rate overflow"))
    }

    /// The rate in bits per second.
    pub const fn as_bps(self) -> u64 {
        self.0
    }
}

impl fmt::Display for BitRate {
    /// In the largest unit that is not above the rate: `400 Gbps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::in_largest_unit(f, self.0, NOTATION.units)
    }
}

impl FromStr for BitRate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

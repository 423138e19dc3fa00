//! Speeds of computers in whole operations per second.

use std::{fmt, str::FromStr};

use crate::parse::{Notation, ParseError};
use crate::print;
use crate::time::Span;

const KILO: u64 = 1_000;
const MEGA: u64 = 1_000_000;
const GIGA: u64 = 1_000_000_000;
const TERA: u64 = 1_000_000_000_000;
const PETA: u64 = 1_000_000_000_000_000;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a speed such as \"312 Top/s\"",
    whole: "a speed in whole operations per second",
    at_most: "a speed of at most 18446.744073709551615 Pop/s",
    units: &[
        ("Pop/s", PETA),
        ("Top/s", TERA),
        ("Gop/s", GIGA),
        ("Mop/s", MEGA),
        ("kop/s", KILO),
        ("op/s", 1),
    ],
};

/// A speed, in operations per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Speed(u64);

impl Speed {
    /// A speed of `per_second` operations per second.
    pub const fn from_ops(per_second: u64) -> Self {
        Self(per_second)
    }

    /// Operations per second.
    pub const fn as_ops(self) -> u64 {
        self.0
    }

    /// Time that `operations` take, rounded up to a picosecond. `None`: it is longer than the clock.
    pub fn time(self, operations: u64) -> Option<Span> {
        let ps = u128::from(operations) * u128::from(TERA);
        let ps = ps.checked_add(u128::from(self.0.checked_sub(1)?))? / u128::from(self.0);
        u64::try_from(ps).ok().map(Span::from_ps)
    }
}

impl fmt::Display for Speed {
    /// In the largest unit that is not above the speed: `312 Top/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::in_largest_unit(f, self.0, NOTATION.units)
    }
}

impl FromStr for Speed {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_take_their_time() {
        let speed: Speed = "312 Top/s".parse().unwrap();
        assert_eq!((speed.as_ops(), speed.to_string()), (312 * TERA, "312 Top/s".to_owned()));
        assert_eq!(speed.time(312 * MEGA), Some(Span::from_us(1)));
        assert_eq!((speed.time(1), speed.time(0)), (Some(Span::from_ps(1)), Some(Span::ZERO)));
        assert_eq!(Speed::from_ops(1).time(u64::MAX), None);
        assert_eq!(Speed::from_ops(0).time(1), None);
        assert!("312 TFLOPS".parse::<Speed>().is_err());
    }
}

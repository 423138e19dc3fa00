//! Shares of a whole, in thousandths of a percent.

use std::{fmt, str::FromStr};

use crate::parse::{Notation, ParseError};
use crate::print;

const MILLIS: u64 = 1_000;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a share such as \"40 %\"",
    whole: "a share of at most three decimals, such as \"12.5 %\"",
    at_most: "a share such as \"40 %\"",
    units: &[("%", MILLIS)],
};

/// A share of a whole, in thousandths of a percent. It may be more than the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Percent(u64);

impl Percent {
    /// Nothing of the whole.
    pub const ZERO: Self = Self(0);
    /// All of the whole.
    pub const ALL: Self = Self::new(100);

    /// A whole number of percent. Panics beyond 1.8 × 10¹⁶ %.
    pub const fn new(percent: u64) -> Self {
        Self(percent.checked_mul(MILLIS).expect("percent overflow"))
    }

    /// The number of percent, to the nearest `f64`.
    pub fn get(self) -> f64 {
        self.0 as f64 / MILLIS as f64
    }

    /// The share of 1.
    pub fn ratio(self) -> f64 {
        self.get() / 100.0
    }
}

impl fmt::Display for Percent {
    /// `12.5 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::number_and_unit(f, false, &print::decimal(self.0, MILLIS, 0), "%")
    }
}

impl FromStr for Percent {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_ratio() {
        let share: Percent = "12.5%".parse().unwrap();
        assert_eq!((share.to_string().as_str(), share.ratio()), ("12.5 %", 0.125));
        assert_eq!(Percent::ALL.to_string(), "100 %");
        for text in ["12", "-1 %", "0.0001 %", "% 3", "NaN %", "99999999999999999999 %"] {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }
}

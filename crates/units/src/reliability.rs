//! How often parts fail, and how long their repair takes.

use std::{fmt, str::FromStr};

use crate::parse::{Notation, ParseError};
use crate::print;

const MILLIS: u64 = 1_000;
/// Minutes of an hour.
const HOUR: u64 = 60;

pub(crate) const RATE: Notation = Notation {
    expected: "a failure rate such as \"150 FIT\"",
    whole: "a failure rate of at most three decimals, such as \"12.5 FIT\"",
    at_most: "a failure rate such as \"150 FIT\"",
    units: &[("FIT", MILLIS)],
};

pub(crate) const REPAIR: Notation = Notation {
    expected: "a repair time such as \"4 h\", \"90 min\" or \"2 d\"",
    whole: "a repair time in whole minutes, such as \"90 min\"",
    at_most: "a repair time such as \"4 h\"",
    units: &[("min", 1), ("h", HOUR), ("d", 24 * HOUR)],
};

/// Failures in 10⁹ hours of work (FIT), in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FailureRate(u64);

impl FailureRate {
    /// The highest rate: a failure an hour.
    pub const HIGHEST: Self = Self(1_000_000_000 * MILLIS);

    /// Failures in an hour of work, to the nearest `f64`.
    #[allow(clippy::cast_precision_loss, reason = "a rate is estimated to two digits at best")]
    pub fn per_hour(self) -> f64 {
        self.0 as f64 / (MILLIS as f64 * 1e9)
    }
}

impl fmt::Display for FailureRate {
    /// `12.5 FIT`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::number_and_unit(f, false, &print::decimal(self.0, MILLIS, 0), "FIT")
    }
}

impl FromStr for FailureRate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        RATE.parse(text).map(Self)
    }
}

/// The time from a failure of a part until it works again, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RepairTime(u64);

impl RepairTime {
    /// The longest repair: ten years.
    pub const LONGEST: Self = Self(3_653 * 24 * HOUR);

    /// The number of hours, to the nearest `f64`.
    #[allow(clippy::cast_precision_loss, reason = "at most ten years of minutes")]
    pub fn hours(self) -> f64 {
        self.0 as f64 / HOUR as f64
    }
}

impl fmt::Display for RepairTime {
    /// `4 h`, or `90 min` where it is no whole number of hours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) =
            if self.0.is_multiple_of(HOUR) { (self.0 / HOUR, "h") } else { (self.0, "min") };
        print::number_and_unit(f, false, &number.to_string(), unit)
    }
}

impl FromStr for RepairTime {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        REPAIR.parse(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_numbers() {
        let rate: FailureRate = "12.5 FIT".parse().unwrap();
        assert_eq!((rate.to_string().as_str(), rate.per_hour()), ("12.5 FIT", 12.5e-9));
        let repair: RepairTime = "1.5 h".parse().unwrap();
        assert_eq!((repair.to_string().as_str(), repair.hours()), ("90 min", 1.5));
        assert_eq!("2 d".parse::<RepairTime>().unwrap().to_string(), "48 h");
        for text in ["12", "-1 FIT", "0.0001 FIT", "NaN FIT", "1 fit", ""] {
            assert!(text.parse::<FailureRate>().is_err(), "{text}");
        }
        for text in ["1", "0.001 h", "1 s", "-2 h", "1e9 h"] {
            assert!(text.parse::<RepairTime>().is_err(), "{text}");
        }
    }
}

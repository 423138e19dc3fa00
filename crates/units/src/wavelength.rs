//! Wavelengths of light in whole picometres.

use std::{fmt, str::FromStr};

use crate::parse::{Notation, ParseError};
use crate::print;

const PM_PER_NM: u64 = 1_000;
const PM_PER_UM: u64 = 1_000_000;

pub(crate) const NOTATION: Notation = Notation {
    expected: "a wavelength such as \"1310 nm\"",
    whole: "a wavelength in whole picometres",
    at_most: "a wavelength of at most 18446744073709551.615 nm",
    units: &[
        ("nm", PM_PER_NM),
        ("um", PM_PER_UM),
        ("\u{b5}m", PM_PER_UM),  // micro sign
        ("\u{3bc}m", PM_PER_UM), // Greek mu
        ("pm", 1),
    ],
};

/// A wavelength, in picometres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wavelength(u64);

impl Wavelength {
    /// A wavelength of `pm` picometres.
    pub const fn from_pm(pm: u64) -> Self {
        Self(pm)
    }

    /// The wavelength in picometres.
    pub const fn as_pm(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Wavelength {
    /// Always in nanometres: `1310 nm`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::number_and_unit(f, false, &print::decimal(self.0, PM_PER_NM, 0), "nm")
    }
}

impl FromStr for Wavelength {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        NOTATION.parse(text).map(Self)
    }
}

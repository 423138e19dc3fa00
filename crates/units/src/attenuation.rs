//! Attenuation of fibre: the loss for each kilometre.

use std::{fmt, str::FromStr};

use crate::length::Length;
use crate::optical::Db;
use crate::parse::ParseError;

pub(crate) const EXPECTED: &str = "an attenuation such as \"0.36 dB/km\"";

const UM_PER_KM: f64 = 1e9;

/// Loss for each kilometre of fibre; finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Attenuation(Db);

impl Attenuation {
    /// A loss of `db` for each kilometre.
    pub const fn per_km(db: Db) -> Self {
        Self(db)
    }

    /// The loss of one kilometre.
    pub const fn of_one_km(self) -> Db {
        self.0
    }

    /// The loss of a length of fibre.
    pub fn over(self, length: Length) -> Db {
        self.0 * (length.as_um() as f64 / UM_PER_KM)
    }
}

impl fmt::Display for Attenuation {
    /// `0.36 dB/km`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/km", self.0))
    }
}

impl FromStr for Attenuation {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let refuse = || ParseError::new(text, EXPECTED);
        let ratio = text.trim().strip_suffix("/km").ok_or_else(refuse)?;
        ratio.parse().map(Self).map_err(|_| refuse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_loss() {
        let fibre: Attenuation = "0.36 dB/km".parse().unwrap();
        assert_eq!(fibre.to_string(), "0.36 dB/km");
        assert!((fibre.over(Length::from_m(2500)).get() - 0.9).abs() < 1e-12);
        for text in ["0.36 dB", "0.36", "dB/km", "0.36 dBm/km", "NaN dB/km", "0.36 dB/m"] {
            assert!(text.parse::<Attenuation>().is_err(), "{text}");
        }
    }
}

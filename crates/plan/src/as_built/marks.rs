//! What crews tell of cables.

use std::fmt;
use std::str::FromStr;

use lightloom_units::{Db, Length};
use serde::{Deserialize, Serialize};

/// What was built otherwise than planned, and what was measured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AsBuilt {
    /// One mark a cable or connector.
    pub marks: Vec<Mark>,
}

/// What a crew tells of one cable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// Label of the cable, or of a connector of a trunk, as in `T3.2`.
    pub label: String,
    /// The end in whose planned socket its near end sits: a label, as in `F7`, with ` near` or ` far` behind it if
    /// it is the other end. `None`: as planned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub near_at: Option<String>,
    /// The same for its far end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub far_at: Option<String>,
    /// Length of the cable. `None`: as planned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub length: Option<Length>,
    /// What was measured on the branch of this label.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measured: Option<Measured>,
    /// A remark.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// Result of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measured {
    /// No light arrived.
    #[serde(rename = "no light")]
    NoLight,
    /// The loss between source and meter.
    #[serde(untagged)]
    Loss(Db),
}

/// Largest loss that a meter can show, in decibels.
const MOST_DB: f64 = 100.0;

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLight => f.write_str("no light"),
            Self::Loss(db) => write!(f, "{}", db.get()),
        }
    }
}

impl FromStr for Measured {
    type Err = String;

    /// Reads a number of decibels, or `no light`.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("no light") {
            return Ok(Self::NoLight);
        }
        let loss = text.parse().ok().and_then(|db: f64| Db::new(db).ok());
        loss.map(Self::Loss).filter(|loss| loss.is_possible()).ok_or_else(|| {
            format!(
                "found {text:?}; give the loss as a number of decibels from 0 to {MOST_DB}, or \"no light\""
            )
        })
    }
}

impl Measured {
    /// Whether a meter can show it.
    pub fn is_possible(self) -> bool {
        match self {
            Self::NoLight => true,
            Self::Loss(db) => (0.0..=MOST_DB).contains(&db.get()),
        }
    }
}

impl AsBuilt {
    /// Whether nothing is told.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }
}

impl Mark {
    /// Whether it tells nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self { label: self.label.clone(), ..Self::default() }
    }
}

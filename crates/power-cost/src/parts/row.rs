//! Shared by all rows: provenance, errors and checks.

use lightloom_units::{Db, Power as Watts};
use serde::{Deserialize, Serialize};

use crate::price::Price;

/// Declares a checked form that wraps its raw form. It can be built and deserialised only through `check`.
macro_rules! checked_form {
    ($(#[$doc:meta])* $name:ident from $row:ident as $literal:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(try_from = $literal, into = $literal)]
        pub struct $name($row);

        impl TryFrom<$row> for $name {
            type Error = RowError;

            fn try_from(row: $row) -> Result<Self, RowError> {
                row.check()?;
                Ok(Self(row))
            }
        }

        impl From<$name> for $row {
            fn from(checked: $name) -> Self {
                checked.0
            }
        }

        impl std::ops::Deref for $name {
            type Target = $row;

            fn deref(&self) -> &$row {
                &self.0
            }
        }
    };
}

/// Source of a row's values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The paper, data sheet or page.
    pub source: String,
    /// Date of the source, such as `2022-10`.
    pub date: String,
    /// The maker's part number, as a buyer orders it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_number: Option<String>,
}

/// An impossible value of a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct RowError {
    /// The wrong field.
    pub field: &'static str,
    /// What was found, and what is expected.
    pub message: String,
}

impl RowError {
    pub(super) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}

/// Largest loss or gain of a passive part or an amplifier, in dB. It catches slips such as a loss in
/// hundredths of a decibel.
pub(super) const MOST_DB: f64 = 100.0;

pub(super) fn not_negative(field: &'static str, loss: Option<Db>) -> Result<(), RowError> {
    match loss {
        Some(loss) if loss < Db::ZERO => {
            Err(RowError::new(field, format!("found {loss}; expected a loss of 0 dB or more")))
        }
        Some(loss) if loss.get() > MOST_DB => {
            Err(RowError::new(field, format!("found {loss}; expected at most {MOST_DB} dB")))
        }
        _ => Ok(()),
    }
}

pub(super) fn ascending<T: PartialOrd + std::fmt::Display>(
    field: &'static str,
    lower: Option<T>,
    upper: Option<T>,
    of: &str,
) -> Result<(), RowError> {
    match (lower, upper) {
        (Some(lower), Some(upper)) if lower > upper => {
            Err(RowError::new(field, format!("found {lower}, above the {of} of {upper}")))
        }
        _ => Ok(()),
    }
}

pub(super) fn fair_price(price: Option<&Price>) -> Result<(), RowError> {
    let Some(range) = price.map(|price| price.range) else { return Ok(()) };
    if range.low().as_micros() < 0 {
        let found = range.low();
        return Err(RowError::new("price", format!("found {found}; expected 0 or more")));
    }
    if range.high().as_micros() > MOST_PRICE_MICROS {
        let found = range.high();
        let message = format!("found {found}; expected at most 10 million a piece");
        return Err(RowError::new("price", message));
    }
    Ok(())
}

pub(super) fn fair_power(power: Option<Watts>) -> Result<(), RowError> {
    match power {
        Some(power) if power > MOST_POWER => {
            Err(RowError::new("power", format!("found {power}; expected at most {MOST_POWER}")))
        }
        _ => Ok(()),
    }
}

/// Ten million units of a currency, in millionths. With it, sums over the largest plan cannot overflow.
const MOST_PRICE_MICROS: i64 = 10_000_000_000_000;
const MOST_POWER: Watts = Watts::from_watts(1_000);

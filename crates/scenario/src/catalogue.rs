//! The catalogue that comes with lightloom.

use lightloom_export::{Accounting, FibrePrice, StockLengths};
use lightloom_units::{Length, Money};
use serde::Deserialize;

use crate::InputError;

const FIBRE: &str = include_str!("../../../catalogue/fibre.toml");

/// Stock lengths and the price of fibre.
#[derive(Debug, Clone)]
pub(crate) struct Catalogue {
    pub(crate) stock: StockLengths,
    pub(crate) price: FibrePrice,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    stock: RawStock,
    fibre: RawFibre,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStock {
    lengths: Vec<Length>,
    step: Length,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "date")]
    _date: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFibre {
    #[serde(rename = "type")]
    _type: String,
    price: Money,
    per: Length,
    accounting: RawAccounting,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "date")]
    _date: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawAccounting {
    Half,
    Whole,
}

impl Catalogue {
    /// The catalogue compiled into the program.
    pub(crate) fn shipped() -> Result<Self, InputError> {
        let refuse =
            |message: String| InputError::new(message).in_file("catalogue/fibre.toml".as_ref());
        let raw: Raw = toml::from_str(FIBRE).map_err(|error| refuse(error.to_string()))?;
        let stock = StockLengths::new(raw.stock.lengths, raw.stock.step)
            .ok_or_else(|| refuse("stock lengths and their step must be more than 0 m".into()))?;
        let accounting = match raw.fibre.accounting {
            RawAccounting::Half => Accounting::Half,
            RawAccounting::Whole => Accounting::Whole,
        };
        if raw.fibre.per == Length::ZERO {
            return Err(refuse("fibre.per must be more than 0 m".into()));
        }
        let price = FibrePrice { price: raw.fibre.price, per: raw.fibre.per, accounting };
        Ok(Self { stock, price })
    }
}

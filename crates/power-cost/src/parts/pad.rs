//! Fixed attenuators ("pads").

use lightloom_units::{Db, named_enum};
use serde::{Deserialize, Serialize};

use crate::parts::row::{Provenance, RowError, fair_price};
use crate::price::{Price, UnitPrice};
use crate::spread::Spread;

/// Catalogue values of a fixed attenuator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PadRow {
    /// Name in the catalogue.
    pub name: String,
    /// Nominal attenuation.
    pub attenuation: Db,
    /// Largest deviation from it, in both directions.
    pub tolerance: Db,
    /// Price per piece.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A fixed attenuator with consistent values.
    Pad from PadRow as "PadRow"
}

/// Largest attenuation of a pad.
const MOST_DB: f64 = 40.0;

impl PadRow {
    fn check(&self) -> Result<(), RowError> {
        if !(self.attenuation.get() > 0.0 && self.attenuation.get() <= MOST_DB) {
            let found = self.attenuation;
            let message = format!("found {found}; expected more than 0 dB, at most {MOST_DB} dB");
            return Err(RowError::new("attenuation", message));
        }
        if !(self.tolerance > Db::ZERO && self.tolerance < self.attenuation) {
            let message = format!(
                "found {}; expected more than 0 dB, and less than the attenuation of {}",
                self.tolerance, self.attenuation
            );
            return Err(RowError::new("tolerance", message));
        }
        fair_price(self.price.as_ref())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("pad.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }

    /// The loss.
    pub fn loss(&self) -> Spread {
        let (typical, tolerance) = (self.attenuation, self.tolerance);
        Spread { least: typical - tolerance, typical, most: typical + tolerance }
    }
}

named_enum! {
    /// Place of pads.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum PadPlace {
        /// At each transmitter: one pad a splitter.
        Transmitter = "transmitter",
        /// At the input of each splitter: one pad a splitter.
        Feed = "feed",
        /// At each receiver: one pad a branch.
        Receiver = "receiver",
    }
}

/// A pad at its place in a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedPad {
    /// The pad.
    pub pad: Pad,
    /// Its place.
    pub at: PadPlace,
}

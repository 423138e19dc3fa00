//! Parts that hold and join: shelves, modules, frames, cords and trunks. Only their prices are known here.

use lightloom_units::{Length, MoneyError};
use serde::{Deserialize, Serialize};

use crate::parts::row::{Provenance, RowError, fair_price};
use crate::price::{Price, Term, UnitPrice};

/// Catalogue values of a shelf for splitters, of one rack unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShelfRow {
    /// Name in the catalogue: `sender`, `receiver` or `zone`.
    pub name: String,
    /// Price per piece.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A shelf with a valid price.
    Shelf from ShelfRow as "ShelfRow"
}

impl ShelfRow {
    fn check(&self) -> Result<(), RowError> {
        fair_price(self.price.as_ref())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("shelf.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }
}

/// Catalogue values of a part of the plant: a shelf, a module, a frame, a cord or a trunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantPartRow {
    /// Name in the catalogue, such as `panel-module` or `trunk-144`.
    pub name: String,
    /// Price per piece. For a cable: with its connectors, and with the first `length_included`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// Price of each metre of a cable beyond `length_included`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_per_m: Option<Price>,
    /// Length of a cable that its price includes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_included: Option<Length>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A part of the plant with valid prices.
    PlantPart from PlantPartRow as "PlantPartRow"
}

/// Longest length that a price can include.
const MOST_INCLUDED: Length = Length::from_m(1_000);

impl PlantPartRow {
    fn check(&self) -> Result<(), RowError> {
        fair_price(self.price.as_ref())?;
        fair_price(self.price_per_m.as_ref())
            .map_err(|error| RowError::new("price_per_m", error.message))?;
        if self.length_included.is_some_and(|length| length > MOST_INCLUDED) {
            let message = format!("expected at most {MOST_INCLUDED}");
            return Err(RowError::new("length_included", message));
        }
        Ok(())
    }

    /// Whether the price of a piece covers all of a cable, and not only its connectors.
    pub fn covers_fibre(&self) -> bool {
        self.price_per_m.is_some()
    }

    /// The prices that make that of a piece: for a cable of this length, with its connectors. Empty: unknown.
    pub fn terms(&self, length: Option<Length>) -> Vec<Term> {
        let row = || format!("part.{}", self.name);
        let included = self.length_included.unwrap_or(Length::ZERO).as_um();
        let further = length.map(|length| length.as_um().saturating_sub(included));
        let metres = self.price_per_m.as_ref().zip(further).map(|(price, further)| {
            Term::times(format!("{} per metre", row()), price, further, 1_000_000)
        });
        self.price
            .as_ref()
            .map(|price| Term::once(row(), price))
            .into_iter()
            .chain(metres)
            .collect()
    }

    /// Price of a piece: for a cable of this length, with its connectors. `None`: unknown.
    ///
    /// # Errors
    /// [`MoneyError`] if it is too large.
    pub fn price_of(&self, length: Option<Length>) -> Result<Option<UnitPrice>, MoneyError> {
        UnitPrice::of(self.terms(length))
    }
}

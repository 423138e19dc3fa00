//! Sums of power and money, with the values that they lack.

use lightloom_units::{Money, MoneyError, Power, named_enum};

use crate::price::{PriceCase, PriceRange, UnitPrice};

/// Power of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// The part is passive.
    Passive,
    /// The power is known.
    Known(Power),
    /// The part draws an unknown power.
    Unknown,
}

impl From<Option<Power>> for Draw {
    fn from(power: Option<Power>) -> Self {
        power.map_or(Self::Unknown, Self::Known)
    }
}

/// A quantity of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Name of the part.
    pub part: String,
    /// Quantity, at most 2³².
    pub quantity: u64,
    /// Price per piece.
    pub price: Option<UnitPrice>,
    /// Power per piece.
    pub power: Draw,
}

named_enum! {
    /// A kind of value that a sum can lack.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum MissingValue {
        /// A price.
        Price = "price",
        /// A power.
        Power = "power",
        /// The sum in dollars, if prices are in another currency. A [`Tally`] never lacks it.
        CostUsd = "cost_usd",
    }
}

/// A value that a sum lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Kind of the value: price or power.
    pub value: MissingValue,
    /// Name of the part.
    pub part: String,
    /// Quantity of the part.
    pub quantity: u64,
}

/// A sum of prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// The sums of the lowest, the usual and the highest prices.
    pub range: PriceRange,
    /// How much of the amount that counts is assumed.
    pub assumed: Money,
    /// Which of the sums counts.
    pub case: PriceCase,
}

impl Cost {
    /// The sum that counts.
    pub fn amount(&self) -> Money {
        self.range.at(self.case)
    }

    /// The share of that sum that is assumed, from 0 to 1. `None`: the sum is 0.
    pub fn assumed_share(&self) -> Option<f64> {
        let amount = self.amount().as_micros();
        (amount > 0).then(|| self.assumed.as_micros() as f64 / amount as f64)
    }

    /// The cost of pieces of one price.
    ///
    /// # Errors
    /// [`MoneyError`] if it is too large.
    pub fn of_pieces(price: &UnitPrice, quantity: u64) -> Result<Self, MoneyError> {
        let range = price.range().checked_mul(quantity)?;
        Ok(Self { range, assumed: price.assumed().checked_mul(quantity)?, case: price.case() })
    }

    /// The sum of two costs.
    ///
    /// # Errors
    /// [`MoneyError`] if the currencies differ, or if the sum is too large.
    pub fn checked_add(self, other: Self) -> Result<Self, MoneyError> {
        let range = self.range.checked_add(other.range)?;
        Ok(Self { range, assumed: self.assumed.checked_add(other.assumed)?, case: self.case })
    }
}

/// Sums over lines, as far as values are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Cost of the priced lines. `None`: no line has a price.
    pub cost: Option<Cost>,
    /// Power of the lines with known power. `None`: no line has one.
    pub power: Option<Power>,
    /// Values that the sums lack.
    pub missing: Vec<Missing>,
}

impl Tally {
    /// Adds up lines.
    ///
    /// # Errors
    /// [`MoneyError`] if prices have two currencies, or if the sum is too large.
    pub fn of(lines: &[Line]) -> Result<Self, MoneyError> {
        let mut tally = Self::default();
        for line in lines.iter().filter(|line| line.quantity > 0) {
            let lacks = |value| Missing { value, part: line.part.clone(), quantity: line.quantity };
            match &line.price {
                None => tally.missing.push(lacks(MissingValue::Price)),
                Some(price) => {
                    let cost = Cost::of_pieces(price, line.quantity)?;
                    let sum = tally.cost.map_or(Ok(cost), |sum| sum.checked_add(cost))?;
                    tally.cost = Some(sum);
                }
            }
            match line.power {
                Draw::Passive => {}
                Draw::Unknown => tally.missing.push(lacks(MissingValue::Power)),
                Draw::Known(power) => {
                    // At most 2³² parts of at most a kilowatt, far below the range of a power.
                    let power = power * line.quantity;
                    tally.power = Some(tally.power.unwrap_or(Power::ZERO) + power);
                }
            }
        }
        Ok(tally)
    }

    /// Power in watts.
    pub fn watts(&self) -> Option<f64> {
        self.power.map(Power::as_watts)
    }

    /// Whether every price is known.
    pub fn all_priced(&self) -> bool {
        self.cost.is_some()
            && self.missing.iter().all(|missing| missing.value != MissingValue::Price)
    }

    /// Whether every power is known.
    pub fn all_powered(&self) -> bool {
        self.power.is_some()
            && self.missing.iter().all(|missing| missing.value != MissingValue::Power)
    }
}

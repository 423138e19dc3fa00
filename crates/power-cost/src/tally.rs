//! Sums of power and money, with the values that they lack.

use lightloom_units::{Money, MoneyError, Power, named_enum};

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
    pub price: Option<Money>,
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

/// Sums over lines, as far as values are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Cost of the priced lines. `None`: no line has a price.
    pub cost: Option<Money>,
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
            match line.price {
                None => tally.missing.push(lacks(MissingValue::Price)),
                Some(price) => {
                    let cost = price.checked_mul(line.quantity)?;
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

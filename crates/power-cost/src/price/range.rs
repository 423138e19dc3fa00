//! Prices of rows as ranges, with their ranks and cases.

use lightloom_units::{Currency, Money, MoneyError, named_enum};
use serde::{Deserialize, Serialize};

named_enum! {
    /// How well a price is founded.
    #[derive(PartialOrd, Ord)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum PriceRank {
        /// A published source prints it, or the user gives it.
        Sourced = "sourced",
        /// An order of magnitude, with the rule that it follows. No source is named for it.
        Assumed = "assumed",
    }
}

named_enum! {
    /// Which value of a price counts.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum PriceCase {
        /// The lowest one.
        Low = "low",
        /// The usual one. A sum of usual prices is a sum, and no median.
        Typical = "typical",
        /// The highest one.
        High = "high",
    }
}

named_enum! {
    /// Which prices count.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum PriceBasis {
        /// All prices.
        All = "all",
        /// Only those with a source. The others are unknown.
        Sourced = "sourced",
    }
}

impl PriceCase {
    /// Whether it is the usual one.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_typical(&self) -> bool {
        *self == Self::Typical
    }
}

#[expect(clippy::derivable_impls, reason = "variants of a named_enum take no attributes")]
impl Default for PriceCase {
    fn default() -> Self {
        Self::Typical
    }
}

/// Three amounts in one currency: the lowest, the usual and the highest, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PriceRange {
    low: Money,
    typical: Money,
    high: Money,
}

impl PriceRange {
    /// A range. `None` if the amounts do not ascend, or have two currencies.
    pub fn new(low: Money, typical: Money, high: Money) -> Option<Self> {
        (low <= typical && typical <= high).then_some(Self { low, typical, high })
    }

    /// A range of one amount.
    pub const fn exactly(amount: Money) -> Self {
        Self { low: amount, typical: amount, high: amount }
    }

    /// The lowest amount.
    pub const fn low(&self) -> Money {
        self.low
    }

    /// The usual amount.
    pub const fn typical(&self) -> Money {
        self.typical
    }

    /// The highest amount.
    pub const fn high(&self) -> Money {
        self.high
    }

    /// The amount of a case.
    pub const fn at(&self, case: PriceCase) -> Money {
        match case {
            PriceCase::Low => self.low,
            PriceCase::Typical => self.typical,
            PriceCase::High => self.high,
        }
    }

    /// The currency.
    pub const fn currency(&self) -> Currency {
        self.typical.currency()
    }

    /// Whether the three amounts are equal.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// The same change of the three amounts. A change that keeps their order gives a range.
    fn each(
        self,
        mut change: impl FnMut(Money) -> Result<Money, MoneyError>,
    ) -> Result<Self, MoneyError> {
        let Self { low, typical, high } = self;
        Ok(Self { low: change(low)?, typical: change(typical)?, high: change(high)? })
    }

    /// The sum of two ranges: low and low, usual and usual, high and high.
    ///
    /// # Errors
    /// [`MoneyError`] if the currencies differ, or if a sum is too large.
    pub fn checked_add(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            low: self.low.checked_add(other.low)?,
            typical: self.typical.checked_add(other.typical)?,
            high: self.high.checked_add(other.high)?,
        })
    }

    /// The range `count` times.
    ///
    /// # Errors
    /// [`MoneyError`] if it is too large.
    pub fn checked_mul(self, count: u64) -> Result<Self, MoneyError> {
        self.each(|amount| amount.checked_mul(count))
    }

    /// The range times `numerator / denominator`, each amount rounded to a millionth.
    ///
    /// # Errors
    /// [`MoneyError`] if it is too large, or if the denominator is 0.
    pub fn scale(self, numerator: u64, denominator: u64) -> Result<Self, MoneyError> {
        self.each(|amount| amount.scale(numerator, denominator))
    }
}

/// Price of a row of a catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PriceForm", into = "PriceForm")]
pub struct Price {
    /// What a piece costs at least, usually and at most.
    pub range: PriceRange,
    /// How well it is founded.
    pub rank: PriceRank,
    /// Which of its values counts in sums and comparisons.
    pub case: PriceCase,
    /// Its source, or the rule by which it is assumed. `None`: the source of the row.
    pub source: Option<String>,
}

impl From<Money> for Price {
    /// The price that a source prints, or that a user gives.
    fn from(amount: Money) -> Self {
        Self {
            range: PriceRange::exactly(amount),
            rank: PriceRank::Sourced,
            case: PriceCase::Typical,
            source: None,
        }
    }
}

impl Price {
    /// The amount that counts.
    pub fn amount(&self) -> Money {
        self.range.at(self.case)
    }
}

/// A price as files have it: one amount, or the three of a range.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum PriceForm {
    Exact(Money),
    Range(PriceFields),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceFields {
    low: Money,
    typical: Money,
    high: Money,
    rank: PriceRank,
    #[serde(default, skip_serializing_if = "PriceCase::is_typical")]
    case: PriceCase,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl TryFrom<PriceForm> for Price {
    type Error = String;

    fn try_from(form: PriceForm) -> Result<Self, String> {
        match form {
            PriceForm::Exact(amount) => Ok(amount.into()),
            PriceForm::Range(PriceFields { low, typical, high, rank, case, source }) => {
                let range = PriceRange::new(low, typical, high).ok_or_else(|| {
                    format!("found {low}, {typical} and {high}; expected low, typical and high in one currency, \
                        ascending")
                })?;
                Ok(Self { range, rank, case, source })
            }
        }
    }
}

impl From<Price> for PriceForm {
    fn from(price: Price) -> Self {
        let amount = price.range.typical;
        if price == Price::from(amount) {
            return Self::Exact(amount);
        }
        let Price { range: PriceRange { low, typical, high }, rank, case, source } = price;
        Self::Range(PriceFields { low, typical, high, rank, case, source })
    }
}

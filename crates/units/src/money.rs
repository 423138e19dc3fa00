//! Amounts of money in whole millionths of a currency's unit.
//!
//! There are no exchange rates: amounts in two currencies neither add nor compare.

use std::{cmp::Ordering, fmt, str::FromStr};

use thiserror::Error;

use crate::parse::{self, Decimal, Misfit, ParseError};
use crate::print;

const MICROS: u64 = 1_000_000;

pub(crate) const EXPECTED: &str = "an amount such as \"37.37 USD\"";
pub(crate) const CURRENCY_EXPECTED: &str = "a currency of three capital letters such as \"USD\"";

/// Why an amount of money could not be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MoneyError {
    /// The two amounts are in different currencies.
    #[error("{0} and {1} do not add: state every price in one currency")]
    MixedCurrencies(Currency, Currency),
    /// The result exceeds 9.2 × 10¹² units of the currency.
    #[error("the amount exceeds 9223372036854.775807 {0}")]
    Overflow(Currency),
    /// The divisor of an amount is zero.
    #[error("an amount cannot be divided by zero")]
    ZeroDenominator,
}

/// A currency: three ASCII capital letters as in ISO 4217. The code is not looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(char::from).iter().collect::<String>())
    }
}

impl FromStr for Currency {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        <[u8; 3]>::try_from(text.trim().as_bytes())
            .ok()
            .filter(|code| code.iter().all(u8::is_ascii_uppercase))
            .map(Self)
            .ok_or_else(|| ParseError::new(text, CURRENCY_EXPECTED))
    }
}

/// An amount in one currency, in millionths of its unit. It may be negative.
///
/// Amounts in different currencies are unequal and have no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    micros: i64,
    currency: Currency,
}

impl Money {
    /// `micros` millionths of the currency's unit.
    pub const fn from_micros(micros: i64, currency: Currency) -> Self {
        Self { micros, currency }
    }

    /// The amount 0 in a currency.
    pub const fn zero(currency: Currency) -> Self {
        Self::from_micros(0, currency)
    }

    /// The amount in millionths of the currency's unit.
    pub const fn as_micros(self) -> i64 {
        self.micros
    }

    /// The currency of the amount.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// The sum; an error if the currencies differ or the sum overflows.
    pub fn checked_add(self, other: Self) -> Result<Self, MoneyError> {
        if self.currency != other.currency {
            return Err(MoneyError::MixedCurrencies(self.currency, other.currency));
        }
        self.with_micros(i128::from(self.micros) + i128::from(other.micros))
    }

    /// The amount `count` times; an error on overflow.
    pub fn checked_mul(self, count: u64) -> Result<Self, MoneyError> {
        self.scale(count, 1)
    }

    /// The amount times `numerator / denominator`, rounded to the nearest millionth, halves up.
    /// An error if the denominator is zero or the result overflows.
    pub fn scale(self, numerator: u64, denominator: u64) -> Result<Self, MoneyError> {
        if denominator == 0 {
            return Err(MoneyError::ZeroDenominator);
        }
        // 2⁶³ × (2⁶⁴ - 1) fits. Twice that would not, so the remainder decides the rounding.
        let product = i128::from(self.micros) * i128::from(numerator);
        let denominator = i128::from(denominator);
        let (floor, rest) = (product.div_euclid(denominator), product.rem_euclid(denominator));
        self.with_micros(floor + i128::from(rest * 2 >= denominator))
    }

    /// The amount rounded to whole hundredths (cents), halves away from zero. Amounts within half a
    /// hundredth of the largest are rounded down.
    #[must_use]
    pub fn to_hundredths(self) -> Self {
        const HUNDREDTH: i64 = 10_000;
        let half = self.micros.signum() * (HUNDREDTH / 2);
        let micros = self.micros.saturating_add(half) / HUNDREDTH * HUNDREDTH;
        Self { micros, ..self }
    }

    /// The amount without its currency: `37.37`.
    pub fn to_decimal(self) -> String {
        let text = self.to_string();
        // The text ends with a space and the currency.
        text.rsplit_once(' ').map_or(text.clone(), |(amount, _)| amount.to_owned())
    }

    fn with_micros(self, micros: i128) -> Result<Self, MoneyError> {
        i64::try_from(micros)
            .map(|micros| Self { micros, ..self })
            .map_err(|_| MoneyError::Overflow(self.currency))
    }
}

impl PartialOrd for Money {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.currency == other.currency).then(|| self.micros.cmp(&other.micros))
    }
}

impl fmt::Display for Money {
    /// With two decimals, or more if the amount has more: `37.37 USD`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = print::decimal(self.micros.unsigned_abs(), MICROS, 2);
        print::number_and_unit(f, self.micros < 0, &magnitude, self.currency)
    }
}

impl FromStr for Money {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let refuse = |expected| ParseError::new(text, expected);
        let (negative, rest) = parse::sign(text.trim());
        let (number, unit) = Decimal::split(rest).ok_or_else(|| refuse(EXPECTED))?;
        let currency = unit.parse().map_err(|_| refuse(EXPECTED))?;
        let magnitude = number.times(MICROS).map_err(|misfit| match misfit {
            Misfit::TooFine => refuse("an amount with at most 6 decimals"),
            Misfit::TooLarge => refuse("an amount of at most 9223372036854.775807"),
        })?;
        let micros = i128::from(magnitude) * if negative { -1 } else { 1 };
        Self::zero(currency)
            .with_micros(micros)
            .map_err(|_| refuse("an amount of at most 9223372036854.775807"))
    }
}

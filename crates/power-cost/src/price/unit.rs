//! Price of one piece, which can be made of the prices of several rows.

use lightloom_units::{Money, MoneyError};

use crate::price::range::{Price, PriceCase, PriceRange, PriceRank};

/// A part of the price of a piece: a fraction or a multiple of the price of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The row, such as `transceiver.10gbase-lr`. Two terms of one row have one price.
    pub row: String,
    /// The price of the row.
    pub price: Price,
    /// How often it is charged, over `denominator`.
    pub numerator: u64,
    /// Divisor of the numerator, not 0.
    pub denominator: u64,
}

impl Term {
    /// The price of a row, once.
    pub fn once(row: impl Into<String>, price: &Price) -> Self {
        Self { row: row.into(), price: price.clone(), numerator: 1, denominator: 1 }
    }

    /// The price of a row times a fraction.
    pub fn times(row: impl Into<String>, price: &Price, numerator: u64, denominator: u64) -> Self {
        Self { numerator, denominator, ..Self::once(row, price) }
    }
}

/// Price of one piece: a sum of prices of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitPrice {
    terms: Vec<Term>,
    range: PriceRange,
    assumed: Money,
    case: PriceCase,
}

impl UnitPrice {
    /// The price of a row, once.
    pub fn of_row(row: impl Into<String>, price: &Price) -> Self {
        let zero = Money::zero(price.range.currency());
        let assumed = if price.rank == PriceRank::Assumed { price.amount() } else { zero };
        Self { terms: vec![Term::once(row, price)], range: price.range, assumed, case: price.case }
    }

    /// The sum of terms, each rounded to a millionth. `None` without terms.
    ///
    /// # Errors
    /// [`MoneyError`] if the currencies differ, or if a sum is too large.
    pub fn of(terms: Vec<Term>) -> Result<Option<Self>, MoneyError> {
        let Some(first) = terms.first() else { return Ok(None) };
        let zero = Money::zero(first.price.range.currency());
        let case = first.price.case;
        let (mut range, mut assumed) = (PriceRange::exactly(zero), zero);
        for term in &terms {
            let of_term = term.price.range.scale(term.numerator, term.denominator)?;
            range = range.checked_add(of_term)?;
            if term.price.rank == PriceRank::Assumed {
                assumed = assumed.checked_add(of_term.at(case))?;
            }
        }
        Ok(Some(Self { terms, range, assumed, case }))
    }

    /// The rows that it is made of.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// What a piece costs at least, usually and at most.
    pub fn range(&self) -> PriceRange {
        self.range
    }

    /// The amount that counts.
    pub fn amount(&self) -> Money {
        self.range.at(self.case)
    }

    /// How much of that amount is assumed.
    pub fn assumed(&self) -> Money {
        self.assumed
    }

    /// Which value of the range counts.
    pub fn case(&self) -> PriceCase {
        self.case
    }

    /// The weakest of its ranks.
    pub fn rank(&self) -> PriceRank {
        self.terms.iter().map(|term| term.price.rank).max().unwrap_or(PriceRank::Sourced)
    }
}

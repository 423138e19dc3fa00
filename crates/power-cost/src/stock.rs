//! Stock lengths of fibre, and the cost of fibre.

use lightloom_units::{Length, MoneyError, named_enum};

use crate::price::{Price, Term, UnitPrice};

/// The lengths in which patch cords are sold. Longer ones are cut to a multiple of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockLengths {
    lengths: Vec<Length>,
    step: Length,
}

impl StockLengths {
    /// Takes stock lengths in any order. Lengths beyond the longest one are rounded up to a multiple of
    /// `step`. `None` if there is no length, or if a length or the step is zero.
    pub fn new(mut lengths: Vec<Length>, step: Length) -> Option<Self> {
        lengths.sort_unstable();
        lengths.dedup();
        let shortest = lengths.first()?;
        (*shortest > Length::ZERO && step > Length::ZERO).then_some(Self { lengths, step })
    }

    /// The shortest stock piece of at least this length.
    pub fn round_up(&self, length: Length) -> Length {
        let fits = self.lengths.partition_point(|&stock| stock < length);
        self.lengths.get(fits).copied().unwrap_or_else(|| {
            let step = self.step.as_um();
            Length::from_um(length.as_um().div_ceil(step).saturating_mul(step))
        })
    }

    /// The stock lengths, ascending.
    pub fn lengths(&self) -> &[Length] {
        &self.lengths
    }

    /// The step beyond the longest stock length.
    pub fn step(&self) -> Length {
        self.step
    }
}

named_enum! {
    /// Charge for a one-way fibre if the price is for a duplex pair. The Shufflecast paper uses both, so the
    /// design chooses.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Accounting {
        /// A one-way strand costs half of a duplex pair.
        Half = "half",
        /// A one-way strand costs a whole duplex pair.
        Whole = "whole",
    }
}

/// Row of the price of fibre, in sums.
const ROW: &str = "fibre_price";

/// Price of duplex fibre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FibrePrice {
    /// Price of a piece of length `per`. `None`: unknown.
    pub price: Option<Price>,
    /// Length of that piece, not zero.
    pub per: Length,
    /// Charge for one strand.
    pub accounting: Accounting,
}

impl FibrePrice {
    /// Price of one duplex piece of this length, rounded to a millionth.
    ///
    /// # Errors
    /// [`MoneyError`] if it is too large.
    pub fn of_pair(&self, length: Length) -> Result<Option<UnitPrice>, MoneyError> {
        UnitPrice::of(self.term(length, 1).into_iter().collect())
    }

    /// Price of one strand of this length, rounded to a millionth.
    ///
    /// # Errors
    /// [`MoneyError`] if it is too large.
    pub fn of_piece(&self, length: Length) -> Result<Option<UnitPrice>, MoneyError> {
        UnitPrice::of(self.strand(length).into_iter().collect())
    }

    /// The price of one strand of this length, as a part of a price. `None`: unknown.
    pub fn strand(&self, length: Length) -> Option<Term> {
        let strands = match self.accounting {
            Accounting::Half => 2,
            Accounting::Whole => 1,
        };
        self.term(length, strands)
    }

    fn term(&self, length: Length, strands: u64) -> Option<Term> {
        let denominator = self.per.as_um().saturating_mul(strands);
        self.price.as_ref().map(|price| Term::times(ROW, price, length.as_um(), denominator))
    }
}

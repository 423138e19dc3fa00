//! Stock lengths of fibre and what a fibre costs.

use lightloom_units::{Length, Money, MoneyError, named_enum};

/// The lengths in which patch cords are sold; longer ones are cut to a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockLengths {
    lengths: Vec<Length>,
    step: Length,
}

impl StockLengths {
    /// Stock lengths in any order; beyond the longest, lengths are rounded up to a multiple of
    /// `step`. `None` when there is no length, or a length or the step is zero.
    pub fn new(mut lengths: Vec<Length>, step: Length) -> Option<Self> {
        lengths.sort_unstable();
        lengths.dedup();
        let shortest = lengths.first()?;
        (*shortest > Length::ZERO && step > Length::ZERO).then_some(Self { lengths, step })
    }

    /// The shortest piece that is at least this long.
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

    /// The step beyond the longest.
    pub fn step(&self) -> Length {
        self.step
    }
}

named_enum! {
    /// How a one-way fibre is charged when the price is for a duplex pair. Which of the two Shufflecast
    /// uses is not the same throughout the paper, so it is a stated choice.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Accounting {
        /// One strand is half of the pair.
        Half = "half",
        /// One strand costs as much as the pair.
        Whole = "whole",
    }
}

/// The price of duplex fibre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FibrePrice {
    /// The price of a piece …
    pub price: Money,
    /// … of this length, not zero.
    pub per: Length,
    /// What one strand of it costs.
    pub accounting: Accounting,
}

impl FibrePrice {
    /// The cost of one-way fibre of this total length, to the hundredth.
    ///
    /// # Errors
    /// [`MoneyError`] when the sum is too large.
    pub fn of(&self, length: Length) -> Result<Money, MoneyError> {
        Ok(self.of_piece(length)?.to_hundredths())
    }

    /// The cost of one duplex piece, to the millionth.
    ///
    /// # Errors
    /// [`MoneyError`] when it is too large.
    pub fn of_pair(&self, length: Length) -> Result<Money, MoneyError> {
        self.price.scale(length.as_um(), self.per.as_um())
    }

    /// The cost of one strand of this length, to the millionth.
    ///
    /// # Errors
    /// [`MoneyError`] when it is too large.
    pub fn of_piece(&self, length: Length) -> Result<Money, MoneyError> {
        let strands = match self.accounting {
            Accounting::Half => 2,
            Accounting::Whole => 1,
        };
        self.price.scale(length.as_um(), self.per.as_um().saturating_mul(strands))
    }
}

//! Losses with tolerance: smallest, typical and largest value.

use std::iter::Sum;
use std::ops::Add;

use lightloom_units::Db;
use serde::Serialize;

/// A loss between two bounds. A negative value is a gain.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Spread {
    /// Smallest loss.
    pub least: Db,
    /// Typical loss.
    pub typical: Db,
    /// Largest loss.
    pub most: Db,
}

impl Spread {
    /// A loss without tolerance.
    pub fn exactly(loss: Db) -> Self {
        Self { least: loss, typical: loss, most: loss }
    }
}

/// A triangular distribution: between two bounds, with its top at the typical value, because a data sheet
/// gives only these three values. In decibels or dBm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Triangle {
    pub(crate) least: f64,
    pub(crate) typical: f64,
    pub(crate) most: f64,
}

impl Triangle {
    pub(crate) fn exactly(value: f64) -> Self {
        Self { least: value, typical: value, most: value }
    }

    /// Whether all draws are equal.
    pub(crate) fn is_exact(&self) -> bool {
        self.least >= self.most
    }

    /// The value at a quantile from 0 to 1, by the inverse of the distribution.
    pub(crate) fn at(&self, quantile: f64) -> f64 {
        let Self { least, typical, most } = *self;
        let (width, rising) = (most - least, typical - least);
        if quantile * width < rising {
            least + (quantile * width * rising).sqrt()
        } else {
            most - ((1.0 - quantile) * width * (most - typical)).sqrt()
        }
    }
}

impl From<Spread> for Triangle {
    fn from(Spread { least, typical, most }: Spread) -> Self {
        Self { least: least.get(), typical: typical.get(), most: most.get() }
    }
}

impl Add for Spread {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            least: self.least + other.least,
            typical: self.typical + other.typical,
            most: self.most + other.most,
        }
    }
}

impl Sum for Spread {
    fn sum<I: Iterator<Item = Self>>(spreads: I) -> Self {
        spreads.fold(Self::default(), Add::add)
    }
}

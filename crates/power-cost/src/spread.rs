//! Losses with tolerance: smallest, typical and largest value.

use std::iter::Sum;
use std::ops::Add;

use lightloom_units::Db;
use rand::{Rng, RngExt as _};
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

    /// A random loss, in decibels. The distribution is a triangle between the bounds with its top at the
    /// typical value, because a data sheet gives only these three values.
    pub(crate) fn draw(self, random: &mut impl Rng) -> f64 {
        triangle(self.least.get(), self.typical.get(), self.most.get(), random)
    }
}

/// A draw from the triangular distribution by its inverse. If all values are equal, no random number is used.
pub(crate) fn triangle(least: f64, typical: f64, most: f64, random: &mut impl Rng) -> f64 {
    let width = most - least;
    if width <= 0.0 {
        return typical;
    }
    let u: f64 = random.random();
    let rising = typical - least;
    if u * width < rising {
        least + (u * width * rising).sqrt()
    } else {
        most - ((1.0 - u) * width * (most - typical)).sqrt()
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

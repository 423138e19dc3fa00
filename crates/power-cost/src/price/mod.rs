//! Prices as ranges: what a part costs at least, usually and at most, and who says so. What lists of parts cost
//! together, and which of two is dearer, never lives here.

mod range;
mod unit;

pub use range::{Price, PriceBasis, PriceCase, PriceRange, PriceRank};
pub use unit::{Term, UnitPrice};

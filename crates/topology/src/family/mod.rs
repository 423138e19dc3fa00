//! Families of fabrics: the paper's [`Shufflecast`], the [`kautz`] family for any number of ToRs,
//! and a [`custom`] edge list. [`doubled`] is the paper's construction for other sizes, computed
//! only for comparison.

mod custom;
mod doubled;
mod kautz;
mod shufflecast;

pub use custom::{CustomError, custom};
pub use doubled::{Doubled, doubled};
pub use kautz::kautz;
pub use shufflecast::Shufflecast;

/// The Moore bound: the least m with 1 + p + … + p^m ≥ `tors`. No fabric of 1:p splitters reaches
/// all of its ToRs in fewer hops.
pub fn moore_bound(fan_out: u32, tors: usize) -> u32 {
    let (p, tors) = (u128::from(fan_out.max(1)), tors as u128);
    let (mut hops, mut layer, mut reached) = (0, 1_u128, 1_u128);
    while reached < tors {
        layer *= p;
        reached += layer;
        hops += 1;
    }
    hops
}

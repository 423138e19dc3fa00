//! Arborescence routers for every fabric, of any family.
//!
//! The first two give every ToR its packets in the fewest hops, so the relay into a cassette is one
//! of those whose own cassette lies one nearer to the root. They differ in which one:
//!
//! - [`Balanced`] looks at all sources together and proves the most even load that fewest-hop
//!   trees can have. Its tables are T × cassettes.
//! - [`Rotated`] decides for one source alone by a stated rule, so one tree of a fabric of any size
//!   takes one breadth-first search.
//! - [`OneMoreHop`] lets every cassette be one hop late and spends that on still more even load.

mod balanced;
pub(crate) mod level;
mod one_more_hop;
mod rotated;
mod ways;

pub use balanced::Balanced;
pub use one_more_hop::OneMoreHop;
pub use rotated::Rotated;

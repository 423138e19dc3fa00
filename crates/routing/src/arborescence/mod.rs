//! Arborescence routers for every fabric of any family.
//!
//! The first two routers give fewest-hop trees: the relay into a cassette is always one whose own cassette is
//! one hop nearer to the root. They differ in how they choose among those relays.
//!
//! - [`Balanced`] looks at all sources together and proves the most even load that fewest-hop trees can have.
//!   Its tables have T × cassettes entries.
//! - [`Rotated`] decides for one source alone by a fixed rule. One tree takes one breadth-first search, in a
//!   fabric of any size.
//! - [`OneMoreHop`] lets every cassette be one hop late, and uses that for a more even load.

mod balanced;
pub(crate) mod level;
mod one_more_hop;
mod rotated;
mod ways;

pub use balanced::Balanced;
pub use one_more_hop::OneMoreHop;
pub use rotated::Rotated;

//! Routing: trees and relay tables of all sources, parallel sources, failures, recovery, and the verifier.
//! The verifier shares no code with the routers.
//!
//! A one-to-all multicast from source *s* is a spanning arborescence of the cassette graph. Its root is the
//! cassette that *s* transmits into. It has one relay into every other cassette. A router is a rule that
//! names the relay for a source and a cassette. The list of these relays is a *relay row*.
//!
//! Nothing here knows racks, files or prices.

pub mod algorithm1;
pub mod arborescence;
pub mod failure;
pub mod fair_share;
pub mod fault_signalling;
pub mod group_tree;
pub mod growth;
pub mod impact;
pub mod losses;
pub mod parallel;
pub mod recovery;
pub mod risk;
mod router;
pub mod rows;
pub mod sample;
pub mod survey;
pub mod switch;
mod tables;
pub mod throughput;
mod tree;
pub mod verify;

pub use algorithm1::Algorithm1;
pub use arborescence::{Balanced, OneMoreHop, Rotated};
pub use losses::{Cuts, SubtreeIndex};
pub use router::Router;
pub use rows::{RelayRows, RouterKind};
pub use tables::{Load, RelayTables};
pub use tree::{Hops, HopsTotal, NotATree, Tree};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

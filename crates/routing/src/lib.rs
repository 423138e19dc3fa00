//! Who relays what: trees and relay tables of every source, how many sources can send at once,
//! and the verifier, which shares no code with the routers.
//!
//! A one-to-all multicast from source *s* is a spanning arborescence of the cassette graph rooted
//! at the cassette that *s* transmits into: one relay for every other cassette. A router is
//! therefore a rule that names, for a source and a cassette, the ToR that relays into it; that
//! list is a *relay row*. Nothing here knows racks, files or prices.

pub mod algorithm1;
pub mod arborescence;
pub mod failure;
pub mod fair_share;
pub mod parallel;
pub mod progress;
pub mod recovery;
mod tables;
mod tree;
pub mod verify;

pub use algorithm1::Algorithm1;
pub use arborescence::{Balanced, OneMoreHop, Rotated};
pub use tables::{Load, RelayTables};
pub use tree::{Hops, HopsTotal, NotATree, Tree};

use lightloom_topology::TorId;

/// A rule that chooses one relay for each cassette, given the source alone. Routers that must see all
/// sources together ([`Balanced`], [`OneMoreHop`]) make [`RelayTables`] instead.
pub trait Router {
    /// Writes the relay row of `source`: `row[c]` is the ToR that transmits this source's packets
    /// into cassette *c*; for the cassette that the source transmits into it is the source.
    ///
    /// # Panics
    /// When `row` is not as long as the fabric has cassettes, or the source is not of it.
    fn relay_row(&mut self, source: TorId, row: &mut [TorId]);

    /// The sources that a ToR relays, ascending, its own id among them.
    ///
    /// # Panics
    /// When the ToR is not of the fabric.
    fn sources_of(&mut self, relay: TorId) -> Vec<TorId>;
}

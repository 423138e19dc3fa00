//! What a router is.

use lightloom_topology::TorId;

/// A rule that chooses one relay for each cassette, given the source alone. Routers that must see all
/// sources together ([`Balanced`](crate::Balanced), [`OneMoreHop`](crate::OneMoreHop)) make
/// [`RelayTables`](crate::RelayTables) instead.
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

//! The trait of routers.

use lightloom_topology::TorId;

/// A rule that chooses one relay per cassette from the source alone. Routers that look at all sources
/// together ([`Balanced`](crate::Balanced), [`OneMoreHop`](crate::OneMoreHop)) make
/// [`RelayTables`](crate::RelayTables) instead.
pub trait Router {
    /// Writes the relay row of `source`: `row[c]` is the ToR that transmits this source's packets into
    /// cassette *c*. For the cassette that the source transmits into, it is the source.
    ///
    /// # Panics
    /// Panics if the length of `row` is not the number of cassettes, or if the source is not in the fabric.
    fn relay_row(&mut self, source: TorId, row: &mut [TorId]);

    /// The sources that a ToR relays, ascending, including itself.
    ///
    /// # Panics
    /// Panics if the ToR is not in the fabric.
    fn sources_of(&mut self, relay: TorId) -> Vec<TorId>;
}

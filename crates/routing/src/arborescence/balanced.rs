//! Fewest-hop trees of all sources with the most even relay load that such trees can have.
//!
//! The choice at one cassette never restricts the choice at another: with any fewest-hop relay, its own
//! cassette is reached in time. So the problem splits into one assignment per cassette *x*. Every source
//! takes one of the relays into *x* that are on a shortest way from its root. Sources with the same choice
//! form a class. [`level`](super::level) assigns the classes to relays as evenly as possible.

use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::arborescence::level::{Class, level};
use crate::arborescence::ways::ShortestWays;
use crate::tables::RelayTables;

/// Fewest-hop router with the smallest maximum relay load.
#[derive(Debug)]
pub struct Balanced {
    tables: RelayTables,
}

impl Balanced {
    /// Makes the tables of all sources, in cassettes × T steps.
    pub fn new(fabric: &Fabric) -> Self {
        let cassettes = fabric.cassettes();
        let mut rows = vec![TorId(0); fabric.tors() * cassettes];
        let mut ways = ShortestWays::new(fabric);
        for cassette in fabric.cassette_ids() {
            let mut assign = |source: TorId, relay: TorId| {
                rows[source.index() * cassettes + cassette.index()] = relay;
            };
            for &source in fabric.transmitters(cassette) {
                assign(source, source);
            }
            ways.search(cassette);
            deal(fabric, cassette, &ways, &mut assign);
        }
        Self { tables: RelayTables::from_rows(cassettes, rows) }
    }

    /// The tables.
    pub fn into_tables(self) -> RelayTables {
        self.tables
    }
}

/// Chooses a relay into `cassette` for every source with another root.
fn deal(
    fabric: &Fabric,
    cassette: CassetteId,
    ways: &ShortestWays<'_>,
    assign: &mut impl FnMut(TorId, TorId),
) {
    let relays = fabric.transmitters(cassette);
    let mut roots: Vec<CassetteId> = fabric.cassette_ids().filter(|&r| r != cassette).collect();
    roots.sort_by_key(|&root| (ways.of(root), root));
    let same_ways: Vec<&[CassetteId]> = roots.chunk_by(|&a, &b| ways.of(a) == ways.of(b)).collect();
    let mut classes: Vec<Class> = same_ways
        .iter()
        .map(|roots| {
            let sources = roots.iter().map(|&root| fabric.transmitters(root).len()).sum();
            Class::new(ways.slots(roots[0]), sources)
        })
        .collect();
    level(relays.len(), &mut classes);
    for (roots, class) in same_ways.iter().zip(&classes) {
        // Sorted by splitter slot first. Sources in equal slots then tend to share relays, and sources in
        // different slots tend to have disjoint relays.
        let slots = (0..fabric.fan_out() as usize)
            .flat_map(|slot| roots.iter().map(move |&root| (slot, root)));
        let sources = slots.filter_map(|(slot, root)| fabric.transmitters(root).get(slot));
        let dealt =
            class.dealt().flat_map(|(slot, count)| std::iter::repeat_n(relays[slot], count));
        for (&source, relay) in sources.zip(dealt) {
            assign(source, relay);
        }
    }
}

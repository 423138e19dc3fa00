//! One tree for all sources that transmit into the same cassette.

use lightloom_topology::{Fabric, TorId};

use crate::tables::RelayTables;

/// Tables in which the sources of a cassette share one tree, so that relays can match the cassette in place of the
/// source. Each cassette takes the tree of that source of its own whose relays have the least load so far, the load of
/// a relay counted squared.
///
/// No ToR that transmits into the root relays such a tree, so a returning copy needs no relay rule of its own.
pub fn rooted(fabric: &Fabric, tables: &RelayTables) -> RelayTables {
    let cassettes = fabric.cassettes();
    let mut rows = vec![TorId(0); fabric.tors() * cassettes];
    let mut load = vec![0_u64; fabric.tors()];
    for root in fabric.cassette_ids() {
        let sources = fabric.transmitters(root);
        let others = |source: TorId| {
            let row = tables.row(source).iter().enumerate();
            row.filter(|(into, _)| *into != root.index()).map(|(_, &relay)| relay)
        };
        let cost =
            |source: TorId| others(source).map(|relay| 2 * load[relay.index()] + 1).sum::<u64>();
        let Some(&chosen) = sources.iter().min_by_key(|&&source| cost(source)) else { continue };
        for relay in others(chosen) {
            load[relay.index()] += sources.len() as u64;
        }
        for &source in sources {
            let row = &mut rows[source.index() * cassettes..][..cassettes];
            row.copy_from_slice(tables.row(chosen));
            row[root.index()] = source;
        }
    }
    RelayTables::from_rows(cassettes, rows)
}

//! Trees in which every cassette may be one hop late, for a more even load.

use lightloom_topology::search::BreadthFirst;
use lightloom_topology::{Fabric, TorId};

use crate::{RelayTables, Router};

/// Sources one after another, each cassette by the least loaded relay that keeps it at most one
/// hop behind its fewest. Cassettes are placed in breadth-first order, so the relays one level up
/// are at most one late, and those of the same level count when they are not late themselves.
#[derive(Debug)]
pub struct OneMoreHop {
    tables: RelayTables,
}

impl OneMoreHop {
    /// Tables of all sources.
    pub fn new(fabric: &Fabric) -> Self {
        let mut greedy = Greedy {
            fabric,
            search: BreadthFirst::default(),
            load: vec![0; fabric.tors()],
            late: Vec::new(),
        };
        let mut tables = RelayTables::new(fabric, &mut greedy);
        for _ in 0..3 {
            for t in fabric.tor_ids() {
                let mut row = tables.row(t).to_vec();
                for r in &row {
                    greedy.load[r.index()] -= 1;
                }
                greedy.relay_row(t, &mut row);
                tables.set(t, &row);
            }
        }
        Self { tables }
    }

    /// The tables.
    pub fn into_tables(self) -> RelayTables {
        self.tables
    }
}

struct Greedy<'a> {
    fabric: &'a Fabric,
    search: BreadthFirst,
    load: Vec<u32>,
    /// Whether a cassette is placed, and if so whether one hop behind its fewest.
    late: Vec<Option<bool>>,
}

impl Router for Greedy<'_> {
    fn relay_row(&mut self, source: TorId, row: &mut [TorId]) {
        let fabric = self.fabric;
        let root = fabric.transmits_into(source);
        self.search.run(fabric, root);
        self.late.clear();
        self.late.resize(fabric.cassettes(), None);
        self.late[root.index()] = Some(false);
        row[root.index()] = source;
        self.load[source.index()] += 1;
        for &cassette in &self.search.order()[1..] {
            let depth = self.search.depth(cassette);
            // How late this cassette would be behind a relay; None where the relay will not do.
            let lateness = |relay: TorId| {
                let from = fabric.receives_from(relay);
                let late = self.late[from.index()]?;
                match self.search.depth(from) {
                    d if d + 1 == depth => Some(late),
                    d if d == depth && !late => Some(true),
                    _ => None,
                }
            };
            let candidates = fabric.transmitters(cassette).iter();
            let best = candidates
                .filter_map(|&relay| Some((self.load[relay.index()], lateness(relay)?, relay)))
                .min();
            if let Some((_, late, relay)) = best {
                self.late[cassette.index()] = Some(late);
                self.load[relay.index()] += 1;
                row[cassette.index()] = relay;
            }
        }
    }
}

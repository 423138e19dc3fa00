//! Trees in which every cassette may be one hop late, for a more even load.

use lightloom_topology::search::BreadthFirst;
use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::arborescence::balanced::Balanced;
use crate::tables::RelayTables;

/// Largest number of passes over all sources. In practice moves run out long before.
const PASSES: usize = 32;

/// [`Balanced`], followed by a local search among trees that are not fewest-hop. While a relay carries more
/// than an even share, a source moves from it to a relay with at least two sources fewer. So no move raises
/// the maximum load, and the result is never above that of [`Balanced`]. No cassette is more than one hop
/// late. Relays within the even share cause no extra hop.
/// share cost no hop.
#[derive(Debug)]
pub struct OneMoreHop {
    tables: RelayTables,
}

impl OneMoreHop {
    /// Makes the tables of all sources.
    pub fn new(fabric: &Fabric) -> Self {
        let mut tables = Balanced::new(fabric).into_tables();
        let mut load = vec![0_u32; fabric.tors()];
        for source in fabric.tor_ids() {
            for relay in tables.row(source) {
                load[relay.index()] += 1;
            }
        }
        // The cassette with the fewest relays can at best share T sources evenly.
        let fewest = fabric.cassette_ids().map(|c| fabric.transmitters(c).len()).min();
        let share = fabric.tors().div_ceil(fewest.unwrap_or(1).max(1));
        let mut search = BreadthFirst::default();
        let mut searched = None;
        for _ in 0..PASSES {
            let mut moves = 0;
            for source in fabric.tor_ids() {
                let root = fabric.transmits_into(source);
                if searched != Some(root) {
                    search.run(fabric, root);
                    searched = Some(root);
                }
                let row = tables.row_mut(source);
                moves += Reroute::new(fabric, &search, row, &mut load, share).run();
            }
            if moves == 0 {
                break;
            }
        }
        Self { tables }
    }

    /// The tables.
    pub fn into_tables(self) -> RelayTables {
        self.tables
    }
}

/// The tree of one source during changes.
struct Reroute<'a> {
    fabric: &'a Fabric,
    search: &'a BreadthFirst,
    row: &'a mut [TorId],
    load: &'a mut [u32],
    share: usize,
    /// Whether a cassette is one hop late.
    late: Vec<bool>,
}

impl<'a> Reroute<'a> {
    fn new(
        fabric: &'a Fabric,
        search: &'a BreadthFirst,
        row: &'a mut [TorId],
        load: &'a mut [u32],
        share: usize,
    ) -> Self {
        let mut late = vec![false; fabric.cassettes()];
        for &cassette in &search.order()[1..] {
            let before = fabric.receives_from(row[cassette.index()]);
            // In breadth-first order, the cassettes of the level above are done. A relay from the same level
            // must itself be on time, or this cassette would be two hops late.
            let same_level = search.depth(before) == search.depth(cassette);
            late[cassette.index()] = same_level || late[before.index()];
        }
        Self { fabric, search, row, load, share, late }
    }

    /// Makes every useful move. Returns the number of moves.
    fn run(&mut self) -> usize {
        let search = self.search;
        let mut moves = 0;
        // Starts at the far end: a late cassette requires that the cassette before it is on time.
        for &cassette in search.order()[1..].iter().rev() {
            let relay = self.row[cassette.index()];
            if self.load[relay.index()] as usize <= self.share {
                continue;
            }
            let candidates = self.fabric.transmitters(cassette).iter();
            let better = candidates
                .filter(|other| self.load[other.index()] + 2 <= self.load[relay.index()])
                .filter_map(|&other| {
                    let late = self.lateness(other, cassette)?;
                    Some((self.load[other.index()], late, other))
                })
                .min();
            let Some((_, late, other)) = better else { continue };
            self.load[relay.index()] -= 1;
            self.load[other.index()] += 1;
            self.row[cassette.index()] = other;
            if late != self.late[cassette.index()] {
                self.mark(cassette, late);
            }
            moves += 1;
        }
        moves
    }

    /// Whether `cassette` would be late behind `relay`. `None`: this relay is not possible.
    fn lateness(&self, relay: TorId, cassette: CassetteId) -> Option<bool> {
        let before = self.fabric.receives_from(relay);
        let before_late = self.late[before.index()];
        let depth = self.search.depth(cassette);
        let late = match self.search.depth(before) {
            d if d + 1 == depth => before_late,
            d if d == depth && !before_late && before != cassette => true,
            _ => return None,
        };
        let delays = late && !self.late[cassette.index()];
        (!delays || self.on_time_beyond(cassette)).then_some(late)
    }

    /// The next cassettes of this source's packets.
    fn next(&self, cassette: CassetteId) -> impl Iterator<Item = CassetteId> {
        let relays = self.fabric.receivers(cassette).iter();
        relays
            .map(|&relay| (relay, self.fabric.transmits_into(relay)))
            .filter(|&(relay, next)| self.row[next.index()] == relay && self.search.depth(next) > 0)
            .map(|(_, next)| next)
    }

    fn on_time_beyond(&self, cassette: CassetteId) -> bool {
        self.next(cassette).all(|next| !self.late[next.index()] && self.on_time_beyond(next))
    }

    /// Marks a cassette, and with it all cassettes beyond it, as late or on time.
    fn mark(&mut self, cassette: CassetteId, late: bool) {
        self.late[cassette.index()] = late;
        let beyond: Vec<CassetteId> = self.next(cassette).collect();
        for next in beyond {
            self.mark(next, late);
        }
    }
}

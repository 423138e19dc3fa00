//! Independent checkers: they use a fabric's edges and no routers, trees or tables.

use lightloom_routing::verify::LightMap;
use lightloom_topology::{CassetteId, Fabric, TorId};
use petgraph::algo::dijkstra;
use petgraph::graph::NodeIndex;

/// Relays between any two cassettes, by petgraph: `distances[from][to]`.
pub fn distances(fabric: &Fabric) -> Vec<Vec<u32>> {
    let from = |root: CassetteId| {
        let found = dijkstra(fabric.graph(), NodeIndex::new(root.index()), None, |_| 1_u32);
        (0..fabric.cassettes()).map(|c| found[&NodeIndex::new(c)]).collect()
    };
    fabric.cassette_ids().map(from).collect()
}

/// The fibres of a fabric: every transmitter of a cassette lights every receiver of it.
pub fn fibres(fabric: &Fabric) -> Vec<(TorId, TorId)> {
    let mut fibres = Vec::new();
    for from in fabric.tor_ids() {
        for to in fabric.tor_ids() {
            if fabric.transmits_into(from) == fabric.receives_from(to) {
                fibres.push((from, to));
            }
        }
    }
    fibres
}

/// The same fibres for large fabrics.
pub fn wiring(fabric: &Fabric) -> LightMap {
    let of = |t: TorId| fabric.receivers(fabric.transmits_into(t)).iter().map(move |&r| (t, r));
    LightMap::new(fabric.tors(), fabric.tor_ids().flat_map(of))
}

/// Whether a relay row is a spanning arborescence of its source: each relay transmits into its cassette, the
/// source into the root, and the light of the source reaches all of them.
pub fn is_arborescence(fabric: &Fabric, source: TorId, row: &[TorId]) -> bool {
    let mut lit = vec![false; fabric.cassettes()];
    lit[fabric.transmits_into(source).index()] = true;
    let placed = row.len() == fabric.cassettes()
        && (0..).zip(row).all(|(c, &relay)| fabric.transmits_into(relay) == CassetteId(c))
        && row[fabric.transmits_into(source).index()] == source;
    loop {
        let news: Vec<usize> = (0..lit.len())
            .filter(|&c| placed && !lit[c] && lit[fabric.receives_from(row[c]).index()])
            .collect();
        if news.is_empty() {
            return placed && lit.iter().all(|&l| l);
        }
        news.iter().for_each(|&c| lit[c] = true);
    }
}

/// Why trees cannot run at the same time: the first row that is not a tree, or a ToR that two rows use. A
/// source is in its own row, so no other tree may relay through it.
pub fn clash(fabric: &Fabric, sources: &[TorId], rows: &[Vec<TorId>]) -> Option<String> {
    if sources.len() != rows.len() {
        return Some(format!("{} rows for {} sources", rows.len(), sources.len()));
    }
    let mut used_by = vec![None; fabric.tors()];
    for (&source, row) in sources.iter().zip(rows) {
        if !is_arborescence(fabric, source, row) {
            return Some(format!("the row of source {source} does not reach all cassettes"));
        }
        for relay in row {
            if let Some(other) = used_by[relay.index()].replace(source) {
                return Some(format!("sources {other} and {source} both relay through {relay}"));
            }
        }
    }
    None
}

/// Every proper non-empty set of cassettes as a bit mask, with the ToRs that enter it from outside
/// and those that have both ends in it, as masks of ToRs.
pub struct Subsets {
    pub sets: Vec<Subset>,
}

pub struct Subset {
    pub entering: u32,
    pub inside: u32,
}

impl Subsets {
    /// For fabrics of up to 32 ToRs.
    pub fn of(fabric: &Fabric) -> Self {
        let ends: Vec<(u32, u32)> = fabric
            .tor_ids()
            .map(|t| (1 << fabric.receives_from(t).0, 1 << fabric.transmits_into(t).0))
            .collect();
        let sets = (1..(1_u32 << fabric.cassettes()) - 1).map(|x| {
            let mask = |wanted: (bool, bool)| {
                let of = |(i, e): (usize, &(u32, u32))| {
                    u32::from((x & e.0 != 0, x & e.1 != 0) == wanted) << i
                };
                ends.iter().enumerate().map(of).sum()
            };
            Subset { entering: mask((false, true)), inside: mask((true, true)) }
        });
        Self { sets: sets.collect() }
    }

    /// Edmonds's condition for sources given as a mask of ToRs: in(X) + |F inside X| ≥ |F|.
    pub fn allow(&self, sources: u32) -> bool {
        let fits = |s: &Subset| {
            s.entering.count_ones() + (s.inside & sources).count_ones() >= sources.count_ones()
        };
        self.sets.iter().all(fits)
    }
}

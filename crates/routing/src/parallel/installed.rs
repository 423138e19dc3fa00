//! Largest number of sources that can send at line rate at the same time with the installed tables. Their
//! relay sets must be disjoint. This is a largest clique in the graph of compatible sources. Branch and bound
//! finds it, or reports that its budget ran out first.

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;

/// Result about parallel sources with installed tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Sources with disjoint relay sets, ascending.
    pub sources: Vec<TorId>,
    /// Upper bound for the number of sources with disjoint relay sets. Equal to the length of `sources` if
    /// the search was exhaustive.
    pub at_most: usize,
}

/// Steps of branch and bound before the search stops and the upper bound stays open.
const BUDGET: u64 = 2_000_000;

/// The largest found set of `candidates` with disjoint relay sets. `rows` are their relay rows. `at_most` is
/// a proven upper bound: the number of ToRs of the emptiest cassette, since each stream needs one of them.
/// Compares candidates in pairs.
pub fn installed_sources(candidates: &[TorId], rows: &[&[TorId]], at_most: usize) -> Installed {
    let disjoint = |a: usize, b: usize| rows[a].iter().zip(rows[b]).all(|(a, b)| a != b);
    most_disjoint(candidates, disjoint, at_most)
}

/// Like [`installed_sources`], if no relay row describes the relays: for installed rules that go around failures.
/// `sources_by_relay[t]` lists the sources that ToR *t* relays.
pub fn installed_sources_of(sources_by_relay: &[Vec<TorId>], candidates: &[TorId]) -> Installed {
    let tors = sources_by_relay.len();
    let mut relays = vec![FixedBitSet::with_capacity(tors); tors];
    for (relay, sources) in sources_by_relay.iter().enumerate() {
        for source in sources {
            relays[source.index()].insert(relay);
        }
    }
    let set = |candidate: usize| &relays[candidates[candidate].index()];
    most_disjoint(candidates, |a, b| set(a).is_disjoint(set(b)), candidates.len())
}

fn most_disjoint(
    candidates: &[TorId],
    disjoint: impl Fn(usize, usize) -> bool,
    at_most: usize,
) -> Installed {
    let n = candidates.len();
    let mut compatible = vec![FixedBitSet::with_capacity(n); n];
    for i in 0..n {
        for j in i + 1..n {
            if disjoint(i, j) {
                compatible[i].insert(j);
                compatible[j].insert(i);
            }
        }
    }
    let mut search = Search { compatible, at_most, best: Vec::new(), chosen: Vec::new(), steps: 0 };
    let mut all = FixedBitSet::with_capacity(n);
    all.insert_range(..);
    search.extend(&all);
    let mut sources: Vec<TorId> = search.best.iter().map(|&i| candidates[i]).collect();
    sources.sort_unstable();
    let at_most = if search.steps < BUDGET { sources.len() } else { at_most };
    Installed { sources, at_most }
}

struct Search {
    compatible: Vec<FixedBitSet>,
    at_most: usize,
    best: Vec<usize>,
    chosen: Vec<usize>,
    steps: u64,
}

impl Search {
    fn extend(&mut self, open: &FixedBitSet) {
        if self.chosen.len() > self.best.len() {
            self.best.clone_from(&self.chosen);
        }
        let mut left = open.count_ones(..);
        for i in open.ones() {
            let enough = self.best.len() >= self.at_most;
            if enough || self.chosen.len() + left <= self.best.len() || self.steps >= BUDGET {
                return;
            }
            left -= 1;
            self.steps += 1;
            // Only later candidates, so that each set is built in one order.
            let mut narrowed = open & &self.compatible[i];
            narrowed.remove_range(..i + 1);
            self.chosen.push(i);
            self.extend(&narrowed);
            self.chosen.pop();
        }
    }
}

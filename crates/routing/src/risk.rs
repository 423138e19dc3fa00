//! Worst cases: parts that fail together, and pairs of relays whose loss isolates ToRs.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use lightloom_topology::{CassetteId, Fabric, TorId};
use rand::RngExt as _;

use crate::failure::Damage;
use crate::recovery::cut_off;
use crate::sample;
use crate::tables::RelayTables;

/// Up to this number of ToRs, every pair of relays is tried.
const ALL_PAIRS_TORS: usize = 400;
/// Number of drawn pairs in larger fabrics.
const DRAWN_PAIRS: usize = 20_000;

/// Losses if a group of parts fails together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupLoss {
    /// Pairs of a source and another ToR, both with power, that no rules can connect any more.
    pub cut_off: usize,
    /// Sources that can still transmit but lose another ToR with power until they are repaired.
    pub sources_hit: usize,
    /// Sources that can no longer transmit. They do not count in `sources_hit`.
    pub failed_sources: usize,
}

/// What the assessments of all groups share: for each ToR, the sources that it relays.
#[derive(Debug)]
pub struct GroupRisk {
    sources_of: Vec<FixedBitSet>,
}

impl GroupRisk {
    /// Prepares a fabric with these installed tables. Every row must be a tree, as every router makes them.
    pub fn new(fabric: &Fabric, tables: &RelayTables) -> Self {
        let mut sources_of = vec![FixedBitSet::with_capacity(fabric.tors()); fabric.tors()];
        for source in fabric.tor_ids() {
            for relay in tables.row(source) {
                sources_of[relay.index()].insert(source.index());
            }
        }
        Self { sources_of }
    }

    /// Losses from the damage of one group.
    pub fn of(&self, damage: &Damage<'_>) -> GroupLoss {
        let senders = damage.fabric().tor_ids().filter(|&tor| damage.sends(tor)).count();
        GroupLoss {
            cut_off: cut_off(damage),
            sources_hit: self.sources_hit(damage),
            failed_sources: damage.fabric().tors() - senders,
        }
    }

    /// Number of sources that can still transmit but lose another ToR with power.
    ///
    /// A tree brings each ToR one copy. So a source loses a ToR with power iff one of its relays has a dead
    /// branch to a ToR with power, other than the source. To see that a lost ToR has such a branch, take the
    /// last dead branch on the way to it: what it leads to transmits or is the lost ToR, so it has power.
    fn sources_hit(&self, damage: &Damage<'_>) -> usize {
        let mut hit = FixedBitSet::with_capacity(self.sources_of.len());
        for (relay, to) in damage.dead_branches() {
            if damage.has_power(to) {
                let sources = &self.sources_of[relay.index()];
                let was_hit = hit.contains(to.index());
                hit.union_with(sources);
                hit.set(to.index(), was_hit);
            }
        }
        hit.ones().filter(|&source| damage.sends(TorId::at(source))).count()
    }
}

/// Pairs of relays whose loss isolates ToRs permanently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CuttingPairs {
    /// Number of pairs tried.
    pub tried: usize,
    /// Whether all pairs were tried. Otherwise they were drawn with the seed of all samples.
    pub exhaustive: bool,
    /// Pairs that isolate ToRs, ascending.
    pub pairs: Vec<(TorId, TorId)>,
}

/// Tries all pairs of relays in a fabric of up to 400 ToRs, and 20,000 drawn pairs in a larger one. `silenced`
/// returns further ToRs that no longer transmit if both relays of a pair fail.
pub fn cutting_pairs(
    fabric: &Fabric,
    silenced: impl Fn(TorId, TorId) -> Vec<TorId>,
) -> CuttingPairs {
    let tors = fabric.tors();
    let exhaustive = tors <= ALL_PAIRS_TORS;
    let mut tried = 0;
    let mut pairs = Vec::new();
    let mut search = PairSearch::new(fabric);
    let mut attempt = |a: TorId, b: TorId| {
        tried += 1;
        if search.is_cut_by(&[&[a, b], &silenced(a, b)[..]].concat()) {
            pairs.push((a, b));
        }
    };
    if exhaustive {
        for a in fabric.tor_ids() {
            for b in (a.index() + 1..tors).map(TorId::at) {
                attempt(a, b);
            }
        }
    } else {
        let mut random = sample::generator();
        for _ in 0..DRAWN_PAIRS {
            let a = random.random_range(0..tors);
            let b = (a + random.random_range(1..tors)) % tors;
            attempt(TorId::at(a.min(b)), TorId::at(a.max(b)));
        }
        pairs.sort_unstable();
        pairs.dedup();
    }
    CuttingPairs { tried, exhaustive, pairs }
}

/// Checks whether all cassettes still reach each other without some of the ToRs.
struct PairSearch<'a> {
    fabric: &'a Fabric,
    out: FixedBitSet,
    seen: Vec<bool>,
    queue: VecDeque<CassetteId>,
}

impl<'a> PairSearch<'a> {
    fn new(fabric: &'a Fabric) -> Self {
        let out = FixedBitSet::with_capacity(fabric.tors());
        Self { fabric, out, seen: vec![false; fabric.cassettes()], queue: VecDeque::new() }
    }

    fn is_cut_by(&mut self, out: &[TorId]) -> bool {
        let fabric = self.fabric;
        self.out.clear();
        self.out.extend(out.iter().map(|tor| tor.index()));
        let with_light =
            |at: CassetteId| fabric.receivers(at).iter().map(|&t| (t, fabric.transmits_into(t)));
        let against =
            |at: CassetteId| fabric.transmitters(at).iter().map(|&t| (t, fabric.receives_from(t)));
        // A fabric of one cassette is cut if no ToR remains that transmits.
        let all_fail = fabric.cassettes() == 1 && self.out.count_ones(..) == fabric.tors();
        all_fail || !self.reaches_all(with_light) || !self.reaches_all(against)
    }

    fn reaches_all<I: Iterator<Item = (TorId, CassetteId)>>(
        &mut self,
        next: impl Fn(CassetteId) -> I,
    ) -> bool {
        self.seen.fill(false);
        self.seen[0] = true;
        self.queue.clear();
        self.queue.push_back(CassetteId(0));
        let mut count = 1;
        while let Some(at) = self.queue.pop_front() {
            for (tor, to) in next(at) {
                let is_out = self.out.contains(tor.index());
                if !is_out && !std::mem::replace(&mut self.seen[to.index()], true) {
                    count += 1;
                    self.queue.push_back(to);
                }
            }
        }
        count == self.seen.len()
    }
}

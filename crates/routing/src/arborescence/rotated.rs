//! Fewest-hop trees for one source at a time.

use lightloom_topology::search::BreadthFirst;
use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::arborescence::ways::ShortestWays;
use crate::router::Router;

/// Chooses among the fewest-hop relays of a cassette by rotation. There are c candidates in ascending order.
/// The source in splitter slot σ of root cassette r takes candidate (σ + mix(r · 2^32 + x)) mod c for
/// cassette x. `mix` is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). So the sources of
/// one root spread evenly over the candidates, and roots start at different candidates.
#[derive(Debug)]
pub struct Rotated<'a> {
    fabric: &'a Fabric,
    search: BreadthFirst,
    searched: Option<CassetteId>,
}

impl<'a> Rotated<'a> {
    /// The router of a fabric.
    pub fn new(fabric: &'a Fabric) -> Self {
        Self { fabric, search: BreadthFirst::default(), searched: None }
    }
}

impl Router for Rotated<'_> {
    fn relay_row(&mut self, source: TorId, row: &mut [TorId]) {
        let fabric = self.fabric;
        let root = fabric.transmits_into(source);
        // The p sources of a root share one search.
        if self.searched != Some(root) {
            self.search.run(fabric, root);
            self.searched = Some(root);
        }
        let slot = fabric.mirror_index(source);
        row[root.index()] = source;
        for &cassette in &self.search.order()[1..] {
            let depth = self.search.depth(cassette) - 1;
            let relays = fabric.transmitters(cassette).iter();
            let candidates =
                relays.filter(|&&t| self.search.depth(fabric.receives_from(t)) == depth);
            let turn = turn(slot, root, cassette, candidates.clone().count());
            if let Some(&relay) = candidates.clone().nth(turn) {
                row[cassette.index()] = relay;
            }
        }
    }

    fn sources_of(&mut self, relay: TorId) -> Vec<TorId> {
        let fabric = self.fabric;
        let (cassette, own_slot) = (fabric.transmits_into(relay), fabric.mirror_index(relay));
        let mut ways = ShortestWays::new(fabric);
        ways.search(cassette);
        let takes = |&source: &TorId| {
            let root = fabric.transmits_into(source);
            if root == cassette {
                return source == relay;
            }
            let candidates = ways.slots(root);
            let turn = turn(fabric.mirror_index(source), root, cassette, candidates.len());
            candidates.get(turn) == Some(&own_slot)
        };
        fabric.tor_ids().filter(takes).collect()
    }
}

/// The candidate, out of `count`, that a source takes into a cassette.
#[allow(clippy::cast_possible_truncation, reason = "a remainder below `count`")]
fn turn(slot: usize, root: CassetteId, cassette: CassetteId, count: usize) -> usize {
    let pair = u64::from(root.0) << 32 | u64::from(cassette.0);
    (mix(pair).wrapping_add(slot as u64) % count.max(1) as u64) as usize
}

/// The finaliser of SplitMix64: a bijection in which every output bit depends on every input bit.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

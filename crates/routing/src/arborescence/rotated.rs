//! Fewest-hop trees one source at a time.

use lightloom_topology::search::BreadthFirst;
use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::Router;

/// Chooses among the fewest-hop relays of a cassette by rotation: with c candidates in ascending
/// order, source in splitter slot σ of root cassette r takes candidate
/// (σ + mix(r · 2^32 + x)) mod c for cassette x, where `mix` is the finaliser of SplitMix64 (Steele,
/// Lea and Flood, OOPSLA 2014). The sources of one root so spread evenly over the candidates, and
/// roots start at different ones.
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
        let slot = fabric.splitter_slot(source) as u64;
        row[root.index()] = source;
        for &cassette in &self.search.order()[1..] {
            let depth = self.search.depth(cassette) - 1;
            let candidates = fabric.transmitters(cassette).iter();
            let mut candidates =
                candidates.filter(|&&t| self.search.depth(fabric.receives_from(t)) == depth);
            let count = candidates.clone().count();
            let pair = u64::from(root.0) << 32 | u64::from(cassette.0);
            #[allow(clippy::cast_possible_truncation, reason = "a remainder below `count`")]
            let turn = (mix(pair).wrapping_add(slot) % count as u64) as usize;
            if let Some(&relay) = candidates.nth(turn) {
                row[cassette.index()] = relay;
            }
        }
    }
}

/// The finaliser of SplitMix64: a bijection whose every output bit depends on every input bit.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

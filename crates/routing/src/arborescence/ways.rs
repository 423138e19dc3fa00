//! For one cassette, the relays that end a shortest way, for all roots at once.

use lightloom_topology::search::UNREACHED;
use lightloom_topology::{CassetteId, Fabric};

/// For one cassette and each root, the slots of relays that end a shortest way. Stored as bit sets. One
/// search against the direction of the light finds all of them.
#[derive(Debug)]
pub(super) struct ShortestWays<'a> {
    fabric: &'a Fabric,
    words: usize,
    depth: Vec<u32>,
    bits: Vec<u64>,
    order: Vec<CassetteId>,
}

impl<'a> ShortestWays<'a> {
    /// An empty search.
    pub(super) fn new(fabric: &'a Fabric) -> Self {
        let words = fabric.fan_out().div_ceil(64) as usize;
        let bits = vec![0; words * fabric.cassettes()];
        Self { fabric, words, depth: Vec::new(), bits, order: Vec::new() }
    }

    /// Searches for one cassette.
    pub(super) fn search(&mut self, cassette: CassetteId) {
        self.depth.clear();
        self.depth.resize(self.fabric.cassettes(), UNREACHED);
        self.bits.fill(0);
        self.order.clear();
        self.order.push(cassette);
        self.depth[cassette.index()] = 0;
        let mut next = 0;
        while let Some(&at) = self.order.get(next) {
            next += 1;
            let depth = self.depth[at.index()] + 1;
            for (slot, &tor) in self.fabric.transmitters(at).iter().enumerate() {
                let from = self.fabric.receives_from(tor);
                if self.depth[from.index()] == UNREACHED {
                    self.depth[from.index()] = depth;
                    self.order.push(from);
                }
                if self.depth[from.index()] == depth {
                    if at == cassette {
                        self.bits[from.index() * self.words + slot / 64] |= 1 << (slot % 64);
                    } else {
                        self.inherit(from, at);
                    }
                }
            }
        }
    }

    fn inherit(&mut self, root: CassetteId, nearer: CassetteId) {
        for word in 0..self.words {
            self.bits[root.index() * self.words + word] |=
                self.bits[nearer.index() * self.words + word];
        }
    }

    /// The slots as bits. Only for roots that reach the cassette.
    pub(super) fn of(&self, root: CassetteId) -> &[u64] {
        &self.bits[root.index() * self.words..(root.index() + 1) * self.words]
    }

    /// The slots, ascending.
    pub(super) fn slots(&self, root: CassetteId) -> Vec<usize> {
        let bits = self.of(root);
        (0..self.words * 64).filter(|slot| bits[slot / 64] >> (slot % 64) & 1 == 1).collect()
    }
}

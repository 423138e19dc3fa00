//! Breadth-first search over the cassette graph, with reusable buffers.

use crate::fabric::Fabric;
use crate::id::CassetteId;

/// The depth of a cassette that a search did not reach.
pub const UNREACHED: u32 = u32::MAX;

/// A breadth-first search from one cassette. It can run from many roots and allocates only on the
/// first run.
#[derive(Debug, Default)]
pub struct BreadthFirst {
    depth: Vec<u32>,
    order: Vec<CassetteId>,
}

impl BreadthFirst {
    /// Searches in the direction of the light, from `root`.
    pub fn run(&mut self, fabric: &Fabric, root: CassetteId) {
        self.depth.clear();
        self.depth.resize(fabric.cassettes(), UNREACHED);
        self.order.clear();
        self.depth[root.index()] = 0;
        self.order.push(root);
        let mut next = 0;
        while let Some(&cassette) = self.order.get(next) {
            next += 1;
            let depth = self.depth[cassette.index()] + 1;
            for &relay in fabric.receivers(cassette) {
                let reached = fabric.transmits_into(relay);
                if self.depth[reached.index()] == UNREACHED {
                    self.depth[reached.index()] = depth;
                    self.order.push(reached);
                }
            }
        }
    }

    /// Relays between the root and each cassette; [`UNREACHED`] if there is no way.
    pub fn depth(&self, cassette: CassetteId) -> u32 {
        self.depth[cassette.index()]
    }

    /// Cassettes in the order in which they were reached, the root first.
    pub fn order(&self) -> &[CassetteId] {
        &self.order
    }
}

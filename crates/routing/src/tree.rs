//! Multicast tree of one source, from its relay row.

use lightloom_topology::{CassetteId, Fabric, TorId};

/// Error: a relay row does not lead from the source to some cassette.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the relays of source {source_tor} never reach cassette {cassette}")]
pub struct NotATree {
    /// The source.
    pub source_tor: TorId,
    /// The first cassette that the row does not reach.
    pub cassette: CassetteId,
}

/// The multicast tree of one source: one relay into each cassette, and no fewer do (shufflecast:lemma4).
#[derive(Debug, Clone)]
pub struct Tree<'a> {
    fabric: &'a Fabric,
    source: TorId,
    row: &'a [TorId],
    depth: Vec<u32>,
}

impl<'a> Tree<'a> {
    /// The tree that a relay row describes.
    ///
    /// # Errors
    /// [`NotATree`] if following the row back from some cassette does not end at the source.
    pub fn new(fabric: &'a Fabric, source: TorId, row: &'a [TorId]) -> Result<Self, NotATree> {
        let depth = depths(fabric, source, row)?;
        Ok(Self { fabric, source, row, depth })
    }

    /// The relays, including the source, ascending.
    pub fn relays(&self) -> Vec<TorId> {
        let mut relays = self.row.to_vec();
        relays.sort_unstable();
        relays
    }

    /// Number of splitters on a packet's way to a ToR: 1 for those that the source feeds. For the source
    /// itself, the number on the way of its returning copy.
    pub fn hops(&self, to: TorId) -> u32 {
        self.depth[self.fabric.receives_from(to).index()] + 1
    }

    /// The ToRs on a packet's way, from the source to `to`, both included.
    pub fn path(&self, to: TorId) -> Vec<TorId> {
        let mut path = vec![to];
        let mut at = to;
        for _ in 0..self.hops(to) {
            at = self.row[self.fabric.receives_from(at).index()];
            path.push(at);
        }
        path.reverse();
        path
    }

    /// Hops to all other ToRs.
    pub fn total_hops(&self) -> Hops {
        let mut hops = Hops::default();
        for cassette in self.fabric.cassette_ids() {
            let at = self.depth[cassette.index()] + 1;
            let mut receivers = self.fabric.receivers(cassette).len() as u64;
            if cassette == self.fabric.receives_from(self.source) {
                receivers -= 1;
            }
            if receivers > 0 {
                hops.max = hops.max.max(at);
                hops.sum += u64::from(at) * receivers;
            }
        }
        hops
    }
}

/// Number of relays between the source and each cassette.
fn depths(fabric: &Fabric, source: TorId, row: &[TorId]) -> Result<Vec<u32>, NotATree> {
    const UNKNOWN: u32 = u32::MAX;
    let mut depth = vec![UNKNOWN; row.len()];
    depth[fabric.transmits_into(source).index()] = 0;
    let mut trail = Vec::new();
    for cassette in fabric.cassette_ids() {
        let mut at = cassette;
        while depth[at.index()] == UNKNOWN {
            trail.push(at);
            if trail.len() > row.len() {
                return Err(NotATree { source_tor: source, cassette });
            }
            at = fabric.receives_from(row[at.index()]);
        }
        let mut reached = depth[at.index()];
        while let Some(passed) = trail.pop() {
            reached += 1;
            depth[passed.index()] = reached;
        }
    }
    Ok(depth)
}

/// Hops from one source to all others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hops {
    /// Number of hops to the farthest ToR.
    pub max: u32,
    /// Sum of hops over all other ToRs.
    pub sum: u64,
}

/// Hops over many sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HopsTotal {
    /// Number of hops to the farthest ToR from any of the sources.
    pub max: u32,
    sum: u64,
    sources: u64,
}

impl HopsTotal {
    /// Adds one source.
    pub fn add(&mut self, hops: Hops) {
        self.max = self.max.max(hops.max);
        self.sum += hops.sum;
        self.sources += 1;
    }

    /// Mean over the sources and all other ToRs of a fabric with `tors` ToRs.
    #[allow(clippy::cast_precision_loss, reason = "sums stay far below 2^53")]
    pub fn mean(&self, tors: usize) -> f64 {
        let pairs = self.sources * (tors as u64 - 1);
        if pairs == 0 { 0.0 } else { self.sum as f64 / pairs as f64 }
    }
}

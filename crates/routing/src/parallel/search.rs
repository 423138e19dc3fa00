//! How far a search for edge-disjoint trees is, and what it knows before it is done.

use lightloom_topology::{Fabric, TorId};
use lightloom_watch::{Stopped, Watch};

/// What a search for edge-disjoint trees knows before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoFar {
    /// So many sources are known to be possible. 0: none is known yet.
    pub at_least: u32,
    /// More sources are known to be impossible.
    pub at_most: u32,
    /// The relay rows of the first sources. Empty where the sources are still to be chosen.
    pub rows: Vec<Vec<TorId>>,
}

/// Counts steps. A step is one cassette: tried for a number of trees, or joined to one tree. For q trees each cassette
/// is tried once, and joined q times. A failed attempt at q + 1 trees takes one step for each cassette, as many as the
/// tree that falls away. So the number of all steps is known at the start.
pub(super) struct Search<'a> {
    watch: Watch<'a>,
    done: u64,
    of: u64,
}

impl<'a> Search<'a> {
    /// A search for at most so many trees.
    pub(super) fn new(fabric: &Fabric, trees: u32, watch: Watch<'a>) -> Self {
        let cassettes = fabric.cassettes() as u64;
        let of = cassettes.saturating_mul(u64::from(trees).saturating_add(1));
        Self { watch, done: 0, of }
    }

    /// One more step begins.
    pub(super) fn step(&mut self) -> Result<(), Stopped> {
        self.watch.progress(self.done, self.of)?;
        self.done += 1;
        Ok(())
    }
}

//! States of assignment problems, and the moves between them.

/// Which facility is at which location, and what a swap changes.
pub trait Layout: Clone + Send {
    /// The cost of the whole layout, from scratch.
    fn cost(&self) -> i64;

    /// The change of the cost if two different locations swap what is at them.
    fn delta(&mut self, one: u32, other: u32) -> i64;

    /// Swaps what is at two locations.
    fn swap(&mut self, one: u32, other: u32);

    /// Swaps what is at two blocks of locations, location by location, and returns the change of the cost. The same
    /// swap again is its way back.
    fn swap_blocks(&mut self, one: &[u32], other: &[u32]) -> i64 {
        let swap = |(&one, &other)| {
            let delta = self.delta(one, other);
            self.swap(one, other);
            delta
        };
        one.iter().zip(other).map(swap).sum()
    }
}

/// The moves of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moves {
    /// Locations that may swap among themselves. Each set has at least two, and no location is in two sets.
    pub sets: Vec<Vec<u32>>,
    /// Blocks of locations that may swap as a whole, location by location. Each has the same number of locations.
    pub blocks: Vec<Vec<u32>>,
}

impl Moves {
    /// Whether nothing may move.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty() && self.blocks.len() < 2
    }
}

//! What a schedule is made for.

use crate::graph::Graph;

/// Members, size and parameters of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given {
    /// Number of members.
    pub members: u32,
    /// Size of the buffer in bytes: what a broadcast sends, what all parts of an allgather are together, what is
    /// summed, what each sends to all others and to itself in an all-to-all.
    pub bytes: u64,
    /// Size of slices at most, in bytes, where a schedule cuts messages into slices.
    pub slice: u64,
    /// Number of members that multicast at a time.
    pub at_once: u32,
}

impl Given {
    /// Members and a size, with a single slice and one sender at a time.
    pub fn new(members: u32, bytes: u64) -> Self {
        Self { members, bytes, slice: bytes.max(1), at_once: 1 }
    }

    /// Number of slices that this many bytes are cut into.
    pub(crate) fn slices(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.slice.max(1)).max(1)
    }

    /// A graph without messages, whose buffers have this number of blocks.
    pub(crate) fn graph(&self, blocks: u64) -> Graph {
        Graph::new(self.members, self.bytes, blocks)
    }
}

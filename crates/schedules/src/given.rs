//! What a schedule is made for.

use crate::graph::Graph;

/// A token of a mixture of experts, and who takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The member that has the token.
    pub from: u32,
    /// The members with the experts that it goes to, each once. Its own member may be one of them.
    pub to: Vec<u32>,
}

/// Members, size and parameters of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given<'a> {
    /// Number of members.
    pub members: u32,
    /// Size of the buffer in bytes: what a broadcast sends, what all parts of an allgather are together, what is
    /// summed, what each sends to all others and to itself in an all-to-all, all weights of a model, or all tokens.
    pub bytes: u64,
    /// Size of slices at most, in bytes, where a schedule cuts messages into slices.
    pub slice: u64,
    /// Number of members that multicast at a time.
    pub at_once: u32,
    /// Number of members that have all weights. They are the first.
    pub sources: u32,
    /// Number of shards that weights are cut into. The other members hold one each, in turn.
    pub shards: u32,
    /// Number of layers of a shard.
    pub layers: u32,
    /// The tokens of a mixture of experts, of equal sizes.
    pub routes: &'a [Route],
}

impl Given<'_> {
    /// Members and a size, with a single slice and one sender at a time.
    pub fn new(members: u32, bytes: u64) -> Self {
        Self {
            members,
            bytes,
            slice: bytes.max(1),
            at_once: 1,
            sources: 1,
            shards: 1,
            layers: 1,
            routes: &[],
        }
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

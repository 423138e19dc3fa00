//! What a run has done so far, for those who watch it.

use std::fmt;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

/// A moment of a run, between two windows.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The simulated time.
    pub at: Instant,
    nodes: &'a dyn Fn(&mut Sample),
}

/// What a run has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sample {
    /// Payload that arrived in order, in bytes.
    pub delivered: u64,
    /// Messages that receiving applications have. One to a group counts for each receiver.
    pub completed: u64,
    /// Bytes that wait in switches.
    pub queued: u64,
    /// The switch and the port with the most of them; the first of several.
    pub longest: Option<(NodeId, u16, u32)>,
}

impl<'a> Look<'a> {
    pub(crate) fn new(at: Instant, nodes: &'a dyn Fn(&mut Sample)) -> Self {
        Self { at, nodes }
    }

    /// Adds up what all nodes have done so far. Takes time in proportion to nodes and messages; a look that does not
    /// ask costs nothing.
    pub fn sample(&self) -> Sample {
        let mut sample = Sample::default();
        (self.nodes)(&mut sample);
        sample
    }
}

impl fmt::Debug for Look<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Look").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Sample {
    /// Adds a port with its waiting bytes. Nodes come in any order.
    pub(crate) fn add_port(&mut self, node: NodeId, port: u16, bytes: u32) {
        self.queued += u64::from(bytes);
        let is_longer = self.longest.is_none_or(|(of, at, most)| {
            bytes > most || (bytes == most && (node, port) < (of, at))
        });
        if bytes > 0 && is_longer {
            self.longest = Some((node, port, bytes));
        }
    }
}

//! What ends a run: a promise of the network that was broken.

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

/// Why and where a run ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "at {at}, switch {node}, port {port}: a lossless packet found the buffer full; give more headroom, pause earlier, or slow the senders"
)]
pub struct Fault {
    /// When.
    pub at: Instant,
    /// Which switch.
    pub node: NodeId,
    /// The port that the packet came in on.
    pub port: u16,
}

impl Fault {
    /// The order of faults: the first one ends the run.
    pub(crate) fn order(&self) -> (Instant, NodeId, u16) {
        (self.at, self.node, self.port)
    }
}

//! Headroom that overflows, and why: an overflow ends the run, or is counted.

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::drops::DropReason;
use crate::packet::Class;

/// An overflow that ended a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "at {at}, switch {node}, port {port}: a lossless packet found the headroom of the port full"
)]
pub struct FatalOverflow {
    /// Simulated time of the overflow.
    pub at: Instant,
    /// The switch.
    pub node: NodeId,
    /// The port that the packet came in on.
    pub port: u16,
    /// The pause that was lost, where that is the cause; else the headroom is too small.
    pub lost_pause: Option<LostPause>,
}

impl FatalOverflow {
    /// The order of overflows: the first one ends the run.
    pub(crate) fn order(&self) -> (Instant, NodeId, u16) {
        (self.at, self.node, self.port)
    }
}

/// A pause that did not reach the sender that it was to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostPause {
    /// When it went out.
    pub at: Instant,
    /// Why it did not arrive: the link lost it, changed its bits, or was dead.
    pub reason: DropReason,
}

/// The headroom of one port and class, which overflowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow {
    /// When the first packet was lost.
    pub at: Instant,
    /// At which switch.
    pub node: NodeId,
    /// The port that the packets came in on.
    pub port: u16,
    /// Their class.
    pub class: Class,
    /// How many were lost.
    pub packets: u64,
    /// The pause that was lost before the first of them, where that is the cause; else the headroom is too
    /// small.
    pub lost_pause: Option<LostPause>,
}

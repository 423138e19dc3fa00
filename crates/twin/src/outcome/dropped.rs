//! Packets that were dropped, and where a recording ends.

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::drops::{DropReason, DropSpot};
use crate::packet::{FlowId, GroupId, Packet};

/// A packet that was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// Simulated time of the drop.
    pub at: Instant,
    /// The node that dropped it.
    pub node: NodeId,
    /// The port of that node. What `spot` says decides whether it receives or transmits.
    pub port: u16,
    /// Whether it was inside the node, on its way out of the port, or on a branch of the splitter there.
    pub spot: DropSpot,
    /// The reason for the drop.
    pub reason: DropReason,
    /// The packet.
    pub packet: Packet,
    /// Whose it is, as of a [`Hop`](crate::Hop).
    pub flow: Option<FlowId>,
    /// Its group, as of a [`Hop`](crate::Hop).
    pub group: Option<GroupId>,
}

/// Where a recording ends before the run, because it had too many arrivals or drops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordingCut {
    /// Everything before this time is recorded, and nothing from then on.
    pub at: Instant,
    /// Arrivals from then on.
    pub arrivals: u64,
    /// Drops from then on.
    pub drops: u64,
}

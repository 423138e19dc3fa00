//! Packets that were dropped, and why.

use lightloom_topology::electrical::NodeId;

use crate::packet::{Kind, Packet};

/// What a packet was dropped for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// A lossy queue was too long, or the buffer full.
    Buffer,
    /// The link lost it.
    Link,
    /// Its check sequence failed.
    Corrupt,
    /// The link or the next node is dead.
    Dead,
}

/// A packet that was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dropped {
    /// Where it was to go: host and queue pair.
    pub(crate) to: NodeId,
    pub(crate) qp: u32,
    pub(crate) kind: Kind,
    /// The port at which it was dropped.
    pub(crate) port: u16,
    pub(crate) reason: DropReason,
}

impl Dropped {
    pub(crate) fn new(packet: &Packet, port: u16, reason: DropReason) -> Self {
        Self { to: packet.to, qp: packet.qp, kind: packet.kind, port, reason }
    }
}

//! Packets that were dropped, and why.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;

use crate::packet::{Kind, Packet};

/// What a packet was dropped for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// A lossy queue was too long, or the buffer full.
    Buffer,
    /// The headroom of a lossless port was full.
    Headroom,
    /// The link lost it.
    Link,
    /// Its check sequence failed.
    Corrupt,
    /// The link or the next node is dead.
    Dead,
}

/// Where packets were to go that were dropped for one reason at one port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dropped {
    pub(crate) port: u16,
    pub(crate) reason: DropReason,
    /// Host and queue pair.
    pub(crate) to: NodeId,
    pub(crate) qp: u32,
    pub(crate) kind: Kind,
}

/// How many packets were dropped at a node.
#[derive(Debug, Default)]
pub(crate) struct Drops(BTreeMap<Dropped, u64>);

impl Drops {
    #[cold]
    pub(crate) fn add(&mut self, packet: &Packet, port: u16, reason: DropReason) {
        let (to, qp, kind) = (packet.to, packet.qp, packet.kind);
        let dropped = Dropped { port, reason, to, qp, kind };
        *self.0.entry(dropped).or_default() += 1;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Dropped, u64)> {
        self.0.iter().map(|(dropped, &packets)| (dropped, packets))
    }
}

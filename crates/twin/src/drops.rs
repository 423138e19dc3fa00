//! Packets that were dropped, and why; and packets counted by their flow.

use std::collections::BTreeMap;

use crate::packet::{Dest, Kind, Packet};

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
    /// No rule and no queue pair expects it where it arrived.
    Stray,
}

/// What identifies the flow of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner {
    pub(crate) to: Dest,
    pub(crate) qp: u32,
    pub(crate) kind: Kind,
    /// Of data, the message of the connection.
    pub(crate) message: u32,
}

impl Owner {
    pub(crate) fn of(packet: &Packet) -> Self {
        let message = if packet.kind == Kind::Data { packet.seen.get() } else { 0 };
        Self { to: packet.to, qp: packet.qp, kind: packet.kind, message }
    }
}

/// Packets by flow.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<Owner, u64>);

impl Tally {
    pub(crate) fn add(&mut self, packet: &Packet, packets: u64) {
        *self.0.entry(Owner::of(packet)).or_default() += packets;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Owner, u64)> {
        self.0.iter().map(|(owner, &packets)| (owner, packets))
    }
}

/// How many packets were dropped at a node, by port and reason.
#[derive(Debug, Default)]
pub(crate) struct Drops(BTreeMap<(u16, DropReason, Owner), u64>);

impl Drops {
    #[cold]
    pub(crate) fn add(&mut self, packet: &Packet, port: u16, reason: DropReason) {
        *self.0.entry((port, reason, Owner::of(packet))).or_default() += 1;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, DropReason, &Owner, u64)> {
        self.0.iter().map(|((port, reason, owner), &packets)| (*port, *reason, owner, packets))
    }
}

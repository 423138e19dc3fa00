//! Packets that were dropped, and why; and packets counted by their flow.

use std::collections::BTreeMap;

use lightloom_units::Instant;

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
    /// It has passed as many splitters as its time to live allows.
    Expired,
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

/// A number of packets and their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Amount {
    pub(crate) packets: u64,
    /// Without preamble and gap.
    pub(crate) bytes: u64,
}

impl Amount {
    /// So many copies of a packet.
    #[inline]
    pub(crate) fn of(packet: &Packet, copies: u64) -> Self {
        Self { packets: copies, bytes: copies * u64::from(packet.bytes) }
    }

    #[inline]
    pub(crate) fn add(&mut self, more: Self) {
        self.packets += more.packets;
        self.bytes += more.bytes;
    }
}

/// Packets by flow.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<Owner, Amount>);

impl Tally {
    pub(crate) fn add(&mut self, packet: &Packet, copies: u64) {
        self.0.entry(Owner::of(packet)).or_default().add(Amount::of(packet, copies));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Owner, Amount)> {
        self.0.iter().map(|(owner, &amount)| (owner, amount))
    }
}

/// Where a packet was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropSpot {
    /// At the node. The port is the one that the packet came in on.
    Inside,
    /// On its way out of the port, or before that port.
    Leaving,
    /// On a branch of the splitter at the port: its place in [`Splitter::branches`](crate::Splitter::branches).
    Branch(u32),
}

/// A recorded drop at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Drop {
    pub(crate) at: Instant,
    pub(crate) port: u16,
    pub(crate) spot: DropSpot,
    pub(crate) reason: DropReason,
    pub(crate) packet: Packet,
}

/// The packets of one message that were dropped at one place for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dropped {
    /// Number of packets.
    pub(crate) packets: u64,
    /// Their bytes, without preamble and gap.
    pub(crate) bytes: u64,
    /// When the last of them was.
    pub(crate) last: Instant,
}

impl Dropped {
    /// None so far.
    pub(crate) const NONE: Self = Self { packets: 0, bytes: 0, last: Instant::ZERO };

    /// Adds more of them.
    pub(crate) fn add(&mut self, more: Self) {
        self.packets += more.packets;
        self.bytes += more.bytes;
        self.last = self.last.max(more.last);
    }
}

/// The packets that were dropped at a node, by place and reason.
#[derive(Debug, Default)]
pub(crate) struct Drops {
    counts: BTreeMap<(u16, DropSpot, DropReason, Owner), Dropped>,
    /// Those since the last window, where they are recorded.
    recorded: Option<Vec<Drop>>,
}

impl Drops {
    #[cold]
    pub(crate) fn add(
        &mut self,
        at: Instant,
        packet: &Packet,
        (port, spot): (u16, DropSpot),
        reason: DropReason,
    ) {
        let dropped = self.counts.entry((port, spot, reason, Owner::of(packet)));
        dropped.or_insert(Dropped::NONE).add(Dropped {
            packets: 1,
            bytes: packet.bytes.into(),
            last: at,
        });
        if let Some(recorded) = &mut self.recorded {
            recorded.push(Drop { at, port, spot, reason, packet: *packet });
        }
    }

    pub(crate) fn iter(
        &self,
    ) -> impl Iterator<Item = ((u16, DropSpot), DropReason, &Owner, Dropped)> {
        let counts = self.counts.iter();
        counts.map(|((port, spot, reason, owner), &dropped)| {
            ((*port, *spot), *reason, owner, dropped)
        })
    }

    /// Records each drop from now on.
    pub(crate) fn record(&mut self) {
        self.recorded = Some(Vec::new());
    }

    /// Takes the drops that were recorded since the last time.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = Drop> {
        self.recorded.iter_mut().flat_map(|recorded| recorded.drain(..))
    }
}

//! What travels: small records, copied by value.

use std::fmt;

pub use lightloom_setup::{CLASSES, Class, FlowId, GroupId};
use lightloom_topology::electrical::NodeId;
pub use lightloom_transport::psn::Psn;

/// Where a packet goes: to a host, to a group, or no further than the next node. 32 bits, of which the
/// highest tells hosts from all others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dest(u32);

impl Dest {
    const GROUP: u32 = 1 << 31;

    /// The next node, whoever that is: where pauses go.
    pub const NEXT_NODE: Self = Self(u32::MAX);

    /// The most groups.
    pub(crate) const MOST_GROUPS: usize = (Self::GROUP - 1) as usize;

    /// To one host. A network has fewer than 2^31 nodes.
    #[inline]
    pub fn host(host: NodeId) -> Self {
        Self(host.0 & !Self::GROUP)
    }

    /// To all members of a group.
    pub fn group(group: GroupId) -> Self {
        Self(group.0 | Self::GROUP)
    }

    /// The host; none of a group and of the next node.
    #[inline]
    pub fn as_host(self) -> Option<NodeId> {
        (self.0 & Self::GROUP == 0).then_some(NodeId(self.0))
    }

    /// The group; none of a host and of the next node.
    pub fn as_group(self) -> Option<GroupId> {
        let is_group = self.0 & Self::GROUP != 0 && self != Self::NEXT_NODE;
        is_group.then_some(GroupId(self.0 & !Self::GROUP))
    }
}

impl fmt::Debug for Dest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_host(), self.as_group()) {
            (Some(host), _) => write!(f, "host {host}"),
            (_, Some(GroupId(group))) => write!(f, "group {group}"),
            _ => write!(f, "next node"),
        }
    }
}

/// What a packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Payload of a flow.
    Data,
    /// All packets before `psn` have arrived.
    Ack,
    /// The packet `psn` is missing; with selective repeat `seen` has arrived.
    Nack,
    /// Congestion was seen (DCQCN).
    Cnp,
    /// Stop sending this class for a time, or go on (IEEE 802.1Qbb).
    Pause,
    /// Switches are to enter members of a group in their tables, or to take them out. What it holds travels in
    /// an [`Envelope`](crate::Envelope).
    Register,
    /// A member is registered, or is no member any more.
    Confirm,
    /// Switches are to enter where members want a WRITE; what it holds travels as that of [`Kind::Register`].
    Address,
    /// A member's switches know where it wants a WRITE.
    Addressed,
    /// The switch below has no receivers of a group any more.
    Prune,
    /// A switch has no room for the group.
    Refuse,
    /// A switch has lost its table of a group.
    Lost,
    /// The next messages of a group are this host's.
    Go,
    /// The messages of a run have all been acknowledged.
    Done,
    /// A member is to say what it has.
    Ask,
    /// The same, and from then on it is to answer who asks and not the group.
    Detach,
    /// A member has everything before a packet.
    Have,
    /// A member is reached without the group, and leaves its tree.
    Leave,
    /// A sender asks for a message to be admitted, and goes on to say that it is there. `psn` is the rate that it has
    /// been told.
    Request,
    /// The rate at which a message may go; 0 while it waits.
    Grant,
    /// A message is over, or given up.
    Release,
    /// The controller has heard so.
    Released,
}

/// The explicit congestion notification of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ecn {
    /// It may be marked.
    Capable,
    /// It was marked.
    Marked,
    /// It is never marked.
    Not,
}

/// A packet: with the time at which it arrives, half of a cache line. Where it goes, the queue pair there and
/// the message identify the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    /// Where it goes.
    pub to: Dest,
    /// The queue pair at that host; of a packet to a group, the host that sends it.
    pub qp: u32,
    /// The sequence number that it carries, acknowledges or asks for; of a pause, its time in quanta.
    pub psn: Psn,
    /// With selective repeat, what a negative acknowledgement has seen. Of data, the message: its place on the
    /// connection or among all to the group, modulo 2^24.
    pub seen: Psn,
    /// On the wire from the first bit of the Ethernet header to the last of the check sequence.
    pub bytes: u16,
    /// Chooses among equal ways.
    pub entropy: u16,
    /// The port that it arrives on.
    pub(crate) port: u16,
    /// What it is.
    pub kind: Kind,
    /// Whether congestion was seen.
    pub ecn: Ecn,
    /// Its priority; of a pause, the class to stop.
    pub class: Class,
    /// What has happened to it so far.
    pub life: Life,
}

/// What has happened to a packet so far: whether its bits were changed on the way, and how many splitters it has
/// passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Life(u8);

impl Life {
    const CORRUPT: u8 = 1 << 7;

    /// The most splitters that are counted.
    pub(crate) const MOST: u8 = Self::CORRUPT - 1;

    /// A packet that has just been sent, and may be damaged already.
    pub fn new(is_corrupt: bool) -> Self {
        Self(if is_corrupt { Self::CORRUPT } else { 0 })
    }

    /// Whether bits were changed on the way, so that check sequences fail.
    #[inline]
    pub fn is_corrupt(self) -> bool {
        self.0 & Self::CORRUPT != 0
    }

    /// The splitters that it has passed, at most 127.
    #[inline]
    pub fn splitters(self) -> u8 {
        self.0 & Self::MOST
    }

    /// The same after one more way, on which bits may have been changed.
    #[inline]
    pub(crate) fn damaged(self, is_corrupt: bool) -> Self {
        Self(self.0 | Self::new(is_corrupt).0)
    }

    /// The same after one more splitter.
    #[inline]
    pub(crate) fn split(self) -> Self {
        if self.splitters() == Self::MOST { self } else { Self(self.0 + 1) }
    }
}

impl Packet {
    /// Whether its bits were changed on the way, so that its check sequences fail.
    #[inline]
    pub fn is_corrupt(&self) -> bool {
        self.life.is_corrupt()
    }

    /// A packet of control from here on: an answer, or what nodes tell each other.
    pub(crate) fn control(
        (to, qp): (Dest, u32),
        kind: Kind,
        (psn, seen): (Psn, Psn),
        bytes: u16,
    ) -> Self {
        Self {
            to,
            qp,
            psn,
            seen,
            bytes,
            entropy: 0,
            port: 0,
            kind,
            ecn: Ecn::Not,
            class: Class::CONTROL,
            life: Life::default(),
        }
    }

    /// Tells the other end of a link to stop a class for a number of quanta; 0 lets it go on.
    pub(crate) fn pause(class: Class, quanta: u32, bytes: u16) -> Self {
        let (next, numbers) = ((Dest::NEXT_NODE, 0), (Psn::new(quanta), Psn::new(0)));
        Self { class, ..Self::control(next, Kind::Pause, numbers, bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_told_apart() {
        for number in [0, 1, 1 << 20, (1 << 31) - 1] {
            assert_eq!(Dest::host(NodeId(number)).as_host(), Some(NodeId(number)));
            assert_eq!(Dest::host(NodeId(number)).as_group(), None);
        }
        for number in [0, 7, (1 << 31) - 2] {
            assert_eq!(Dest::group(GroupId(number)).as_group(), Some(GroupId(number)));
            assert_eq!(Dest::group(GroupId(number)).as_host(), None);
        }
        assert_eq!((Dest::NEXT_NODE.as_host(), Dest::NEXT_NODE.as_group()), (None, None));
    }

    #[test]
    fn splitters_are_counted_beside_wrong_bits() {
        let mut life = Life::default();
        for passed in 0..200_u8 {
            assert_eq!((life.splitters(), life.is_corrupt()), (passed.min(127), false));
            assert!(life.damaged(true).is_corrupt() && !life.damaged(false).is_corrupt());
            assert_eq!(life.damaged(true).splitters(), life.splitters());
            life = life.split();
        }
        assert!(Life::new(true).split().is_corrupt());
    }

    #[test]
    fn a_packet_is_small() {
        assert_eq!(size_of::<Packet>(), 24);
    }
}

//! Causes of drops, classes of traffic and kinds of packets, as reports and files write them.

use lightloom_twin::{Class, DropReason, Ecn, Kind};
use lightloom_units::named_enum;
use schemars::JsonSchema;

named_enum! {
    /// Reason of a drop: the twin's [`DropReason`] as written in reports and files.
    #[derive(JsonSchema)]
    pub enum DropCause {
        /// A lossy queue was too long, or the buffer was full.
        Buffer = "buffer",
        /// The headroom of a lossless port was full.
        Headroom = "headroom",
        /// The link lost it.
        Link = "link",
        /// Its check sequence failed.
        Corrupt = "corrupt",
        /// The link or the next node is dead.
        Dead = "dead",
        /// A copy for a group without a rule for it, or at a host that expects none.
        Stray = "stray",
        /// It had passed as many splitters as its time to live allows.
        Expired = "expired",
    }
}

impl From<DropReason> for DropCause {
    fn from(reason: DropReason) -> Self {
        match reason {
            DropReason::Buffer => Self::Buffer,
            DropReason::Headroom => Self::Headroom,
            DropReason::Link => Self::Link,
            DropReason::Corrupt => Self::Corrupt,
            DropReason::Dead => Self::Dead,
            DropReason::Stray => Self::Stray,
            DropReason::Expired => Self::Expired,
        }
    }
}

named_enum! {
    /// Traffic classes: the twin's [`Class`] as written in reports and files.
    #[derive(JsonSchema)]
    pub enum TrafficClass {
        /// Packets are paused, not dropped.
        Lossless = "lossless",
        /// Packets are dropped if queues are full.
        Lossy = "lossy",
    }
}

impl From<Class> for TrafficClass {
    fn from(class: Class) -> Self {
        if class == Class::LOSSY { Self::Lossy } else { Self::Lossless }
    }
}

named_enum! {
    /// Kinds of packets: the twin's [`Kind`] as written in reports and files.
    #[derive(JsonSchema)]
    pub enum PacketKind {
        /// Payload of a message.
        Data = "data",
        /// Acknowledgement.
        Ack = "ack",
        /// Negative acknowledgement.
        Nack = "nack",
        /// Congestion notification (DCQCN).
        Cnp = "cnp",
        /// Pause of a class (PFC).
        Pause = "pause",
        /// Registration of members at switches.
        Register = "register",
        /// Confirmation of a registration.
        Confirm = "confirm",
        /// Addresses of members for WRITE at switches.
        Address = "address",
        /// Confirmation of an address.
        Addressed = "addressed",
        /// A switch has no receivers below it any more.
        Prune = "prune",
        /// A switch has no room for a group.
        Refuse = "refuse",
        /// A switch has lost its table of a group.
        Lost = "lost",
        /// The next messages of a group are this host's.
        Go = "go",
        /// The messages of a run are acknowledged.
        Done = "done",
        /// A member is to say what it has.
        Ask = "ask",
        /// A member is to say what it has, and to answer who asks.
        Detach = "detach",
        /// A member has everything before a packet.
        Have = "have",
        /// A member leaves the tree of its group.
        Leave = "leave",
        /// Request to admit a message.
        Request = "request",
        /// Admission of a message.
        Grant = "grant",
        /// A message is over.
        Release = "release",
        /// The controller knows that a message is over.
        Released = "released",
    }
}

impl From<Kind> for PacketKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Data => Self::Data,
            Kind::Ack => Self::Ack,
            Kind::Nack => Self::Nack,
            Kind::Cnp => Self::Cnp,
            Kind::Pause => Self::Pause,
            Kind::Register => Self::Register,
            Kind::Confirm => Self::Confirm,
            Kind::Address => Self::Address,
            Kind::Addressed => Self::Addressed,
            Kind::Prune => Self::Prune,
            Kind::Refuse => Self::Refuse,
            Kind::Lost => Self::Lost,
            Kind::Go => Self::Go,
            Kind::Done => Self::Done,
            Kind::Ask => Self::Ask,
            Kind::Detach => Self::Detach,
            Kind::Have => Self::Have,
            Kind::Leave => Self::Leave,
            Kind::Request => Self::Request,
            Kind::Grant => Self::Grant,
            Kind::Release => Self::Release,
            Kind::Released => Self::Released,
        }
    }
}

named_enum! {
    /// Congestion marks: the twin's [`Ecn`] as written in reports and files.
    #[derive(JsonSchema)]
    pub enum Mark {
        /// The packet may be marked.
        Capable = "capable",
        /// The packet was marked.
        Marked = "marked",
        /// The packet is never marked.
        Not = "not",
    }
}

impl From<Ecn> for Mark {
    fn from(ecn: Ecn) -> Self {
        match ecn {
            Ecn::Capable => Self::Capable,
            Ecn::Marked => Self::Marked,
            Ecn::Not => Self::Not,
        }
    }
}

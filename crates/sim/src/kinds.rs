//! Causes of drops, classes of traffic and kinds of packets, as reports and files write them.

use lightloom_twin::{Class, DropReason, Ecn, Kind};
use lightloom_units::named_enum;
use schemars::JsonSchema;

/// An enumeration of the twin with its words in reports and files. Variants have the same names.
macro_rules! words_of {
    (
        $(#[$about:meta])*
        pub enum $name:ident of $twins:ident {
            $($(#[doc = $meaning:literal])+ $variant:ident = $word:literal,)+
        }
    ) => {
        named_enum! {
            $(#[$about])*
            #[derive(JsonSchema)]
            pub enum $name {
                $($(#[doc = $meaning])+ $variant = $word,)+
            }
        }

        impl From<$twins> for $name {
            fn from(one: $twins) -> Self {
                match one {
                    $($twins::$variant => Self::$variant,)+
                }
            }
        }
    };
}

words_of! {
    /// Reason of a drop: the twin's [`DropReason`] as written in reports and files.
    pub enum DropCause of DropReason {
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

words_of! {
    /// Kinds of packets: the twin's [`Kind`] as written in reports and files.
    pub enum PacketKind of Kind {
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

words_of! {
    /// Congestion marks: the twin's [`Ecn`] as written in reports and files.
    pub enum Mark of Ecn {
        /// The packet may be marked.
        Capable = "capable",
        /// The packet was marked.
        Marked = "marked",
        /// The packet is never marked.
        Not = "not",
    }
}

//! Causes of drops and classes of traffic, as reports and files write them.

use lightloom_twin::{Class, DropReason};
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

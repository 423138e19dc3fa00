//! Registrations of groups that a switch did not take.

use lightloom_topology::electrical::NodeId;

use crate::packet::GroupId;

/// A registration that a switch did not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The group.
    pub group: GroupId,
    /// The switch.
    pub switch: NodeId,
    /// Why.
    pub why: RefusalReason,
}

/// Why a switch did not take a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalReason {
    /// The group needs more ports than a group may use.
    FanOut {
        /// Ports that it needs.
        ports: usize,
        /// Ports that a group may use.
        most: u16,
    },
    /// All groups together need more memory than the switch has for them.
    Memory {
        /// Bytes that they need.
        bytes: u64,
        /// Bytes that the switch has.
        most: u64,
    },
    /// The ways of unicast from the leader meet at the switch again.
    TwoWays,
}

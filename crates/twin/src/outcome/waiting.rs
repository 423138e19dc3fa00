//! What messages wait for where a run stands still.

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::packet::{FlowId, Psn};

/// A message that has begun and does not get on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its number: messages to groups follow all flows.
    pub message: FlowId,
    /// What it waits for.
    pub what: WaitsFor,
}

/// What a message waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitsFor {
    /// The acknowledgement of this packet.
    Acknowledgement(Psn),
    /// The registration of its group, which these hosts have not confirmed.
    Confirmation {
        /// The hosts.
        hosts: Vec<NodeId>,
        /// When registration began.
        since: Instant,
    },
    /// Its sender, which the leader of the group has told to go.
    Turn,
}

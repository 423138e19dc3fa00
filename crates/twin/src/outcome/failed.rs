//! A message that ended without being complete.

use lightloom_topology::electrical::NodeId;
use lightloom_transport::sender::QueuePairError;

use crate::packet::FlowId;

/// A message that ended because its queue pair went to the error state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedMessage {
    /// Its number: messages to groups follow all flows.
    pub message: FlowId,
    /// The member for which its sender had a connection beside the group; none for that of the flow or of the group.
    pub to: Option<NodeId>,
    /// How it ended.
    pub how: Completion,
    /// The error of the queue pair.
    pub error: QueuePairError,
}

/// How a message ended that was not completed, as the verbs of RDMA name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Its packets were repeated as often as they may, and not acknowledged.
    RetriesExceeded,
    /// An earlier message of the same queue pair or group exceeded its retries.
    Flushed,
}

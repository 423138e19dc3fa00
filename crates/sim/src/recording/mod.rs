//! A recorded run, in a form that a drawing can use: places, ways, packets, and what happened to them by time.

mod collect;
pub mod look;
pub mod network;
pub mod waits;

use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kinds::{DropCause, Mark, PacketKind};
use crate::recording::network::DrawnNetwork;

/// The recorded arrivals and drops of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordingReport {
    /// The network.
    pub network: DrawnNetwork,
    /// Flows between two hosts, then messages to groups, by number.
    pub messages: Vec<RecordedMessage>,
    /// Names of groups by number.
    pub groups: Vec<String>,
    /// Packets in the order of their first event. Copies and repetitions of a packet are one packet.
    pub packets: Vec<RecordedPacket>,
    /// Arrivals by time, node and port.
    pub hops: Vec<RecordedHop>,
    /// Drops by time, node and port.
    pub drops: Vec<RecordedDrop>,
    /// Longest time that a packet was on a way, in picoseconds.
    pub longest_ps: u64,
    /// Everything before this simulated time is recorded, in picoseconds.
    pub until_ps: u64,
    /// What happened later. `None`: the recording has the whole run.
    pub cut: Option<LeftOut>,
}

/// What a recording does not have because it would be too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// Number of arrivals.
    pub hops: u64,
    /// Number of drops.
    pub drops: u64,
}

/// A flow, or a message to a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedMessage {
    /// Number of the host that sends.
    pub from: u32,
    /// Number of the host that receives. `None`: a group.
    pub to: Option<u32>,
    /// Number of the group. `None`: one host.
    pub group: Option<u32>,
    /// Payload in bytes.
    pub bytes: u64,
}

/// A packet with all its copies and repetitions. A pause is a packet of its own at every arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedPacket {
    /// What it is.
    pub kind: PacketKind,
    /// Number of its flow or message. `None`: a pause, or control of a group.
    pub flow: Option<u32>,
    /// Number of its group. `None`: it belongs to none.
    pub group: Option<u32>,
    /// Sequence number that it carries, acknowledges or asks for. Of a pause, its time in quanta.
    pub psn: u32,
}

/// A packet that went over a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedHop {
    /// Time when its first bit left the transmitter, in picoseconds.
    pub left_ps: u64,
    /// Time when the node at the end of the way acts on it, in picoseconds.
    pub at_ps: u64,
    /// Index of the way.
    pub way: u32,
    /// Index of the packet.
    pub packet: u32,
    /// Number of bytes on the wire.
    pub bytes: u16,
    /// Congestion mark.
    pub ecn: Mark,
    /// Whether its bits were changed on the way.
    pub corrupt: bool,
    /// Whether its way was dead when it arrived, so that the node did not have it.
    pub lost: bool,
}

named_enum! {
    /// Where a packet was dropped.
    #[derive(JsonSchema)]
    pub enum DropPlace {
        /// At the node, after it came in.
        Node = "node",
        /// At the node, on the way out of the port.
        Port = "port",
        /// On a link or branch.
        Way = "way",
    }
}

/// A packet that was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedDrop {
    /// Time in picoseconds. Of a packet that was lost on a way, the time when it left.
    pub at_ps: u64,
    /// Number of the node that dropped it, or from which it was sent.
    pub node: u32,
    /// Number of the port that it came in on if it was dropped at the node, else of the port that it was to leave by.
    pub port: u16,
    /// Where it was dropped.
    pub place: DropPlace,
    /// Index of the way that it came over if it was dropped at the node, else of the way that it was to take. `None`:
    /// it was to go into a splitter.
    pub way: Option<u32>,
    /// Index of the packet.
    pub packet: u32,
    /// The reason.
    pub reason: DropCause,
}

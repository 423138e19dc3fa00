//! What came of a run, and whether every packet is accounted for.

mod answers;
mod causes;
pub(crate) mod collect;
mod copies;
mod dropped;
mod ends;
mod errors;
mod failed;
mod lacking;
mod links;
mod owners;
mod receivers;
mod recorded;
mod standstill;
mod waiting;

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_setup::Cast;
use lightloom_topology::electrical::NodeId;
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::claims::CheckedAnswers;
use crate::drops::DropReason;
use crate::engine::End;
use crate::envelope::Envelope;
use crate::overflow::{FatalOverflow, Overflow};
use crate::packet::{FlowId, GroupId, Packet};
use crate::refusal::Refusal;
use crate::simulation::Way;
pub use causes::Causes;
pub use dropped::{Dropped, RecordingCut};
pub use failed::{Completion, FailedMessage};
pub use waiting::{Waiting, WaitsFor};

/// What came of one flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowOutcome {
    /// When the sending application asked for it; none of a message that waits for another to hand on.
    pub asked: Option<Instant>,
    /// When the receiving application had all of it.
    pub received: Option<Instant>,
    /// When the sender knew.
    pub acknowledged: Option<Instant>,
    /// Packets that went out, repetitions included.
    pub sent: u64,
    /// Packets that were repeated.
    pub repeated: u64,
    /// Of those, packets that were repeated after a timeout; the others were reported missing.
    pub repeated_late: u64,
    /// Packets that were made of others on the way, by splitters and switches.
    pub copied: u64,
    /// Packets that reached the receiver, copies included.
    pub delivered: u64,
    /// Packets that a switch did not hand on, on purpose.
    pub absorbed: u64,
    /// Packets that were dropped.
    pub dropped: u64,
    /// Packets that were under way at the end.
    pub in_flight: u64,
    /// Packets that arrived again though the receiver had them: they were repeated in vain.
    pub spurious: u64,
    /// Acknowledgements and notifications that were dropped.
    pub answers_dropped: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// Payload that the receiver had in order, in bytes; 0 of a message to a group, whose receivers each have it.
    pub in_order: u64,
    /// Bytes of its packets.
    pub bytes: FlowBytes,
}

/// Bytes of the data packets of a flow or of a message to a group, from the first of the Ethernet header to the last of
/// the check sequence. What announces addresses is data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowBytes {
    /// Of all packets of the message, each once.
    pub asked: u64,
    /// Of packets that its sender sent for the first time.
    pub first: u64,
    /// Of all packets that went out, repetitions included.
    pub sent: u64,
    /// Of packets that were made of others on the way.
    pub copied: u64,
    /// Of packets that reached a receiver.
    pub delivered: u64,
    /// Of packets that a switch did not hand on, on purpose.
    pub absorbed: u64,
    /// Of packets that were dropped.
    pub dropped: u64,
    /// Of packets that were under way at the end.
    pub in_flight: u64,
}

impl FlowOutcome {
    /// Whether the receiving application has all of it, and the sender does not know.
    pub fn is_unacknowledged(&self) -> bool {
        self.received.is_some() && self.acknowledged.is_none()
    }

    /// Whether all of a message of datagrams has gone out, and nothing of it is under way.
    pub fn is_out(&self, cast: &Cast, mtu: u16) -> bool {
        let packets = cast.size.as_bytes().div_ceil(mtu.into()).max(1);
        self.sent == packets && self.in_flight == 0
    }
}

/// What came of a message to a group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CastOutcome {
    /// All copies together; received when the last member had all of it.
    pub all: FlowOutcome,
    /// Each member of the group but the sender, in its order.
    pub receivers: Vec<ReceiverOutcome>,
    /// How it was admitted; none where it needed not be, or its sender never asked.
    pub admission: Option<Admitted>,
}

/// What came of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ComputationOutcome {
    /// When it began.
    pub began: Option<Instant>,
    /// When it ended.
    pub ended: Option<Instant>,
}

/// How a message was admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Admitted {
    /// When its sender asked the controller.
    pub asked: Option<Instant>,
    /// When it knew that the message may go.
    pub granted: Option<Instant>,
    /// When the message was over: acknowledged, drained or given up.
    pub over: Option<Instant>,
    /// With turns, the message after which it got its turn, or that it waits for: its place among all to groups.
    pub waited_for: Option<u32>,
    /// The rate that it was first granted.
    pub rate: Option<BitRate>,
    /// The least that it was granted.
    pub least: Option<BitRate>,
}

/// Packets of a message to a group over one link or branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CastCopies {
    /// The message, by its place in [`Multicast::casts`](crate::Multicast::casts).
    pub cast: usize,
    /// The direction of a link, or the branch.
    pub way: Way,
    /// Packets that arrived over it, repetitions included. Those that were lost on it are not.
    pub copies: u64,
}

/// What came of a reliable group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupOutcome {
    /// How far it came; none of a group of datagrams, and where nothing is sent.
    pub standing: Option<Standing>,
    /// How long switches and members took to register, over all runs of messages.
    pub registration: Span,
    /// Members that were reached without the group, over all runs of messages.
    pub fell_back: u64,
    /// Of those, members that never answered.
    pub cut_off: u64,
    /// Acknowledgements that reached a sender.
    pub acks: u64,
    /// Negative acknowledgements that did.
    pub nacks: u64,
    /// Congestion notifications that did.
    pub notifications: u64,
    /// Answers that came in at switches, over all hops.
    pub answers_in: u64,
    /// Answers that switches sent on or made of others.
    pub answers_out: u64,
}

/// What an accelerator beside a switch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AcceleratorOutcome {
    /// Packets that it took: data, answers and registrations.
    pub packets: u64,
    /// Packets that it sent back.
    pub copies: u64,
    /// How long it sent, at its whole rate.
    pub sending: Span,
    /// The most bytes of one kind, data or answers, that waited for it in its switch.
    pub most_waiting: DataSize,
}

/// How far the leader of a reliable group has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has not begun, or waits for confirmations.
    Registering,
    /// A sender has its turn.
    Sending,
    /// Every message has ended: each of its receivers has acknowledged all of it, over the group or over a connection
    /// of its own ([`GroupOutcome::fell_back`] counts the latter).
    Over,
    /// Every message has ended, but some receivers never answered. [`GroupOutcome::cut_off`] counts them. What they
    /// lack is not sent again. All others have acknowledged everything.
    CutOff,
    /// A switch had no room, a member never confirmed, or the queue pair of a sender is in the error state.
    Failed,
}

/// What a member of a group got of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiverOutcome {
    /// The member.
    pub host: NodeId,
    /// When its application had all of it.
    pub received: Option<Instant>,
    /// Packets that arrived, copies included.
    pub delivered: u64,
    /// Their bytes, as of a link.
    pub delivered_bytes: u64,
    /// Of those, packets that had arrived before.
    pub spurious: u64,
    /// Payload that it had in order, in bytes; of datagrams, in any order.
    pub in_order: u64,
    /// Of datagrams: when the last of this payload arrived.
    pub last: Option<Instant>,
    /// Of datagrams that it lacks: why, as numbers of packets. None where that is not known: the rules for the sender
    /// change while the message is under way, a switch begins anew, or a lossless buffer overflowed on the way.
    pub causes: Option<Causes>,
}

/// What went over one direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkOutcome {
    /// The node that transmits.
    pub from: NodeId,
    /// Its port.
    pub port: u16,
    /// Packets put on the wire.
    pub sent: u64,
    /// Their bytes, from the first of the Ethernet header to the last of the check sequence.
    pub sent_bytes: u64,
    /// Of those packets, lost on it.
    pub lost: u64,
    /// Of those, arrived.
    pub received: u64,
    /// Of those, on it at the end.
    pub in_flight: u64,
    /// Packets marked in the queue before it.
    pub marked: u64,
    /// Pauses sent over it.
    pub pauses: u64,
    /// The longest queue before it, in bytes.
    pub most_queued: u32,
    /// How long the other end had paused it.
    pub paused: Span,
}

/// What went into a splitter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitterOutcome {
    /// Packets that its transmitter sent.
    pub sent: u64,
    /// Their bytes, as of a link.
    pub sent_bytes: u64,
    /// The longest queue before it, in bytes.
    pub most_queued: u32,
    /// What went over each branch.
    pub branches: Vec<BranchOutcome>,
}

/// What went over a branch of a splitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchOutcome {
    /// The switch that receives.
    pub to: NodeId,
    /// Copies lost on it.
    pub lost: u64,
    /// Copies that arrived.
    pub received: u64,
    /// Copies on it at the end.
    pub in_flight: u64,
}

/// A packet that arrived at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// Simulated time of the arrival.
    pub at: Instant,
    /// The node that it reached.
    pub node: NodeId,
    /// The receiving port; those of splitters come after those of links.
    pub port: u16,
    /// The packet.
    pub packet: Packet,
    /// Whether its way was dead when it would have arrived, so that the node did not have it.
    pub is_lost: bool,
    /// Whose it is; none of a pause, nor of answers and control of a reliable group.
    pub flow: Option<FlowId>,
    /// The group that it goes to, or whose endpoint at a host it goes to.
    pub group: Option<GroupId>,
}

/// A sum that does not come out even: a fault of the twin itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unbalanced {
    /// Packets of a flow appeared or vanished.
    Flow(usize),
    /// Packets of a message to a group did.
    Cast(usize),
    /// Packets on a link did.
    Link(NodeId, u16),
    /// Copies on a splitter did.
    Splitter(usize),
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The simulated time that was reached.
    pub reached: Instant,
    /// How the run ended.
    pub end: End,
    /// The overflow that ended it, where one did.
    pub fatal: Option<FatalOverflow>,
    /// Headroom that overflowed, by time, node and port.
    pub overflows: Vec<Overflow>,
    /// Each flow, in order.
    pub flows: Vec<FlowOutcome>,
    /// Each message to a group, in order.
    pub casts: Vec<CastOutcome>,
    /// Each computation, in order.
    pub computations: Vec<ComputationOutcome>,
    /// Messages that ended in errors of their queue pairs, by number and member.
    pub errors: Vec<FailedMessage>,
    /// Messages and computations that never started because a message failed that they wait for, each with what it
    /// waits for, by number.
    pub never: Vec<(FlowId, FlowId)>,
    /// Where the run stands still: messages that have begun and do not get on, by number.
    pub waiting: Vec<Waiting>,
    /// Where the run stands still: when something last arrived in order at each host, or went out for the first time.
    pub last_progress: BTreeMap<NodeId, Instant>,
    /// Each group, in order.
    pub groups: Vec<GroupOutcome>,
    /// Registrations that switches did not take, the first of each group at each switch, by group and switch.
    pub refusals: Vec<Refusal>,
    /// Hosts that have not confirmed a registration that was given up, or that is tried at the end, by group.
    pub unconfirmed: Vec<(GroupId, NodeId)>,
    /// Members that were reached without their group, and answered no more, by group.
    pub cut_off: Vec<(GroupId, NodeId)>,
    /// The most that the tables of reliable groups took at each switch that had any, in bytes.
    pub tables: Vec<(NodeId, u64)>,
    /// What each accelerator did, by its switch.
    pub accelerators: Vec<(NodeId, AcceleratorOutcome)>,
    /// Each direction of each link, by node and port.
    pub links: Vec<LinkOutcome>,
    /// Each splitter, in order.
    pub splitters: Vec<SplitterOutcome>,
    /// Drops by place and reason.
    pub drops: BTreeMap<(NodeId, u16, DropReason), u64>,
    /// Payload that arrived in order, by interval, over all hosts.
    pub goodput: Vec<u64>,
    /// The same for each flow, where it was asked for; empty else.
    pub flow_goodput: Vec<Vec<u64>>,
    /// The same for each receiver of each message to a group, by the place of the message in
    /// [`Multicast::casts`](crate::Multicast::casts).
    pub receiver_goodput: BTreeMap<(usize, NodeId), Vec<u64>>,
    /// Arrivals and timers.
    pub events: u64,
    /// Data packets times the links and branches that they crossed.
    pub data_hops: u64,
    /// All other packets times links and branches.
    pub control_hops: u64,
    /// Congestion notifications.
    pub notifications: u64,
    /// Ports whose packets wait at the end because the next switch has paused them, with the bytes.
    pub paused: Vec<(NodeId, u16, u64)>,
    /// Rings of ports that have paused each other for ever, each in the order in which its ports wait: for the
    /// next one, and the last for the first. With the lossless bytes that wait at each.
    pub rings: Vec<Vec<(NodeId, u16, u64)>>,
    /// All ports that are paused for ever: those of rings, and those that wait for one.
    pub stuck: Vec<(NodeId, u16, u64)>,
    /// The recorded arrivals, by time, node and port: all, those at watched ports, or those of a recording.
    pub trace: Vec<Hop>,
    /// The recorded drops, by time, node, port and place.
    pub dropped: Vec<Dropped>,
    /// Where the recording ends before the run.
    pub cut: Option<RecordingCut>,
    /// Copies by message, receiving node and port, if [counted](crate::Simulation::count_copies).
    pub copies: Vec<CastCopies>,
    /// What recorded registration packets to groups hold, by the node that transmitted them and [`Packet::qp`].
    pub registrations: BTreeMap<(NodeId, u32), Arc<Envelope>>,
    /// Answers of reliable groups that were held against what receivers had; none where that was not asked for
    /// ([`Simulation::check_answers`](crate::Simulation::check_answers)).
    pub answers: Option<CheckedAnswers>,
    /// Sums that do not come out even; empty unless the twin itself is wrong.
    pub unbalanced: Vec<Unbalanced>,
}

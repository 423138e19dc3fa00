//! One-way splitters, groups of hosts, and what switches do with packets to a group, as they are asked for.

use lightloom_topology::electrical::NodeId;
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::packet::{Class, GroupId};

/// Everything that is sent to more than one receiver at once. Empty by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Multicast {
    /// One-way splitters.
    pub splitters: Vec<Splitter>,
    /// Splitters, or branches of them, that are dead for a while.
    pub dead: Vec<DeadSplitter>,
    /// Groups by number: [`GroupId`] 0 is the first.
    pub groups: Vec<Group>,
    /// What switches do with packets to groups; at most one rule for a switch and a group.
    pub rules: Vec<Rule>,
    /// What several copies of a packet that wait in one switch take of its buffer.
    pub buffering: Buffering,
    /// Messages to groups.
    pub casts: Vec<Cast>,
}

/// One transmitter whose light reaches several receivers. Nothing comes back on it.
///
/// It adds a port to the switch that transmits and one to each switch that receives. These ports are numbered
/// after the links of a node, in the order of the splitters and their branches.
#[derive(Debug, Clone, PartialEq)]
pub struct Splitter {
    /// The switch that transmits.
    pub from: NodeId,
    /// Line rate, not 0.
    pub rate: BitRate,
    /// The receivers, at least one.
    pub branches: Vec<Branch>,
}

/// The way from a splitter's transmitter to one receiver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Branch {
    /// The switch that receives.
    pub to: NodeId,
    /// Propagation delay, not 0.
    pub delay: Span,
    /// Random loss on this branch alone.
    pub loss: Option<BranchLoss>,
}

/// Random loss on one branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BranchLoss {
    /// Share of packets lost, 0 to 1.
    pub rate: f64,
    /// Packets lost at once: 1 where losses are independent.
    pub burst: u32,
    /// Whether lost packets still travel, with wrong bits, until somebody checks them.
    pub corrupt: bool,
}

/// A splitter, or one branch of it, that is dead for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeadSplitter {
    /// The place of the splitter in [`Multicast::splitters`].
    pub splitter: u32,
    /// The place of the branch; none for all of them.
    pub branch: Option<u32>,
    /// From when.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
}

/// Hosts that receive together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its members, each once.
    pub members: Vec<NodeId>,
}

/// A way into a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayIn {
    /// The two-way link at a port.
    Link(u16),
    /// The branch of a splitter, by the splitter's place in [`Multicast::splitters`].
    Splitter(u32),
}

/// A way out of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayOut {
    /// The two-way link at a port.
    Link(u16),
    /// A splitter that the switch transmits into, by its place in [`Multicast::splitters`].
    Splitter(u32),
}

/// What a switch changes in a copy before it sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewrite {
    /// Nothing.
    Keep,
    /// From here on the copy is for one host and not for the group.
    ToHost(NodeId),
}

/// What a switch does with packets to a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The switch.
    pub at: NodeId,
    /// The group.
    pub group: GroupId,
    /// The only way in that is taken: copies that come in elsewhere are absorbed. None takes all.
    pub accept: Option<WayIn>,
    /// Where copies go out. A packet without a way out is absorbed.
    pub ways: Vec<(WayOut, Rewrite)>,
}

/// What several copies of a packet that wait in one switch take of its buffer, and what its ingress port is
/// charged for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Buffering {
    /// One body that all copies refer to: charged once, until the last copy has left.
    #[default]
    Shared,
    /// Each copy is charged for itself.
    Copies,
}

/// A message to a group, in datagrams: nothing is acknowledged or sent again. Its number as a
/// [`FlowId`](crate::FlowId) follows those of all flows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// Who sends; it need not be a member.
    pub from: NodeId,
    /// The group.
    pub to: GroupId,
    /// How much.
    pub size: DataSize,
    /// When the application asks for it.
    pub start: Instant,
    /// Its priority.
    pub class: Class,
}

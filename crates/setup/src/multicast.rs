//! One-way splitters, groups of hosts, and what switches do with packets to a group, as they are asked for.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_transport::admission::Policy;
use lightloom_units::{BitRate, DataSize, Instant, Span};

use lightloom_transport::messages::FlowId;

use crate::class::Class;
use crate::params::RETH;

/// A group's number: its place in [`Multicast::groups`](crate::Multicast::groups).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// Everything that is sent to more than one receiver at once. Empty by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Multicast {
    /// One-way splitters.
    pub splitters: Vec<Splitter>,
    /// Splitters, or branches of them, that are dead for a while.
    pub dead: Vec<DeadSplitter>,
    /// Groups by number: [`GroupId`] 0 is the first.
    pub groups: Vec<Group>,
    /// What switches do with packets to groups of datagrams; at most one rule for a switch, a group and a source.
    pub rules: Vec<Rule>,
    /// Messages to groups. Those to one group go out in the order of their starts, and of equal starts in that of the
    /// list.
    pub casts: Vec<Cast>,
    /// Changes of what switches do, while data flow.
    pub updates: Vec<Update>,
    /// From when groups of datagrams may be sent to: their switches have the rules, and the sender knows. A message
    /// that is asked for before waits. Others may from the start.
    pub opens: BTreeMap<GroupId, Instant>,
    /// Who admits messages over splitters. None: each goes when it is asked for.
    pub admission: Option<Admission>,
    /// The time to live of packets to groups, at least 1: every transmission into a splitter lowers it by one, and a
    /// packet with 1 is not transmitted. None: packets live as long as rules lead them on.
    pub time_to_live: Option<u32>,
}

/// Who admits messages over splitters, and how. Others go when they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    /// The host that decides. Senders reach it over links.
    pub controller: NodeId,
    /// How messages that share a transmitter are admitted.
    pub policy: Policy,
}

/// A change of what a switch does with packets to a group, at a time.
///
/// What arrives at that time, and what a port sends then, is still under the old rules. Of several changes of one
/// time the later in the list comes later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// Simulated time of the change.
    pub at: Instant,
    /// What changes.
    pub what: Updated,
}

/// What an update changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Updated {
    /// This rule takes the place of that for its switch, group and source. Without ways packets are absorbed.
    Rule(Rule),
    /// A switch takes the light of one sender to a reliable group elsewhere, or sends it elsewhere. It stands above
    /// what a registration says, also above a later one.
    Light {
        /// The group.
        group: GroupId,
        /// The host that sends.
        source: NodeId,
        /// What the switch does from then on.
        stop: LightStop,
    },
    /// All switches of a reliable group take the data of one sender to another stand-in, or to none
    /// ([`LightTree::stand_in`]). It stands above what a registration says, also above a later one.
    StandIn {
        /// The group.
        group: GroupId,
        /// The host that sends.
        source: NodeId,
        /// The switch that lights the tree for it from then on.
        stand_in: Option<NodeId>,
    },
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
    /// Random loss at the transmitter: a packet that it takes is lost on all branches together.
    pub loss: Option<BranchLoss>,
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

/// Random loss on one branch, or at a transmitter for all its branches together.
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
    /// Simulated time at which it dies.
    pub from: Instant,
    /// Simulated time from which it works again.
    pub to: Instant,
}

/// Hosts that receive together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its members, each once.
    pub members: Vec<NodeId>,
    /// How messages reach them.
    pub service: Service,
}

/// How messages to a group reach its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Service {
    /// In datagrams, along [`Multicast::rules`]: nothing is answered or sent again.
    Datagrams,
    /// Over one reliable connection, whose answers switches aggregate. Its messages go out one after the other,
    /// in the order of their starts. Any member may send.
    Reliable(Reliable),
}

/// A group with one reliable connection (Cepheus, HPCA 2024).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reliable {
    /// The host that registers the group with the switches. It is a member.
    pub leader: NodeId,
    /// When it begins to.
    pub start: Instant,
    /// The protocol of the switches.
    pub dialect: Dialect,
    /// What its messages are.
    pub verb: GroupVerb,
    /// What data go over.
    pub data: Data,
    /// Hosts that join or leave, by time. A change holds from the next message on.
    pub changes: Vec<Change>,
}

/// What the messages to a group are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GroupVerb {
    /// SEND: the receiver knows where it goes. It needs no addresses.
    Send,
    /// WRITE, to an address and key of each receiver. Switches must know them: with Cepheus from a further step of
    /// registration (cepheus:III-B2.write), with Gleam from a message before each request (gleam:3.3.write).
    #[default]
    Write,
    /// WRITE, to one address with one key at all receivers. It needs changed adapters, and nothing of the switches
    /// (gleam:C).
    WriteSameAddress,
}

impl GroupVerb {
    /// Bytes of header that the first packet of a message has beyond the others'.
    pub fn extra(self) -> u16 {
        if self == Self::Send { 0 } else { RETH }
    }
}

/// The protocol of the switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Cepheus.
    Cepheus,
    /// Gleam, its predecessor: the addresses of WRITE travel in a message of their own before each request.
    Gleam,
}

/// What the data of a group go over. Answers always go over links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// Links alone.
    Electrons,
    /// The splitters of these trees.
    Light {
        /// What lost packets come back over.
        repair: Repair,
        /// A tree for each host that sends.
        trees: Vec<LightTree>,
    },
}

/// What lost packets come back over, where data go over splitters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// The same splitters, to all members. The last switch before a host filters what it has.
    Light,
    /// Links, to the members behind the loss. Later data wait until these have it.
    Electrons,
}

/// The splitters that carry the data of one sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LightTree {
    /// The host that sends.
    pub source: NodeId,
    /// The switch that lights the tree in place of the source's own, whose transmitter may be dead. It is one of the
    /// stops and takes no light. Data reach it over links.
    pub stand_in: Option<NodeId>,
    /// The switches that the light passes, the source's first.
    pub stops: Vec<LightStop>,
}

/// What a switch does with the light of one sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LightStop {
    /// The switch.
    pub at: NodeId,
    /// The splitter whose branch is the only ingress that it takes; none at the source's own switch and its stand-in.
    pub accept: Option<u32>,
    /// The splitter that it sends into, where it does.
    pub relay: Option<u32>,
}

/// A host that joins or leaves a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// From the first message on that begins at this time or later.
    pub at: Instant,
    /// The host.
    pub host: NodeId,
    /// Whether it joins.
    pub joins: bool,
}

/// A way into a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ingress {
    /// The two-way link at a port.
    Link(u16),
    /// The branch of a splitter, by the splitter's place in [`Multicast::splitters`].
    Splitter(u32),
}

/// Where a copy leaves a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Egress {
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

/// What a switch does with packets to a group of datagrams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The switch.
    pub at: NodeId,
    /// The group.
    pub group: GroupId,
    /// The host whose packets it is for. A rule for no one host is for all that have no rule of their own.
    pub source: Option<NodeId>,
    /// The only ingress that is taken: copies that come in elsewhere are absorbed. None takes all.
    pub accept: Option<Ingress>,
    /// Where copies go out. A packet without an egress is absorbed.
    pub ways: Vec<(Egress, Rewrite)>,
}

/// A message to a group. Its number as a [`FlowId`](crate::FlowId) follows those of all flows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// Who sends; it need not be a member.
    pub from: NodeId,
    /// The group.
    pub to: GroupId,
    /// Its payload, in bytes.
    pub size: DataSize,
    /// When the application asks for it, at the earliest.
    pub start: Instant,
    /// Other messages that the sending host receives: the application asks for this one when all of them have arrived.
    /// Those to groups have numbers after all flows.
    pub after: Vec<FlowId>,
    /// Its priority.
    pub class: Class,
}

impl Multicast {
    /// The places in [`Multicast::casts`] of the messages to each group, in the order in which they go out: by their
    /// starts, of equal ones as in the list. Messages to groups that do not exist are left out.
    pub fn casts_of_groups(&self) -> Vec<Vec<u32>> {
        let groups = self.casts.iter().map(|cast| Some(cast.to));
        let mut places = self.places_of_groups(groups);
        for of_group in &mut places {
            of_group.sort_by_key(|&place| self.casts[place as usize].start);
        }
        places
    }

    /// The places of all messages in an order in which those of each group go out one after the other. Groups take
    /// turns as in the list.
    pub fn in_turn(&self) -> Vec<u32> {
        let mut of_groups: Vec<_> =
            self.casts_of_groups().into_iter().map(Vec::into_iter).collect();
        let next = |cast: &Cast| of_groups.get_mut(cast.to.0 as usize)?.next();
        self.casts.iter().filter_map(next).collect()
    }

    /// The places in [`Multicast::updates`] of the changes of light of each group, in order.
    pub fn relights_of_groups(&self) -> Vec<Vec<u32>> {
        let groups = self.updates.iter().map(|update| match update.what {
            Updated::Light { group, .. } | Updated::StandIn { group, .. } => Some(group),
            Updated::Rule(_) => None,
        });
        self.places_of_groups(groups)
    }

    fn places_of_groups(&self, of: impl Iterator<Item = Option<GroupId>>) -> Vec<Vec<u32>> {
        let mut places = vec![Vec::new(); self.groups.len()];
        for (place, group) in (0..).zip(of) {
            if let Some(places) = group.and_then(|group| places.get_mut(group.0 as usize)) {
                places.push(place);
            }
        }
        places
    }

    /// Whether a host knows when a message to a group has arrived: as a member at its start, or as its sender where it
    /// is acknowledged. `cast` is its place among all.
    pub fn hears(&self, cast: usize, host: NodeId) -> bool {
        let Some(cast) = self.casts.get(cast) else { return false };
        let Some(group) = self.groups.get(cast.to.0 as usize) else { return false };
        match &group.service {
            Service::Datagrams => host != cast.from && group.members.contains(&host),
            Service::Reliable(service) => {
                let changes = service.changes.iter().filter(|change| change.at <= cast.start);
                let last = changes.filter(|change| change.host == host).max_by_key(|it| it.at);
                host == cast.from
                    || last.map_or_else(|| group.members.contains(&host), |change| change.joins)
            }
        }
    }
}

impl Update {
    /// The switch that changes; none where all of a group do.
    pub fn switch(&self) -> Option<NodeId> {
        match &self.what {
            Updated::Rule(rule) => Some(rule.at),
            Updated::Light { stop, .. } => Some(stop.at),
            Updated::StandIn { .. } => None,
        }
    }

    /// The rule that it sets; none where it changes light.
    pub fn rule(&self) -> Option<&Rule> {
        match &self.what {
            Updated::Rule(rule) => Some(rule),
            Updated::Light { .. } | Updated::StandIn { .. } => None,
        }
    }
}

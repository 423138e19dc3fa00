//! The table of groups of a switch.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use lightloom_setup::params::Buffering;
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::drops::{Amount, Owner};
use crate::packet::{Dest, GroupId, Life, Packet};

/// What a switch does with packets to a group.
#[derive(Debug, Clone)]
pub(crate) struct Ways {
    /// The only receiving port that is taken; none where all are.
    pub(crate) accept: Option<u16>,
    /// Transmitting ports; with a host and its endpoint where the copy is for that host from there on.
    pub(crate) out: Arc<[Way]>,
}

/// An egress of a copy, and what is rewritten in it.
pub(super) type Way = (u16, Option<(Dest, u32)>);

/// Whether a packet that is handed on has just come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    /// It has, and takes nothing of the buffer yet.
    New,
    /// It came in at this time, and has waited. It counts at its ingress.
    Waited(Instant),
}

/// For each group the ways for packets of one source each, and last those for all other sources.
type Table = BTreeMap<GroupId, Vec<(Option<NodeId>, Ways)>>;

/// The table of groups of a switch.
#[derive(Debug)]
pub(crate) struct Groups {
    table: Table,
    pub(super) buffering: Buffering,
    /// What became of copies of datagrams.
    pub(crate) copies: Copies,
    /// Copies of a packet that are about to wait, each with its way and the time from which it may start: kept for
    /// the next one, so that none is allocated.
    pub(super) wait: Vec<(Way, Instant)>,
    /// Changes to come, and what is left of those that came.
    pub(crate) updates: Updates,
    /// The first port that transmits into a splitter; those after it do too.
    pub(super) first_splitter: u16,
    /// The most splitters that a packet may pass. None: any number.
    pub(super) most_splitters: Option<u8>,
}

impl Groups {
    /// The table of a switch whose ports to splitters come after these links.
    pub(crate) fn new(
        table: Table,
        (links, time_to_live): (u16, Option<u32>),
        buffering: Buffering,
        updates: Updates,
    ) -> Self {
        let most = time_to_live.map(|hops| u8::try_from(hops.saturating_sub(1)));
        // More than a packet can count is no limit.
        // Every transmission into a splitter lowers the time to live, and a packet with 1 is not transmitted: so n lets
        // it into n - 1 splitters.
        let most_splitters = most.and_then(Result::ok).filter(|&most| most < Life::MOST);
        Self {
            table,
            buffering,
            copies: Copies::default(),
            wait: Vec::new(),
            updates,
            first_splitter: links,
            most_splitters,
        }
    }

    /// Whether an egress leads into a splitter.
    pub(super) fn is_light(&self, (port, _): &Way) -> bool {
        *port >= self.first_splitter
    }

    /// Whether a packet may not pass another splitter.
    pub(super) fn is_expired(&self, packet: &Packet) -> bool {
        self.most_splitters.is_some_and(|most| packet.life.splitters() >= most)
    }

    /// What is done with a packet to a group; none where no rule is for it.
    pub(super) fn ways(&self, group: GroupId, source: NodeId) -> Option<&Ways> {
        let all = self.table.get(&group)?;
        let is_for = |of: &Option<NodeId>| of.is_none_or(|of| of == source);
        // Rules of one source stand before those of all others, so the first that fits is the most exact.
        all.iter().find(|(of, _)| is_for(of)).map(|(_, ways)| ways)
    }

    /// Sets what is done with packets of one source, or of all that have no ways of their own.
    pub(super) fn replace(&mut self, group: GroupId, source: Option<NodeId>, ways: Ways) {
        let all = self.table.entry(group).or_default();
        match all.iter_mut().find(|(of, _)| *of == source) {
            Some((_, old)) => *old = ways,
            // The ways of all other sources stay last.
            None if source.is_some() => all.insert(0, (source, ways)),
            None => all.push((source, ways)),
        }
    }
}

/// Copies that a switch made and kept, by flow.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// The flow of the last packet, not yet among the others: the next packet is most often of the same flow.
    last: Option<(Owner, Made)>,
    others: BTreeMap<Owner, Made>,
}

/// Copies of the packets of a flow.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Made {
    /// Made, beyond the packets that came in.
    pub(crate) copied: Amount,
    /// Not handed on, on purpose.
    pub(crate) absorbed: Amount,
}

impl Made {
    fn add(&mut self, other: Self) {
        self.copied.add(other.copied);
        self.absorbed.add(other.absorbed);
    }
}

impl Copies {
    /// A packet goes on as so many copies.
    pub(super) fn add(&mut self, packet: &Packet, copies: usize) {
        let owner = Owner::of(packet);
        let made = match &mut self.last {
            Some((last, made)) if *last == owner => made,
            last => {
                // Another flow begins: what was counted for the last goes into the map.
                if let Some((former, made)) = last.take() {
                    self.others.entry(former).or_default().add(made);
                }
                &mut last.insert((owner, Made::default())).1
            }
        };
        match (copies as u64).checked_sub(1) {
            // The packet itself goes on as one of its copies. Where there is none, it ends here.
            Some(more) => made.copied.add(Amount::of(packet, more)),
            None => made.absorbed.add(Amount::of(packet, 1)),
        }
    }

    /// By flow.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Owner, Made)> {
        let last = self.last.iter().map(|(owner, made)| (owner, *made));
        last.chain(self.others.iter().map(|(owner, made)| (owner, *made)))
    }
}

/// What changes in the tables of a switch.
#[derive(Debug, Clone)]
pub(crate) enum New {
    /// The ways of packets of one source, or of all that have none of their own.
    Ways(GroupId, Option<NodeId>, Ways),
    /// The light of one sender to a reliable group: the port that is taken, and the one that it goes out.
    Light(GroupId, NodeId, (u16, u16)),
    /// The stand-in of one sender to a reliable group.
    StandIn(GroupId, NodeId, Option<NodeId>),
    /// The switch begins anew.
    Restart,
}

/// The changes of a switch.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    /// Those to come, by time.
    waiting: VecDeque<(Instant, New)>,
    /// The light of senders that an update has changed.
    light: BTreeMap<(GroupId, NodeId), (u16, u16)>,
    /// The stand-ins that an update has changed.
    stand_ins: BTreeMap<(GroupId, NodeId), Option<NodeId>>,
}

impl Updates {
    /// Changes in the order of the setup.
    pub(crate) fn new(mut updates: Vec<(Instant, New)>) -> Self {
        // The sort is stable: of several updates of one time the later in the list comes later.
        updates.sort_by_key(|(at, _)| *at);
        Self { waiting: updates.into(), light: BTreeMap::new(), stand_ins: BTreeMap::new() }
    }

    /// When the next one is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.waiting.front().map(|(at, _)| *at)
    }

    /// The next one that is due. The light that it sets is kept for later registrations.
    pub(super) fn take(&mut self, now: Instant) -> Option<New> {
        let (_, new) = self.waiting.pop_front_if(|(at, _)| *at <= now)?;
        match new {
            New::Light(group, source, light) => {
                self.light.insert((group, source), light);
            }
            New::StandIn(group, source, at) => {
                self.stand_ins.insert((group, source), at);
            }
            New::Ways(..) | New::Restart => {}
        }
        Some(new)
    }

    /// The stand-in of a sender, where an update has changed it.
    pub(super) fn stand_in(&self, group: GroupId, source: NodeId) -> Option<Option<NodeId>> {
        self.stand_ins.get(&(group, source)).copied()
    }

    /// The light of a sender, where an update has changed it.
    pub(super) fn light(&self, group: GroupId, source: NodeId) -> Option<(u16, u16)> {
        self.light.get(&(group, source)).copied()
    }
}

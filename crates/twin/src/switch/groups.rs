//! The table of groups of a switch.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::drops::Tally;
use crate::packet::{Dest, GroupId};
use crate::params::Buffering;

/// What a switch does with packets to a group.
#[derive(Debug, Clone)]
pub(crate) struct Ways {
    /// The only receiving port that is taken; none where all are.
    pub(crate) accept: Option<u16>,
    /// Transmitting ports; with a host and its endpoint where the copy is for that host from there on.
    pub(crate) out: Arc<[Way]>,
}

/// A way out of a copy, and what is rewritten in it.
pub(super) type Way = (u16, Option<(Dest, u32)>);

/// The table of groups of a switch.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// For each group the ways for packets of one source each, and last those for all other sources.
    pub(crate) table: BTreeMap<GroupId, Vec<(Option<NodeId>, Ways)>>,
    pub(crate) buffering: Buffering,
    /// What became of copies.
    pub(crate) copies: Copies,
    /// Changes to come, and what is left of those that came.
    pub(crate) updates: Updates,
}

impl Groups {
    /// What is done with a packet to a group; none where no rule is for it.
    pub(super) fn ways(&self, group: GroupId, source: NodeId) -> Option<&Ways> {
        let all = self.table.get(&group)?;
        let is_for = |of: &Option<NodeId>| of.is_none_or(|of| of == source);
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

/// Copies that a switch makes and keeps.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// Made here, beyond the packets that came in.
    pub(crate) copied: Tally,
    /// Not handed on, on purpose.
    pub(crate) absorbed: Tally,
}

/// What changes in the tables of a switch.
#[derive(Debug, Clone)]
pub(crate) enum New {
    /// The ways of packets of one source, or of all that have none of their own.
    Ways(GroupId, Option<NodeId>, Ways),
    /// The light of one sender to a reliable group: the port that is taken, and the one that it goes out.
    Light(GroupId, NodeId, (u16, u16)),
}

/// The changes of a switch.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    /// Those to come, by time.
    waiting: VecDeque<(Instant, New)>,
    /// The light of senders that an update has changed.
    light: BTreeMap<(GroupId, NodeId), (u16, u16)>,
}

impl Updates {
    /// Changes in the order of the setup.
    pub(crate) fn new(mut updates: Vec<(Instant, New)>) -> Self {
        updates.sort_by_key(|(at, _)| *at);
        Self { waiting: updates.into(), light: BTreeMap::new() }
    }

    /// When the next one is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.waiting.front().map(|(at, _)| *at)
    }

    /// The next one that is due. The light that it sets is kept for later registrations.
    pub(super) fn take(&mut self, now: Instant) -> Option<New> {
        let (_, new) = self.waiting.pop_front_if(|(at, _)| *at <= now)?;
        if let New::Light(group, source, light) = new {
            self.light.insert((group, source), light);
        }
        Some(new)
    }

    /// The light of a sender, where an update has changed it.
    pub(super) fn light(&self, group: GroupId, source: NodeId) -> Option<(u16, u16)> {
        self.light.get(&(group, source)).copied()
    }
}

//! Tables of a switch that change while data flow.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::Switch;
use super::groups::Ways;
use crate::packet::GroupId;

/// Stands in the timers of a switch for its updates. It is above the number of any port, so an update comes after
/// all that ports do at its time.
pub(super) const UPDATE: u16 = u16::MAX;

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
    fn next(&self) -> Option<Instant> {
        self.waiting.front().map(|(at, _)| *at)
    }

    /// The light of a sender, where an update has changed it.
    pub(super) fn light(&self, group: GroupId, source: NodeId) -> Option<(u16, u16)> {
        self.light.get(&(group, source)).copied()
    }
}

impl Switch<'_> {
    /// Sets the timer of the next update.
    pub(super) fn await_update(&mut self) {
        if let Some(at) = self.groups.updates.next() {
            self.timers.push(Reverse((at, UPDATE)));
        }
    }

    /// Makes the changes that are due.
    #[cold]
    pub(super) fn update(&mut self, now: Instant) {
        while let Some((_, new)) = self.groups.updates.waiting.pop_front_if(|(at, _)| *at <= now) {
            match new {
                New::Ways(group, source, ways) => self.groups.replace(group, source, ways),
                New::Light(group, source, light) => {
                    self.groups.updates.light.insert((group, source), light);
                    self.bridges.relight(group, source, light);
                }
            }
        }
        self.await_update();
    }
}

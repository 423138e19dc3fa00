//! What a leader does where the sender reaches members without the group: they are taken out of the tables.

use std::collections::BTreeSet;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::coordinator::Coordinator;
use super::tell::tell;
use crate::host::desk::Desk;
use crate::packet::{Dest, Kind, Psn};

impl Coordinator {
    /// The sender reaches a member without the group. It is taken out of the tables until the next run, and the sender
    /// hears when it is. A sender that has not heard so asks again.
    pub(super) fn take_out(&mut self, host: NodeId, now: Instant, desk: &mut Desk<'_>) {
        if !self.dropped.insert(host) {
            if !self.leaving.contains(&host) {
                self.tell_left(host, desk);
            }
            return;
        }
        // The packets for the others are under way.
        let others = std::mem::replace(&mut self.leaving, BTreeSet::from([host]));
        self.tries = 0;
        self.register(now, desk);
        self.leaving.extend(others);
    }

    /// Whether a member was taken out of the tables of this run, and has confirmed so.
    pub(super) fn has_taken_out(&self, host: NodeId) -> bool {
        self.dropped.contains(&host) && !self.leaving.contains(&host)
    }

    /// Tells the sender that a member is in no table any more. Where it is the leader's own host, it knows.
    pub(super) fn tell_left(&self, host: NodeId, desk: &mut Desk<'_>) {
        let Some(source) = self.at_hand().map(|run| run.source) else { return };
        let end = self.schedule.ends.get(&source).filter(|_| source != self.leader);
        if let (Some(&end), true) = (end, self.dropped.contains(&host)) {
            tell((Dest::host(source), end), Kind::Leave, (Psn::new(host.0), self.run), desk);
        }
    }
}

//! What switches and members note during a run, and what comes of it.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::packet::{GroupId, Kind, Packet, Psn};

/// The answers of a run that were checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckedAnswers {
    /// Aggregated answers that switches sent, and answers that senders got.
    pub checked: u64,
    /// Those that covered what a receiver lacked, by time and node: faults of the twin itself.
    pub wrong: Vec<WrongAnswer>,
}

/// An answer that covered what a receiver lacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WrongAnswer {
    /// When it went out at a switch, or came in at a sender.
    pub at: Instant,
    /// The switch or the sender.
    pub node: NodeId,
    /// The group, by its number.
    pub group: u32,
    /// The place in the sequence of the group that everything before was acknowledged; with `is_selective` the place
    /// of the one packet that was said to have arrived.
    pub claimed: u64,
    /// Whether it was about one packet out of order.
    pub is_selective: bool,
    /// The first receiver that lacked something.
    pub receiver: NodeId,
    /// Everything before this place had arrived there.
    pub had: u64,
}

/// What an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(super) at: Instant,
    /// Everything before it has arrived.
    pub(super) psn: Psn,
    /// A negative acknowledgement with selective repeat: this has arrived, too.
    pub(super) seen: Option<Psn>,
}

impl Claim {
    /// What an acknowledgement or a negative one says at a time.
    pub(crate) fn of(at: Instant, packet: &Packet) -> Self {
        let seen = (packet.kind == Kind::Nack).then_some(packet.seen);
        Self { at, psn: packet.psn, seen }
    }
}

/// What a switch notes of its groups, in order.
#[derive(Debug, Default)]
pub(crate) struct SwitchNotes(pub(super) Vec<(GroupId, Noted)>);

/// What a switch notes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Noted {
    /// The group has a new table, registered over this port.
    Opened(u16),
    /// A member is behind this port from now on.
    Entered(NodeId, u16),
    /// A member is behind none.
    Left(NodeId),
    /// An answer went up this port.
    Said(Claim, u16),
}

impl SwitchNotes {
    /// A group has a new table, registered over a port. Members that are not entered are behind it.
    pub(crate) fn opened(&mut self, group: GroupId, root: u16) {
        self.0.push((group, Noted::Opened(root)));
    }

    /// A member of a group is behind a port.
    pub(crate) fn entered(&mut self, group: GroupId, host: NodeId, port: u16) {
        self.0.push((group, Noted::Entered(host, port)));
    }

    /// A member was taken out of the table of a group.
    pub(crate) fn left(&mut self, group: GroupId, host: NodeId) {
        self.0.push((group, Noted::Left(host)));
    }

    /// An aggregated answer went up a port.
    pub(crate) fn said(&mut self, group: GroupId, claim: Claim, up: u16) {
        self.0.push((group, Noted::Said(claim, up)));
    }
}

/// What a member notes.
#[derive(Debug, Default)]
pub(crate) struct MemberNotes {
    /// Since when everything before a place has arrived, or was for others.
    pub(super) had: Vec<(Instant, u64)>,
    /// When packets arrived out of order.
    beyond: BTreeMap<u64, Instant>,
    /// Answers that came in.
    pub(super) heard: Vec<Claim>,
    /// Members that this one reaches without the group: since when, and before which place. Answers of the group
    /// speak for them no more.
    pub(super) fallen: Vec<(Instant, NodeId, u64)>,
}

impl MemberNotes {
    /// Everything before a place has arrived.
    pub(crate) fn has_all_before(&mut self, place: u64, now: Instant) {
        if self.had.last().map_or(0, |&(_, had)| had) < place {
            self.had.push((now, place));
        }
    }

    /// A packet has arrived out of order, and is kept.
    pub(crate) fn has(&mut self, place: u64, now: Instant) {
        self.beyond.entry(place).or_insert(now);
    }

    /// A member is reached without the group, for all before a place.
    pub(crate) fn fell(&mut self, host: NodeId, before: u64, now: Instant) {
        self.fallen.push((now, host, before));
    }

    /// An answer has come in.
    pub(crate) fn heard(&mut self, claim: Claim) {
        self.heard.push(claim);
    }

    /// Everything before this place had arrived by a time.
    pub(super) fn had(&self, at: Instant) -> u64 {
        let upto = self.had.partition_point(|&(since, _)| since <= at);
        upto.checked_sub(1).map_or(0, |last| self.had[last].1)
    }

    /// Whether a packet had arrived by a time.
    pub(super) fn had_one(&self, place: u64, at: Instant) -> bool {
        self.had(at) > place || self.beyond.get(&place).is_some_and(|&since| since <= at)
    }
}

//! What a sender watches of its group.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::host::stream::Stream;

/// What a sender watches and does.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// When progress is looked at next, and what was acknowledged at the last look.
    pub(super) next: Option<Instant>,
    pub(super) before: u64,
    /// Packets that were repeated before that look.
    pub(super) repeated: u64,
    /// The most bytes that were acknowledged in a window. Before the first one: what the slowest port takes.
    pub(super) usual: u64,
    /// Whether a window of this run is over.
    pub(super) has_usual: bool,
    /// What members say they have, while they are asked; and until when that is waited for.
    pub(super) asked: Option<(Instant, BTreeMap<NodeId, u64>)>,
    /// Members that are reached without the group.
    pub(super) fallen: BTreeSet<NodeId>,
    /// Of those, members that may still be in tables, as far as is known.
    pub(super) leaving: BTreeSet<NodeId>,
    /// When the leader is told again to take these out, and how often it was.
    pub(super) tells: Option<(Instant, u32)>,
    /// Connections to them that the host has yet to open.
    pub(super) opens: Vec<Stream>,
    /// Whether one of them never answered.
    pub(super) is_cut_off: bool,
    /// Their connections that are not done.
    pub(super) open: usize,
    /// Whether all are reached without the group as soon as the first message is asked for.
    pub(super) is_put_off: bool,
    /// Whether the group reaches no member any more.
    pub(super) is_all: bool,
}

impl Watch {
    pub(super) fn deadline(&self) -> Option<Instant> {
        if let Some((at, _)) = self.tells {
            return Some(at);
        }
        let asked = self.asked.as_ref().map(|&(until, _)| until);
        asked.into_iter().chain(self.next).min()
    }
}

/// Timeouts in a row after which a sender has its group registered anew. Two, as the repetition after the first may
/// be lost too.
const LONG: u32 = 2;

/// Timeouts of a sender since something was acknowledged.
#[derive(Debug, Default)]
pub(super) struct Silence {
    acked: u64,
    timeouts: u32,
}

impl Silence {
    /// Another timeout, where all before `acked` is acknowledged: whether there were [`LONG`] more of them.
    pub(super) fn is_long(&mut self, acked: u64) -> bool {
        if std::mem::replace(&mut self.acked, acked) != acked {
            self.timeouts = 0;
        }
        self.timeouts += 1;
        self.timeouts.is_multiple_of(LONG)
    }
}

//! The table of groups of a switch.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_topology::electrical::NodeId;

use super::updates::Updates;
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

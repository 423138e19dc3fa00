//! The table of groups of a switch.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::drops::Tally;
use crate::multicast::Buffering;
use crate::packet::{Dest, GroupId};

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
    pub(crate) table: BTreeMap<GroupId, Ways>,
    pub(crate) buffering: Buffering,
    /// What became of copies.
    pub(crate) copies: Copies,
}

/// Copies that a switch makes and keeps.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// Made here, beyond the packets that came in.
    pub(crate) copied: Tally,
    /// Not handed on, on purpose.
    pub(crate) absorbed: Tally,
}

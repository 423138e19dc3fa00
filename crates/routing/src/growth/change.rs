//! A change between two fabrics, and why it cannot be staged.

use std::sync::Arc;

use lightloom_topology::{Fabric, FabricError, TorId};
use lightloom_units::Span;
use lightloom_watch::Stopped;

use crate::recovery::NotRecovered;
use crate::tables::RelayTables;
use crate::verify::Violation;

/// Which way a fabric changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageKind {
    /// ToRs join.
    Grow,
    /// ToRs leave.
    Shrink,
}

/// Two fabrics of which one has all ToRs of the other. All numbers are those of the larger one.
#[derive(Debug, Clone)]
pub struct Change<'a> {
    /// Which way it goes.
    pub kind: StageKind,
    /// The fabric that is there.
    pub before: &'a Fabric,
    /// The tables in force.
    pub tables: Arc<RelayTables>,
    /// The fabric afterwards.
    pub after: &'a Fabric,
    /// Its tables.
    pub new_tables: Arc<RelayTables>,
    /// The number in the larger fabric of each ToR of the smaller one.
    pub tors: &'a [TorId],
    /// The ToRs of both fabrics whose transmit cord moves, ascending.
    pub moved: &'a [TorId],
    /// Delay of the longest hop.
    pub hop_delay: Span,
}

/// Why there are no stages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StageError {
    /// Some state is not safe.
    #[error("a state between the moves is not safe: {0}")]
    Unsafe(#[from] Violation),
    /// Sources cannot be taken off the moving cords.
    #[error("the moving cords cannot be drained: {0}")]
    NotDrained(#[from] NotRecovered),
    /// Some state is disconnected.
    #[error("while the cords move, some ToRs cannot reach others: {0}")]
    CutOff(#[from] FabricError),
    /// While the cords move, some source cannot reach all ToRs.
    #[error(
        "while the cords move, some sources cannot reach all ToRs; let fewer cords move at once, or take fewer racks \
         out"
    )]
    Dark,
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

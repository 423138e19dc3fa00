//! What crews built otherwise than planned: the returned sheet and what comes of it.

use std::path::PathBuf;

use lightloom::as_built::{AsBuiltReport, TakenFiles};

use crate::slot::Slot;
use crate::state::answers::Of;

/// What crews tell of the plan.
#[derive(Debug, Default)]
pub struct Built {
    /// The returned sheet that was opened last.
    pub returned: Option<PathBuf>,
    /// What comes of it. The number is that of the reading: the same file is read again.
    pub taken: Slot<(Of, PathBuf, u64), TakenFiles>,
    /// What the plan itself has that was built otherwise.
    pub there: Slot<Of, Option<AsBuiltReport>>,
    pub(super) readings: u64,
}

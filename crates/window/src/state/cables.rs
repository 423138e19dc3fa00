//! The cables of the plan, and things that are found by their labels.

use lightloom::plan::{CablingReport, Found};

use crate::slot::Slot;
use crate::state::answers::Of;
use crate::state::checks::Checks;

/// The cables of the plan.
#[derive(Debug, Default)]
pub struct Cables {
    /// The list of cables.
    pub cabling: Slot<Of, CablingReport>,
    /// What a name stands for. The number is that of the question.
    pub(super) found: Slot<(Of, String, u64), Found>,
    pub(super) finds: u64,
    /// What is asked about the plan before it is made.
    pub checks: Checks,
}

impl Cables {
    /// Whether something is at work.
    pub fn is_busy(&self) -> bool {
        self.cabling.how_far().is_some() || self.found.how_far().is_some() || self.checks.is_busy()
    }
}

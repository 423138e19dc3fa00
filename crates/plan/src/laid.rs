//! Wiring plans of projects that are not too large.

use lightloom_request::{InputError, setting};
use lightloom_topology::fabric::MAX_TORS;

use crate::project::Project;
use crate::wiring::WiringPlan;

/// Largest number of fibres of a plan.
const MAX_FIBRES: u64 = 1 << 24;

/// Refuses fabrics that are too large to list fibre by fibre.
pub fn check_size(project: &Project) -> Result<(), InputError> {
    let fibres = project.fabric.branch_fibres() + project.fabric.tors() as u64;
    if fibres <= MAX_FIBRES {
        return Ok(());
    }
    let message = format!(
        "the plan would list {fibres} fibres; at most {MAX_FIBRES} are listed (fabrics of up to \
         {MAX_TORS} ToRs can be asked about without a plan)"
    );
    Err(project.design.settings.refuse(&setting::fabric::TORS, message))
}

/// The wiring plan of a project.
pub fn lay(project: &Project) -> Result<WiringPlan<'_>, InputError> {
    check_size(project)?;
    Ok(WiringPlan::new(project.site(), project.design.housing, project.catalogue.stock()))
}

//! The optical path of single branches.

use std::num::NonZeroUsize;

use lightloom::light::{self, BudgetOptions};
use lightloom::read_option;
use pyo3::prelude::*;

use crate::long::{Answer, Progress};
use crate::project::Project;

/// The optical path of each branch that `fibre` names.
#[pyfunction]
pub(crate) fn trace_light(
    project: PyRef<'_, Project>,
    fibre: String,
    case: Option<String>,
    threads: Option<NonZeroUsize>,
    progress: Progress<'_>,
) -> Answer {
    project.ask(&progress, move |project, watch| {
        let case = read_option("case", case.as_deref())?;
        let branches = light::branches_named(project, &fibre)?;
        light::trace(project, &branches, &BudgetOptions { case, threads }, watch)
    })
}

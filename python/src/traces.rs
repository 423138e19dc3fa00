//! The way of light of single branches.

use std::num::NonZeroUsize;

use lightloom::light::BudgetOptions;
use lightloom::read_option;
use pyo3::prelude::*;

use crate::project::Project;

/// The way of light of the branches that `fibre` names.
#[pyfunction]
#[pyo3(signature = (project, fibre, case, threads, progress=None))]
pub(crate) fn trace_light(
    py: Python<'_>,
    project: PyRef<'_, Project>,
    fibre: String,
    case: Option<String>,
    threads: Option<NonZeroUsize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    project.ask(py, progress, move |project, watch| {
        let case = read_option("case", case.as_deref())?;
        let branches = project.branches_named(&fibre)?;
        project.trace(&branches, &BudgetOptions { case, threads }, watch)
    })
}

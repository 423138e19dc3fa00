//! Long questions whose answers are reports as JSON.

use lightloom::{Error, Watch};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors;
use crate::long::{Answer, Progress, long};

/// A report as the command line's `--json` writes it.
pub(crate) fn json<T: Serialize>(report: &T) -> Result<String, Error> {
    lightloom::to_json(report)
}

/// The report that answers a question, asked on a thread.
pub(crate) fn ask<T: Serialize>(
    progress: &Progress<'_>,
    question: impl FnOnce(Watch<'_>) -> Result<T, Error> + Send + 'static,
) -> Answer {
    long(progress, move |watch| json(&question(watch)?), planned)
}

/// An answer of planning as an object of Python.
pub(crate) fn planned<A>(py: Python<'_>, answer: Result<A, Error>) -> Answer
where
    A: for<'py> IntoPyObject<'py>,
{
    answer.map_err(|error| errors::planning(py, &error))?.into_py_any(py)
}

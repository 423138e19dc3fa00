//! Traces of applications.

use std::path::PathBuf;

use lightloom::twin::{TraceOptions, trace, write_trace};
use lightloom::{Error, Texts, Watch, read_option};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;

use crate::asking::json;
use crate::errors;
use crate::long::{Answer, long, quiet};

/// What a trace of an application has; also writes it as GOAL.
#[pyfunction]
pub(crate) fn application_trace(
    py: Python<'_>,
    path: PathBuf,
    latency: Option<String>,
    rate: Option<String>,
    process_groups: Option<PathBuf>,
    speed: Option<String>,
    goal: Option<PathBuf>,
) -> Answer {
    let question = move |_: Watch<'_>| {
        let options = TraceOptions {
            process_groups,
            speed: read_option("speed", speed.as_deref())?,
            latency: read_option("latency", latency.as_deref())?,
            rate: read_option("rate", rate.as_deref())?,
        };
        let texts = Texts::default();
        json(&match &goal {
            None => trace(&path, &texts, options)?,
            Some(goal) => write_trace(&path, &texts, options, goal)?,
        })
    };
    long(&quiet(py), question, |py, answer: Result<String, Error>| {
        answer.map_err(|error| errors::simulating(py, &error))?.into_py_any(py)
    })
}

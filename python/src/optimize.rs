//! What optimisation in Python asks: assignments as matrices, costs of racks, placed projects.

use lightloom::plan::{self, PlaceObjective, RackCosts};
use lightloom::qap::{Dense, assign, prove_assignment};
use lightloom::{Error, InputError, Watch};
use numpy::{IntoPyArray as _, PyArray2, PyArrayMethods as _};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;

use crate::asking::json;
use crate::errors;
use crate::long::{Answer, Progress, long, planning, quiet};
use crate::placing::{effort, of_design};
use crate::project::Project as Opened;

/// The project with each ToR in the rack of a name, in the order of the ToRs.
#[pyfunction]
pub(crate) fn placed(
    py: Python<'_>,
    project: PyRef<'_, Opened>,
    racks: Vec<String>,
) -> PyResult<Opened> {
    let project = project.cloned();
    let found = planning(py, move |_| plan::placed(of_design(&project)?, &racks))?;
    Ok(Opened::of(found))
}

/// What the cords of a project come to, as JSON.
#[pyfunction]
pub(crate) fn cords(py: Python<'_>, project: PyRef<'_, Opened>) -> PyResult<String> {
    let project = project.cloned();
    planning(py, move |_| json(&plan::cords(&project)?))
}

/// The names of the racks for ToRs, the currency, the cost of a cord by the racks of shelf and ToR, and the cost of a
/// cord that cannot be laid.
type Costs<'py> = (Vec<String>, Option<String>, Bound<'py, PyArray2<i64>>, i64);

/// What a placement is counted by.
#[pyfunction]
pub(crate) fn rack_costs<'py>(
    py: Python<'py>,
    project: PyRef<'py, Opened>,
) -> PyResult<Costs<'py>> {
    let project = project.cloned();
    let of = project.clone();
    let RackCosts { racks, objective, costs } = planning(py, move |_| plan::rack_costs(&of))?;
    let names = racks.iter().map(|&rack| project.hall().rack(rack).name.to_string()).collect();
    let currency = match objective {
        PlaceObjective::Money(currency) => Some(currency),
        PlaceObjective::StockMetres => None,
    };
    let costs = costs.into_pyarray(py).reshape([racks.len(), racks.len()])?;
    Ok((names, currency, costs, RackCosts::IMPOSSIBLE))
}

/// A problem from the rows of its matrices, one after the other.
fn dense(py: Python<'_>, flows: Vec<i64>, distances: Vec<i64>) -> PyResult<Dense> {
    Dense::new(flows.len().isqrt(), flows, distances).ok_or_else(|| {
        let message = format!(
            "expected two square matrices of one size, of 1 to {} facilities, with costs below 2^62",
            Dense::MOST
        );
        errors::input(py, &InputError::new(message).in_option("flows"))
    })
}

/// The assignment of least cost that a search finds, as JSON. Flows and distances are the rows of square matrices, one
/// after the other.
#[pyfunction]
pub(crate) fn assign_dense(
    flows: Vec<i64>,
    distances: Vec<i64>,
    asked: (String, u64),
    progress: Progress<'_>,
) -> Answer {
    let py = progress.py();
    let (said, seed) = asked;
    let effort = effort(py, &said)?;
    let problem = dense(py, flows, distances)?;
    let work = move |watch: Watch<'_>| -> Result<_, Error> {
        json(&assign(&problem, effort, seed, watch.step())?)
    };
    long(&progress, work, |py, found| {
        found.map_err(|error| errors::planning(py, &error))?.into_py_any(py)
    })
}

/// The proof of the best assignment of the first facilities, or where it was stopped, as JSON.
#[pyfunction]
pub(crate) fn prove_dense(
    py: Python<'_>,
    flows: Vec<i64>,
    distances: Vec<i64>,
    start: (usize, Vec<u32>),
) -> Answer {
    let (facilities, first) = start;
    let problem = dense(py, flows, distances)?;
    let work = move |watch: Watch<'_>| -> Result<_, Error> {
        json(&prove_assignment(&problem, facilities, &first, watch)?)
    };
    long(&quiet(py), work, |py, found| {
        found.map_err(|error| errors::planning(py, &error))?.into_py_any(py)
    })
}

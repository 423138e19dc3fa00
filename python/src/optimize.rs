//! What optimisation in Python asks: assignments as matrices, costs of racks, placed projects.

use lightloom::plan::{self, PlaceGround, PlaceObjective, RackCosts};
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

/// What a placement is counted by and what may not move, as a dict.
#[derive(IntoPyObject)]
pub(crate) struct Ground<'py> {
    /// Names of the racks for ToRs.
    racks: Vec<String>,
    /// `None`: costs are micrometres of stock length.
    currency: Option<String>,
    /// The cost of a cord by the racks of shelf and ToR.
    costs: Bound<'py, PyArray2<i64>>,
    /// The cost of a cord that cannot be laid.
    impossible: i64,
    /// Positions of racks without a ToR in the inventory of devices.
    closed: Vec<usize>,
    /// The position of the rack of each ToR that an old plan keeps.
    kept: Vec<Option<usize>>,
}

/// What a placement is counted by, and what may not move.
#[pyfunction]
pub(crate) fn place_ground<'py>(
    py: Python<'py>,
    project: PyRef<'py, Opened>,
) -> PyResult<Ground<'py>> {
    let project = project.cloned();
    let of = project.clone();
    let PlaceGround { costs, closed, kept } =
        planning(py, move |_| plan::place_ground(of_design(&of)?))?;
    let RackCosts { racks, objective, costs } = costs;
    let at = |rack: &_| racks.iter().position(|other| other == rack);
    let costs = costs.into_pyarray(py).reshape([racks.len(), racks.len()])?;
    Ok(Ground {
        racks: racks.iter().map(|&rack| project.hall().rack(rack).name.to_string()).collect(),
        currency: match objective {
            PlaceObjective::Money(currency) => Some(currency),
            PlaceObjective::StockMetres => None,
        },
        costs,
        impossible: RackCosts::IMPOSSIBLE,
        closed: closed.iter().filter_map(at).collect(),
        kept: kept.iter().map(|rack| rack.as_ref().and_then(at)).collect(),
    })
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

//! Tables of a project as arrays, a column each.

use std::sync::Arc;

use lightloom::light;
use lightloom::plan;
use lightloom::{Project, TorId};
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;

use crate::errors;
use crate::long::{Answer, Progress, long, plain, planning};

/// Arrays of 32-bit numbers.
pub(crate) type Numbers<'py> = Bound<'py, PyArray1<u32>>;
/// Tables of 32-bit numbers, a row each.
pub(crate) type Rows<'py> = Bound<'py, PyArray2<u32>>;
/// Tables of lengths in metres, a row each.
pub(crate) type Lengths<'py> = Bound<'py, PyArray2<f64>>;
/// Arrays of lengths in metres.
pub(crate) type Metres<'py> = Bound<'py, PyArray1<f64>>;

/// From, to, splitter output and port of each branch, and the lengths of its feed and of itself.
pub(crate) type Branches<'py> =
    (Numbers<'py>, Numbers<'py>, Numbers<'py>, Numbers<'py>, Metres<'py>, Metres<'py>);
/// Both ends of each stretch, and the fibres in it.
pub(crate) type Stretches<'py> = (Metres<'py>, Metres<'py>, Metres<'py>, Metres<'py>, Numbers<'py>);

/// Along the rows, across them, the row; and the rows' names.
pub(crate) type Places<'py> = (Metres<'py>, Metres<'py>, Numbers<'py>, Vec<String>);

/// Three numbers for each ToR: the ToR, the cassette that feeds it, the one that it transmits into.
pub(crate) fn edges<'py>(py: Python<'py>, project: &Arc<Project>) -> PyResult<Rows<'py>> {
    let (tors, project) = (project.fabric().tors(), Arc::clone(project));
    let edges = plain(py, move |_| plan::edge_array(&project))?;
    edges.into_pyarray(py).reshape([tors, 3])
}

/// The relay row and the hops of a source's tree.
pub(crate) fn tree<'py>(
    py: Python<'py>,
    project: &Arc<Project>,
    source: TorId,
) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let project = Arc::clone(project);
    let tree = planning(py, move |_| plan::tree_arrays(&project, source))?;
    Ok((tree.relay_row.into_pyarray(py), tree.hops.into_pyarray(py)))
}

/// The relays of all sources: where each begins, and all of them.
pub(crate) fn relay_sets(project: &Arc<Project>, progress: &Progress<'_>) -> Answer {
    let project = Arc::clone(project);
    let work = move |watch: lightloom::Watch<'_>| plan::relay_sets(&project, watch);
    long(progress, work, |py, sets| {
        let sets = sets.map_err(|error| errors::planning(py, &error))?;
        (sets.offsets.into_pyarray(py), sets.relays.into_pyarray(py)).into_py_any(py)
    })
}

/// The place of each ToR.
pub(crate) fn places<'py>(py: Python<'py>, project: &Arc<Project>) -> PyResult<Places<'py>> {
    let project = Arc::clone(project);
    let places = plain(py, move |_| plan::place_arrays(&project))?;
    let (x, y) = (places.x_m.into_pyarray(py), places.y_m.into_pyarray(py));
    Ok((x, y, places.row.into_pyarray(py), places.rows))
}

/// Routed lengths between racks, in metres.
pub(crate) fn rack_lengths<'py>(py: Python<'py>, project: &Arc<Project>) -> PyResult<Lengths<'py>> {
    let project = Arc::clone(project);
    let lengths = planning(py, move |_| plan::rack_lengths(&project))?;
    let racks = lengths.len().isqrt();
    lengths.into_pyarray(py).reshape([racks, racks])
}

/// Every branch.
pub(crate) fn branches<'py>(py: Python<'py>, project: &Arc<Project>) -> PyResult<Branches<'py>> {
    let project = Arc::clone(project);
    let arrays = planning(py, move |_| light::branch_arrays(&project))?;
    Ok((
        arrays.from.into_pyarray(py),
        arrays.to.into_pyarray(py),
        arrays.output.into_pyarray(py),
        arrays.port.into_pyarray(py),
        arrays.feed_m.into_pyarray(py),
        arrays.branch_m.into_pyarray(py),
    ))
}

/// Stretches of trays with all fibres or some: branches (from, to), or feeds (from).
pub(crate) fn tray_stretches<'py>(
    py: Python<'py>,
    project: &Arc<Project>,
    wanted: Option<Vec<(u32, Option<u32>)>>,
) -> PyResult<Stretches<'py>> {
    let ids = |(from, to): (u32, Option<u32>)| (TorId(from), to.map(TorId));
    let wanted: Option<Vec<_>> = wanted.map(|all| all.into_iter().map(ids).collect());
    let project = Arc::clone(project);
    let found = planning(py, move |_| plan::tray_stretches(&project, wanted.as_deref()))?;
    Ok((
        found.from_x_m.into_pyarray(py),
        found.from_y_m.into_pyarray(py),
        found.to_x_m.into_pyarray(py),
        found.to_y_m.into_pyarray(py),
        found.fibres.into_pyarray(py),
    ))
}

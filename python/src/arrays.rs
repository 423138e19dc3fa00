//! Tables of a project as arrays, a column each.

use lightloom::{Project, TorId};
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::prelude::*;

use crate::errors;
use crate::long::short;

/// Arrays of 32-bit numbers.
pub(crate) type Numbers<'py> = Bound<'py, PyArray1<u32>>;
/// Arrays of lengths in metres.
pub(crate) type Metres<'py> = Bound<'py, PyArray1<f64>>;

/// From, to, splitter output and port of each branch, and the lengths of its feed and of itself.
pub(crate) type Branches<'py> =
    (Numbers<'py>, Numbers<'py>, Numbers<'py>, Numbers<'py>, Metres<'py>, Metres<'py>);
/// Both ends of each stretch, and the fibres in it.
pub(crate) type Stretches<'py> = (Metres<'py>, Metres<'py>, Metres<'py>, Metres<'py>, Numbers<'py>);

/// Every branch.
pub(crate) fn branches<'py>(py: Python<'py>, project: &Project) -> PyResult<Branches<'py>> {
    let arrays = short(py, || project.branch_arrays())?;
    let arrays = arrays.map_err(|error| errors::input(py, &error))?;
    Ok((
        arrays.from.into_pyarray(py),
        arrays.to.into_pyarray(py),
        arrays.output.into_pyarray(py),
        arrays.port.into_pyarray(py),
        arrays.feed_m.into_pyarray(py),
        arrays.branch_m.into_pyarray(py),
    ))
}

/// Stretches of trays, of all fibres or of some (from, and to whom; the feed without).
pub(crate) fn tray_stretches<'py>(
    py: Python<'py>,
    project: &Project,
    wanted: Option<Vec<(u32, Option<u32>)>>,
) -> PyResult<Stretches<'py>> {
    let ids = |(from, to): (u32, Option<u32>)| (TorId(from), to.map(TorId));
    let wanted: Option<Vec<_>> = wanted.map(|all| all.into_iter().map(ids).collect());
    let found = short(py, || project.tray_stretches(wanted.as_deref()))?;
    let found = found.map_err(|error| errors::input(py, &error))?;
    Ok((
        found.from_x_m.into_pyarray(py),
        found.from_y_m.into_pyarray(py),
        found.to_x_m.into_pyarray(py),
        found.to_y_m.into_pyarray(py),
        found.fibres.into_pyarray(py),
    ))
}

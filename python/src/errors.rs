//! Refusals of the scenario crate as exceptions of `lightloom.errors`, in one place.

use lightloom_scenario::{Error, InputError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// A class of `lightloom.errors`, looked up once.
struct Class {
    name: &'static str,
    held: PyOnceLock<Py<PyType>>,
}

impl Class {
    const fn new(name: &'static str) -> Self {
        Self { name, held: PyOnceLock::new() }
    }

    /// An exception of this class; where it cannot be made, the error of making it.
    fn with(&self, py: Python<'_>, message: &str, place: Option<&InputError>) -> PyErr {
        let make = || -> PyResult<PyErr> {
            let class = self.held.import(py, "lightloom.errors", self.name)?;
            let named = PyDict::new(py);
            if let Some(InputError { file, line, field, .. }) = place {
                named.set_item("file", file.as_ref().map(|file| file.display().to_string()))?;
                named.set_item("line", line)?;
                named.set_item("field", field)?;
            }
            Ok(PyErr::from_value(class.call((message,), Some(&named))?))
        };
        make().unwrap_or_else(|error| error)
    }
}

static DESIGN: Class = Class::new("DesignError");
static INFEASIBLE: Class = Class::new("InfeasibleError");
static SIMULATION: Class = Class::new("SimulationError");

/// What is wrong with a design, a flag or a folder.
pub(crate) fn design_error(py: Python<'_>, error: &InputError) -> PyErr {
    DESIGN.with(py, &error.to_string(), Some(error))
}

/// Any error of planning.
pub(crate) fn error(py: Python<'_>, error: &Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Input(input) => DESIGN.with(py, &text, Some(input)),
        Error::Folder(_) => DESIGN.with(py, &text, None),
        Error::PlanRejected(_) => INFEASIBLE.with(py, &text, None),
        Error::Twin(_) => SIMULATION.with(py, &text, None),
    }
}

/// Any error of a simulation: its scenario is wrong, or its results cannot be written.
pub(crate) fn simulation_error(py: Python<'_>, error: &Error) -> PyErr {
    let place = match error {
        Error::Input(input) => Some(input),
        _ => None,
    };
    SIMULATION.with(py, &error.to_string(), place)
}

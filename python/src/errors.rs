//! Refusals of the crate `lightloom` as exceptions of `lightloom.errors`, in one place.

use lightloom::{Error, Field, InputError, Words as _};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::keywords::Keywords;

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
            let named = PyDict::new(py);
            if let Some(refused) = place {
                let InputError { file, line, field, .. } = refused;
                let field = match field {
                    // The part stands in the message.
                    Some(Field::Part(option, _)) => Some(Keywords.option(option)),
                    _ => refused.field_text(&Keywords),
                };
                named.set_item("file", file.as_ref().map(|file| file.display().to_string()))?;
                named.set_item("line", line)?;
                named.set_item("field", field)?;
            }
            self.make(py, message, &named)
        };
        make().unwrap_or_else(|error| error)
    }

    fn make(&self, py: Python<'_>, message: &str, named: &Bound<'_, PyDict>) -> PyResult<PyErr> {
        let class = self.held.import(py, "lightloom.errors", self.name)?;
        Ok(PyErr::from_value(class.call((message,), Some(named))?))
    }
}

static BASE: Class = Class::new("LightloomError");
static DESIGN: Class = Class::new("DesignError");
static INFEASIBLE: Class = Class::new("InfeasibleError");
static SIMULATION: Class = Class::new("SimulationError");
static INTERRUPTED: Class = Class::new("Interrupted");

/// The exception of a refusal. Its message has keywords for flags.
fn refused(py: Python<'_>, class: &Class, error: &InputError) -> PyErr {
    class.with(py, &error.in_words(&Keywords), Some(error))
}

/// The exception of a wrong design, option or file.
pub(crate) fn input(py: Python<'_>, error: &InputError) -> PyErr {
    refused(py, &DESIGN, error)
}

/// The exception of any error of planning.
pub(crate) fn planning(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Input(wrong) => input(py, wrong),
        Error::Folder(_) => DESIGN.with(py, &error.to_string(), None),
        Error::PlanRejected(_) => INFEASIBLE.with(py, &error.to_string(), None),
        Error::Twin(_) => simulating(py, error),
        Error::Stopped(_) => interrupted(py, None::<Py<PyAny>>, (0, 0)),
    }
}

/// The exception of any error of a simulation: its scenario is wrong, or its results are unreliable or cannot be
/// written.
pub(crate) fn simulating(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Stopped(_) => interrupted(py, None::<Py<PyAny>>, (0, 0)),
        Error::Input(wrong) => refused(py, &SIMULATION, wrong),
        _ => SIMULATION.with(py, &error.to_string(), None),
    }
}

/// The exception of a stopped call: how much was done, and the part that its work still returns.
pub(crate) fn interrupted<'py>(
    py: Python<'py>,
    part: Option<impl IntoPyObject<'py>>,
    (done, of): (u64, u64),
) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let named = PyDict::new(py);
        let part = part.map(|part| part.into_py_any(py)).transpose()?;
        named.set_item("part", part)?;
        named.set_item("done", done)?;
        named.set_item("of", of)?;
        INTERRUPTED.make(py, "stopped before it was done", &named)
    };
    make().unwrap_or_else(|error| error)
}

/// The exception of a fault that no input should cause.
pub(crate) fn fault(py: Python<'_>, message: &str) -> PyErr {
    BASE.with(py, message, None)
}

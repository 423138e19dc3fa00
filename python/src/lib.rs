//! The extension module of the Python package `lightloom`: `lightloom-scenario` with Python's types
//! on it, and nothing of its own.

mod errors;
mod project;

use pyo3::prelude::*;

/// What the package `lightloom` is made from. Private: its types are those of the package.
#[pymodule]
mod _lightloom {
    #[pymodule_export]
    use crate::project::Project;
}

//! A design, opened.
use lightloom_scenario as scenario;
use lightloom_scenario::Request;
use lightloom_scenario::settings::Value;
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::prelude::*;
use std::sync::Arc;

use crate::errors;

/// A design, opened.
#[pyclass(frozen, module = "lightloom._lightloom")]
pub(crate) struct Project(Arc<scenario::Project>);

#[pymethods]
impl Project {
    #[new]
    fn new(py: Python<'_>, p: i64, k: i64) -> PyResult<Self> {
        let flags = vec![("fabric.p", Value::Integer(p)), ("fabric.k", Value::Integer(k))];
        let request = Request { design: None, flags };
        let opened = py.detach(|| scenario::Project::open(&request));
        opened.map(|p| Self(Arc::new(p))).map_err(|e| errors::design_error(py, &e))
    }

    fn tree<'py>(
        &self,
        py: Python<'py>,
        source: u32,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>)> {
        let t = py
            .detach(|| self.0.tree_arrays(scenario::TorId(source)))
            .map_err(|e| errors::design_error(py, &e))?;
        Ok((t.relay_row.into_pyarray(py), t.hops.into_pyarray(py)))
    }
}

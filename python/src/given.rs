//! Values of Python in place of files: the fields of a scenario, and the cells of a table.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lightloom::{Contents, Given};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList};

/// Values by the names of the files that they stand for: a dict of fields, or a pair of titles and rows of cells. The
/// package has checked their types.
pub(crate) fn given(values: Option<&Bound<'_, PyDict>>) -> PyResult<BTreeMap<PathBuf, Contents>> {
    let Some(values) = values else { return Ok(BTreeMap::new()) };
    let file = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let contents = match value.cast::<PyDict>() {
            Ok(table) => Contents::Fields(fields(table)?),
            Err(_) => {
                let (columns, rows) = value.extract()?;
                Contents::Sheet { columns, rows }
            }
        };
        Ok((name.extract()?, contents))
    };
    values.iter().map(file).collect()
}

fn fields(table: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Given)>> {
    table.iter().map(|(name, value)| Ok((name.extract()?, one(&value)?))).collect()
}

fn one(value: &Bound<'_, PyAny>) -> PyResult<Given> {
    // A Boolean is a whole number too.
    if let Ok(flag) = value.cast::<PyBool>() {
        Ok(Given::Flag(flag.is_true()))
    } else if value.is_instance_of::<PyInt>() {
        Ok(Given::Whole(value.str()?.extract()?))
    } else if value.is_instance_of::<PyFloat>() {
        Ok(Given::Number(value.repr()?.extract()?))
    } else if let Ok(items) = value.cast::<PyList>() {
        let items = items.iter().map(|item| one(&item));
        Ok(Given::List(items.collect::<PyResult<_>>()?))
    } else if let Ok(table) = value.cast::<PyDict>() {
        Ok(Given::Table(fields(table)?))
    } else {
        Ok(Given::Text(value.extract()?))
    }
}

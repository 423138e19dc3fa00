//! Requests as Python makes them.

use std::path::{Path, PathBuf};

use lightloom::plan::WrittenPlan;
use lightloom::{InputError, Request, Texts, Value, Words as _, read_option, setting, unknown_key};
use pyo3::prelude::*;

use crate::errors;
use crate::keywords::Keywords;

/// A value of a key; the Python layer has looked at its type.
#[derive(FromPyObject)]
pub(crate) enum Said {
    Integer(i64),
    Text(String),
    List(Vec<String>),
}

impl From<Said> for Value {
    fn from(said: Said) -> Self {
        match said {
            Said::Integer(number) => Self::Integer(number),
            Said::Text(text) => Self::Text(text),
            Said::List(list) => Self::List(list),
        }
    }
}

/// Every key of a design: its name, the keyword argument that says the same, the kind of its value
/// (whole, number, text, path or list), and what one value is, as the end of "expected".
#[pyfunction]
pub(crate) fn keys() -> Vec<(&'static str, String, &'static str, String)> {
    setting::all()
        .iter()
        .map(|key| (key.name, Keywords.setting(key), key.takes.kind(), key.takes.one()))
        .collect()
}

/// A request of values by key, over those of a design file.
pub(crate) fn request(
    py: Python<'_>,
    said: Vec<(String, Said)>,
    design: Option<PathBuf>,
    texts: Texts,
) -> PyResult<Request> {
    let keys = setting::all();
    let known = |(name, value): (String, Said)| {
        let key = keys
            .iter()
            .find(|key| key.name == name)
            .ok_or_else(|| errors::input(py, &unknown_key(&name)))?;
        Ok((*key, value.into()))
    };
    let flags = said.into_iter().map(known).collect::<PyResult<_>>()?;
    Ok(Request { design, flags, texts })
}

/// The plan in a folder, and the memory that work on it may take.
pub(crate) fn within<'a>(
    folder: &'a Path,
    memory: Option<&str>,
) -> Result<WrittenPlan<'a>, InputError> {
    Ok(WrittenPlan::within(folder, read_option("memory", memory)?))
}

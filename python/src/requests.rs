//! Requests as Python makes them.

use std::path::PathBuf;

use lightloom::plan::WrittenPlan;
use lightloom::{InputError, Request, Texts, Value, Words as _, read_option, setting, unknown_key};
use pyo3::prelude::*;

use crate::errors;
use crate::keywords::Keywords;

/// A value of a setting. The Python package has checked its type.
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

/// Every setting of a design: its key, its keyword argument, the kind of its value (whole, number, text, path or list),
/// and the words after "expected" in a refusal of one value.
#[pyfunction]
pub(crate) fn keys() -> Vec<(&'static str, String, &'static str, String)> {
    setting::all()
        .iter()
        .map(|key| (key.name, Keywords.setting(key), key.takes.kind(), key.takes.one()))
        .collect()
}

/// A request: values by key, which override those of a design file.
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

/// The folder of a plan, and the memory that work on it may take, such as `8 GB`.
#[derive(FromPyObject)]
pub(crate) struct InFolder(PathBuf, Option<String>);

impl InFolder {
    /// The plan in the folder.
    pub(crate) fn plan(&self) -> Result<WrittenPlan<'_>, InputError> {
        Ok(WrittenPlan::within(&self.0, read_option("memory", self.1.as_deref())?))
    }
}

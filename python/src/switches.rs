//! Questions about the switches of a plan.

use std::path::PathBuf;

use lightloom::InputError;
use lightloom::configs::{ConfigsOptions, Dialect, Encoding, lint as find};
use pyo3::prelude::*;

use crate::asking::ask;
use crate::long::{Answer, quiet};
use crate::project::Project;

/// The choice that a word names.
fn choice<T>(
    option: &'static str,
    word: Option<&str>,
    named: fn(&str) -> Option<T>,
    words: &[&str],
) -> Result<Option<T>, InputError> {
    let read = |word: &str| {
        named(word).ok_or_else(|| {
            let words = words.join(", ");
            InputError::new(format!("found {word:?}; expected one of {words}")).in_option(option)
        })
    };
    word.map(read).transpose()
}

/// What would go wrong on the switches of a project.
#[pyfunction]
pub(crate) fn lint(
    py: Python<'_>,
    project: PyRef<'_, Project>,
    dialect: Option<String>,
    encoding: Option<String>,
    groups: Option<PathBuf>,
    files: Option<PathBuf>,
) -> Answer {
    let project = project.cloned();
    ask(&quiet(py), move |_| {
        let dialect = choice("dialect", dialect.as_deref(), Dialect::named, &Dialect::names())?;
        let encoding =
            choice("encoding", encoding.as_deref(), Encoding::named, &Encoding::names())?;
        let options =
            ConfigsOptions { dialect, encoding, groups, files, ..ConfigsOptions::default() };
        find(&project, &options)
    })
}

//! Configurations of switches.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lightloom::configs::{
    ConfigsOptions, Manifest, ReadBackOptions, RolloutManifest, config_files, rollout_files,
    verify_switches, write_configs, write_rollout,
};
use lightloom::plan::open_written;
use lightloom::{Error, Texts, Watch};
use pyo3::prelude::*;
use serde::Serialize;

use crate::asking::ask;
use crate::project::Project;
use crate::requests::within;

/// What was made, and the texts of its files by name.
#[derive(Serialize)]
struct Made<T> {
    #[serde(flatten)]
    manifest: T,
    texts: BTreeMap<String, String>,
}

/// A fabric, or the folder of a plan.
#[derive(FromPyObject)]
pub(crate) enum Source<'py> {
    /// A fabric.
    Fabric(PyRef<'py, Project>),
    /// The folder of a plan, whose files are checked, and the memory that this may take.
    Folder(PathBuf, Option<String>),
}

/// A source without Python in it.
enum Opened {
    Fabric(Box<lightloom::Project>),
    Folder(PathBuf, Option<String>),
}

impl Source<'_> {
    fn opened(self) -> Opened {
        match self {
            Self::Fabric(project) => Opened::Fabric(Box::new(project.cloned())),
            Self::Folder(folder, memory) => Opened::Folder(folder, memory),
        }
    }
}

impl Opened {
    fn project(self, watch: Watch<'_>) -> Result<lightloom::Project, Error> {
        match self {
            Self::Fabric(project) => Ok(*project),
            Self::Folder(folder, memory) => {
                open_written(within(&folder, memory.as_deref())?, watch)
            }
        }
    }
}

/// The configurations of all switches. `out`: a folder to write them to.
#[pyfunction]
pub(crate) fn configs(
    py: Python<'_>,
    source: Source<'_>,
    dialect: String,
    encoding: Option<String>,
    groups: Option<PathBuf>,
    out: Option<PathBuf>,
) -> PyResult<Py<PyAny>> {
    let source = source.opened();
    let question = move |watch: Watch<'_>| -> Result<Made<Manifest>, Error> {
        let options = ConfigsOptions::read(&dialect, encoding.as_deref(), groups)?;
        let project = source.project(watch)?;
        let (manifest, files) = config_files(&project, &options)?;
        if let Some(out) = &out {
            watch.check()?;
            write_configs(&project, &options, out, &files)?;
        }
        Ok(Made { manifest, texts: texts(files) })
    };
    ask(py, None, question)
}

/// What changes from one plan to another. `out`: a folder to write it to.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the package hands on each keyword")]
pub(crate) fn configs_diff(
    py: Python<'_>,
    old: Source<'_>,
    new: Source<'_>,
    dialect: String,
    encoding: Option<String>,
    groups: Option<PathBuf>,
    out: Option<PathBuf>,
    old_groups: Option<PathBuf>,
) -> PyResult<Py<PyAny>> {
    let (old, new) = (old.opened(), new.opened());
    let question = move |watch: Watch<'_>| -> Result<Made<RolloutManifest>, Error> {
        let options = ConfigsOptions::read(&dialect, encoding.as_deref(), groups)?;
        let options = ConfigsOptions { old_groups, ..options };
        let (old, new) = (old.project(watch)?, new.project(watch)?);
        let (manifest, files) = rollout_files(&old, &new, &options)?;
        if let Some(out) = &out {
            watch.check()?;
            write_rollout((&old, &new), &options, out, &files)?;
        }
        Ok(Made { manifest, texts: texts(files) })
    };
    ask(py, None, question)
}

/// What was read back from switches, compared with what they were given.
#[pyfunction]
pub(crate) fn verify_configs(
    py: Python<'_>,
    configs: PathBuf,
    read_back: PathBuf,
    partial: bool,
) -> PyResult<Py<PyAny>> {
    let options = ReadBackOptions { partial };
    ask(py, None, move |_| Ok(verify_switches(&configs, &read_back, options, &Texts::default())?))
}

fn texts(files: Vec<(String, Vec<u8>)>) -> BTreeMap<String, String> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    files.into_iter().map(|(name, bytes)| (name, text(bytes))).collect()
}

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
use crate::long::{Answer, quiet};
use crate::project::Project;
use crate::requests::InFolder;

/// A manifest with the texts of its files by name.
#[derive(Serialize)]
struct Made<T> {
    #[serde(flatten)]
    manifest: T,
    texts: BTreeMap<String, String>,
}

/// A fabric, or the folder of a plan, whose files are checked.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Fabric(Py<Project>),
    Folder(InFolder),
}

impl Source {
    fn project(&self, watch: Watch<'_>) -> Result<lightloom::Project, Error> {
        match self {
            Self::Fabric(project) => Ok(project.get().cloned()),
            Self::Folder(folder) => open_written(folder.plan()?, watch),
        }
    }
}

/// The configurations of all switches. `out`: a folder to write them to.
#[pyfunction]
pub(crate) fn configs(
    py: Python<'_>,
    source: Source,
    dialect: String,
    encoding: Option<String>,
    groups: Option<PathBuf>,
    out: Option<PathBuf>,
) -> Answer {
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
    ask(&quiet(py), question)
}

/// The rollout from one plan to another. `out`: a folder to write it to.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the package hands on each keyword")]
pub(crate) fn configs_diff(
    py: Python<'_>,
    old: Source,
    new: Source,
    dialect: String,
    encoding: Option<String>,
    groups: Option<PathBuf>,
    out: Option<PathBuf>,
    old_groups: Option<PathBuf>,
) -> Answer {
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
    ask(&quiet(py), question)
}

/// The tables that were read back from switches, compared with their configurations.
#[pyfunction]
pub(crate) fn verify_configs(
    py: Python<'_>,
    configs: PathBuf,
    read_back: PathBuf,
    partial: bool,
) -> Answer {
    let options = ReadBackOptions { partial };
    ask(&quiet(py), move |_| Ok(verify_switches(&configs, &read_back, options, &Texts::default())?))
}

fn texts(files: Vec<(String, Vec<u8>)>) -> BTreeMap<String, String> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    files.into_iter().map(|(name, bytes)| (name, text(bytes))).collect()
}

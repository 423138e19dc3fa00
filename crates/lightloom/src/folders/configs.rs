//! Writes configurations and rollouts to folders.

use std::path::Path;

use lightloom_dialects::folder::ConfigFiles;
use lightloom_export::output::kind::Terms;
use lightloom_export::output::{Inputs, folder, kinds};
use lightloom_plan::project::Project;
use lightloom_request::Error;
use lightloom_watch::Watch;

use super::plan::inputs_of;
use crate::in_memory::configs::{
    ConfigsOptions, ConfigsReport, RolloutReport, config_files, optical, rollout_files,
};

/// Writes the configurations of all switches of a plan to a folder.
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
pub fn configs(
    project: &Project,
    options: &ConfigsOptions,
    out: &Path,
) -> Result<ConfigsReport, Error> {
    let (optical, reach) = (optical(project, Watch::quiet())?, project.reach(Watch::quiet())?);
    let (manifest, files) = config_files(project, options)?;
    write_configs(project, options, out, &files)?;
    Ok(ConfigsReport { out: out.to_path_buf(), files: files.len(), optical, reach, manifest })
}

/// Writes files that [`config_files`] made to a folder.
///
/// # Errors
/// [`Error::Folder`]. `out` is then unchanged.
pub fn write_configs(
    project: &Project,
    options: &ConfigsOptions,
    out: &Path,
    files: &ConfigFiles,
) -> Result<(), Error> {
    let inputs = inputs_of(project).and(inputs_of_groups(options));
    Ok(folder::write(out, files, Terms::of(&kinds::CONFIGS, &inputs))?)
}

/// The files of groups.
fn inputs_of_groups(options: &ConfigsOptions) -> Inputs {
    Inputs::of(options.groups.iter().chain(&options.old_groups))
}

/// Writes files that [`rollout_files`] made to a folder.
///
/// # Errors
/// [`Error::Folder`]. `out` is then unchanged.
pub fn write_rollout(
    (old, new): (&Project, &Project),
    options: &ConfigsOptions,
    out: &Path,
    files: &ConfigFiles,
) -> Result<(), Error> {
    let inputs = inputs_of(old).and(inputs_of(new)).and(inputs_of_groups(options));
    Ok(folder::write(out, files, Terms::of(&kinds::OF_ROLLOUT, &inputs))?)
}

/// Writes the changes from the rules of one plan to those of another to a folder.
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
pub fn configs_diff(
    old: &Project,
    new: &Project,
    options: &ConfigsOptions,
    out: &Path,
) -> Result<RolloutReport, Error> {
    let (optical, reach) = (optical(new, Watch::quiet())?, new.reach(Watch::quiet())?);
    let (manifest, files) = rollout_files(old, new, options)?;
    write_rollout((old, new), options, out, &files)?;
    Ok(RolloutReport { out: out.to_path_buf(), files: files.len(), optical, reach, manifest })
}

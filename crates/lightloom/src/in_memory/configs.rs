//! Makes configurations of switches and rollouts between them.

use std::path::{Path, PathBuf};

use lightloom_dialects::dialect::Dialect;
use lightloom_dialects::folder::{ConfigFiles, Manifest, files};
use lightloom_dialects::rollout::{
    RolloutManifest, {self},
};
use lightloom_input::groups;
use lightloom_plan::budget::PlanLight;
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_plan::prove::Optical;
use lightloom_plan::standing::Reach;
use lightloom_request::{Error, InputError, Texts};
use lightloom_switching::encoding::Encoding;
use lightloom_switching::fabric::{Configs, check_memory};
use lightloom_switching::rollout::Rollout;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What configurations are asked for.
#[derive(Debug, Clone, Default)]
pub struct ConfigsOptions {
    /// The dialect.
    pub dialect: Option<Dialect>,
    /// How entries match sources. `None`: masked.
    pub encoding: Option<Encoding>,
    /// The file of servers and groups. `None`: no servers.
    pub groups: Option<PathBuf>,
    /// For changes, the file of servers and groups of the old rules. `None`: the same file as for the new ones.
    pub old_groups: Option<PathBuf>,
    /// For [`lint`](super::lint::lint), a folder with the files that switches have. `None`: what is planned alone is
    /// looked at.
    pub files: Option<PathBuf>,
    /// Where the texts of these files come from.
    pub texts: Texts,
}

impl ConfigsOptions {
    /// Reads the words for dialect and encoding.
    ///
    /// # Errors
    /// [`InputError`] for an unknown word.
    pub fn read(
        dialect: &str,
        encoding: Option<&str>,
        groups: Option<PathBuf>,
    ) -> Result<Self, InputError> {
        let refuse = |option, found: &str, words: Vec<&str>| {
            let words = words.join(", ");
            InputError::new(format!("found {found:?}; expected one of {words}")).in_option(option)
        };
        let read = Dialect::named(dialect);
        let dialect = read.ok_or_else(|| refuse("dialect", dialect, Dialect::names()))?;
        let read = |word: &str| {
            Encoding::named(word).ok_or_else(|| refuse("encoding", word, Encoding::names()))
        };
        let encoding = encoding.map(read).transpose()?;
        Ok(Self { dialect: Some(dialect), encoding, groups, ..Self::default() })
    }

    /// How entries match sources.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or(Encoding::Masked)
    }
}

/// The configurations that were written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfigsReport {
    /// The folder that was written.
    pub out: PathBuf,
    /// Number of files.
    pub files: usize,
    /// Whether the light of the plan arrives. Configurations are written in any case.
    pub optical: Optical,
    /// Whom the rules of the plan reach, with its failures.
    #[serde(flatten)]
    pub reach: Reach,
    /// What they are.
    #[serde(flatten)]
    pub manifest: Manifest,
}

/// Whether the light of a plan arrives, for those who make something from it that does not depend on its light.
///
/// # Errors
/// [`Error`] if the plan cannot be laid, or if the work was stopped.
pub fn optical(project: &Project, watch: Watch<'_>) -> Result<Optical, Error> {
    let Some(chosen) = project.optics() else { return Ok(Optical::NotAssessed) };
    Ok(Optical::Assessed(PlanLight::of(project.laid()?.plant(), chosen, watch)?.verdict))
}

/// The configurations of all switches of a plan.
///
/// # Examples
/// ```
/// # use lightloom::{Request, open, setting};
/// # use lightloom::configs::{ConfigsOptions, config_files};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let (manifest, files) = config_files(&open(&request)?, &ConfigsOptions::default())?;
/// assert_eq!(manifest.switches.len(), 12);
/// assert!(files.iter().any(|(name, _)| name == "tor-07.flows"));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the groups are wrong or a table does not fit.
pub fn config_files(
    project: &Project,
    options: &ConfigsOptions,
) -> Result<(Manifest, ConfigFiles), Error> {
    check_memory(project, options.encoding(), Work::Configured)?;
    let configs = decided(project, options, options.groups.as_deref())?;
    Ok(files(&configs, options.dialect.unwrap_or(Dialect::Openflow))?)
}

/// The rollout that was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RolloutReport {
    /// The folder that was written.
    pub out: PathBuf,
    /// Number of files.
    pub files: usize,
    /// Whether the light of the new plan arrives.
    pub optical: Optical,
    /// Whom the rules of the new plan reach, with its failures.
    #[serde(flatten)]
    pub reach: Reach,
    /// The phases.
    #[serde(flatten)]
    pub manifest: RolloutManifest,
}

/// The changes from the rules of one plan to those of another, in the order of their phases, and the way back, by name
/// of file. Failures of both plans last all the time: a mended part goes back into service afterwards.
///
/// # Errors
/// [`Error`] if the groups are wrong, or if a state on the way is not safe.
pub fn rollout_files(
    old: &Project,
    new: &Project,
    options: &ConfigsOptions,
) -> Result<(RolloutManifest, ConfigFiles), Error> {
    for project in [old, new] {
        check_memory(project, options.encoding(), Work::Configured)?;
    }
    let of_old = options.old_groups.as_deref().or(options.groups.as_deref());
    let before = decided(old, options, of_old)?;
    let after = decided(new, options, options.groups.as_deref())?;
    let there = Rollout::new(&before, &after)?;
    let back = Rollout::new(&after, &before)?;
    Ok(rollout::files(
        &before,
        &after,
        options.dialect.unwrap_or(Dialect::Openflow),
        &there,
        &back,
    )?)
}

/// What the switches of a plan are told.
fn decided<'a>(
    project: &'a Project,
    options: &ConfigsOptions,
    file: Option<&Path>,
) -> Result<Configs<'a>, Error> {
    let encoding = options.encoding();
    let (addresses, servers, lossless) = groups::read(project, encoding, file, &options.texts)?;
    Ok(Configs::new(project, encoding, addresses, servers)?.with_lossless(lossless))
}

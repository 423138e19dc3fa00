//! Takes what came back from the hall into a plan.

use std::path::PathBuf;

use lightloom_export as export;
use lightloom_input::as_built::Returned;
use lightloom_plan::as_built::report::{AsBuiltReport, record};
use lightloom_plan::as_built::taking::{AstrayReport, Taken};
use lightloom_plan::project::Project;
use lightloom_plan::prove::Optical;
use lightloom_request::{Error, Files, InputError};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::{PlanFiles, proved_files};

/// Answer to a returned sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TakenReport {
    /// Whether all light arrives where it should, its budget closes, and every measured branch passes.
    pub good: bool,
    /// Transmitters whose light arrives elsewhere than planned. If there are any, no plan is written.
    pub astray: Vec<AstrayReport>,
    /// The plugs to move to where they were planned, so that light arrives.
    pub move_back: Vec<String>,
    /// Branches whose results are left out, because other cables were put in their way after they were measured.
    pub measure_again: Vec<String>,
    /// What is otherwise than planned, with all that was told before. `None`: light arrives elsewhere, or nothing is.
    pub as_built: Option<AsBuiltReport>,
    /// Whether the light arrives with the lengths and connectors as built. `None`: light arrives elsewhere.
    pub optical: Option<Optical>,
    /// The folder that was written. `None`: no folder was named, or light arrives elsewhere.
    pub out: Option<PathBuf>,
}

/// A plan as it was built, in memory.
#[derive(Debug, Clone)]
pub struct TakenFiles {
    /// The answer.
    pub report: TakenReport,
    /// The files of the plan's folder. Empty if light arrives elsewhere.
    pub files: Files,
}

/// Takes a returned sheet into a plan, and returns the files of the plan as it was built.
///
/// # Errors
/// [`Error`] if the sheet is wrong or of another plan, or if the work was stopped.
pub fn take_files(
    project: &Project,
    returned: &Returned,
    watch: Watch<'_>,
) -> Result<TakenFiles, Error> {
    returned.is_of(project.laid()?.plant(), project.optics())?;
    let (project, measure_again) =
        match project.taking(&returned.told, &|fault| returned.place(fault))? {
            Taken::Built { project, measure_again } => (project, measure_again),
            Taken::Astray { astray, move_back } => return Ok(misled(astray, move_back)),
        };
    let PlanFiles { report: plan, files } = proved_files(&project, watch)?;
    let passes = plan.as_built.as_ref().is_none_or(|built| built.failed.is_empty());
    let report = TakenReport {
        good: passes && plan.lit(),
        astray: Vec::new(),
        move_back: Vec::new(),
        measure_again,
        optical: Some(plan.optical),
        as_built: plan.as_built,
        out: None,
    };
    Ok(TakenFiles { report, files })
}

/// The answer where light arrives elsewhere.
fn misled(astray: Vec<AstrayReport>, move_back: Vec<String>) -> TakenFiles {
    let report = TakenReport {
        good: false,
        astray,
        move_back,
        measure_again: Vec::new(),
        as_built: None,
        optical: None,
        out: None,
    };
    TakenFiles { report, files: Files::new() }
}

/// The form that crews fill in and return, for a project: a row for each cord, trunk and connector.
///
/// # Errors
/// [`InputError`] if the project cannot be laid.
pub fn blank_form(project: &Project) -> Result<Vec<u8>, InputError> {
    Ok(export::as_built::form(project.laid()?.plant(), project.optics()))
}

/// What a project has that was built otherwise than planned. `None`: nothing is known of it.
///
/// # Errors
/// [`InputError`] if the project cannot be laid.
pub fn as_built(project: &Project) -> Result<Option<AsBuiltReport>, InputError> {
    Ok(record(&project.laid()?)?.map(|built| built.summary))
}

/// The form that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormReport {
    /// The file.
    pub form: PathBuf,
    /// Number of its rows below the titles.
    pub rows: usize,
}

//! Takes back what crews tell of a written plan.

#[cfg(feature = "folders")]
use std::path::Path;
use std::path::PathBuf;

use lightloom_export as export;
#[cfg(feature = "folders")]
use lightloom_export::output::Inputs;
use lightloom_input::as_built::Returned;
#[cfg(feature = "folders")]
use lightloom_input::as_built::read;
#[cfg(feature = "folders")]
use lightloom_input::plan_folder::WrittenPlan;
use lightloom_plan::as_built::report::{AsBuiltReport, record};
use lightloom_plan::as_built::taking::{AstrayReport, Taken};
use lightloom_plan::laid::lay;
use lightloom_plan::project::Project;
use lightloom_plan::prove::Optical;
#[cfg(feature = "folders")]
use lightloom_request::Texts;
use lightloom_request::{Error, Files, InputError};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(feature = "folders")]
use crate::editing::write_new;
#[cfg(feature = "folders")]
use crate::opening::open_written;
use crate::planning::{PlanFiles, proved_files};
#[cfg(feature = "folders")]
use crate::planning::{check_out, inputs_of, write_plan};

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
    returned.is_of(&lay(project)?, project.optics.as_ref())?;
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

/// Takes a returned sheet into the plan in a folder, and writes the plan as it was built to `out`. Without `out`
/// nothing is written.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, plan, setting, take_as_built, verify_folder};
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// # let (old, new) = (place.path().join("old"), place.path().join("new"));
/// let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// plan(&open(&request)?, &old, Watch::quiet())?;
/// let sheet = place.path().join("returned.csv");
/// std::fs::write(&sheet, "label,length_m,note\nB3.1,25,round the pillar\n").expect("it can be written");
/// let taken = take_as_built(&old, &sheet, Some(&new), Watch::quiet())?;
/// assert!(taken.good && verify_folder(&new, Watch::quiet())?.good);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the plan is not correct, or if the sheet is wrong. `out` is then unchanged.
#[cfg(feature = "folders")]
pub fn take_as_built<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    returned: &Path,
    out: Option<&Path>,
    watch: Watch<'_>,
) -> Result<TakenReport, Error> {
    let sheet = returned;
    let returned = read(sheet, &Texts::default())?;
    if let Some(out) = out {
        check_out(out)?;
    }
    let project = open_written(plan, watch)?;
    let TakenFiles { mut report, files } = take_files(&project, &returned, watch)?;
    if let (Some(out), false) = (out, files.is_empty()) {
        let inputs = inputs_of(&project).and(Inputs::of([sheet]));
        write_plan(out, &files, &inputs, watch)?;
        report.out = Some(out.to_path_buf());
    }
    Ok(report)
}

/// The form that crews fill in and return: a row for each cord, trunk and connector of a plan.
///
/// # Errors
/// [`Error`] if the plan in the folder cannot be read, or if its files are not what its `plan.json` says.
#[cfg(feature = "folders")]
pub fn as_built_form<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    watch: Watch<'_>,
) -> Result<Vec<u8>, Error> {
    Ok(blank_form(&open_written(plan, watch)?)?)
}

/// The form that crews fill in and return, for a project: a row for each cord, trunk and connector.
///
/// # Errors
/// [`InputError`] if the project cannot be laid.
pub fn blank_form(project: &Project) -> Result<Vec<u8>, InputError> {
    Ok(export::as_built::form(&lay(project)?, project.optics.as_ref()))
}

/// What a project has that was built otherwise than planned. `None`: nothing is known of it.
///
/// # Errors
/// [`InputError`] if the project cannot be laid.
pub fn as_built(project: &Project) -> Result<Option<AsBuiltReport>, InputError> {
    Ok(record(project, &lay(project)?)?.map(|built| built.summary))
}

/// Writes the form that crews fill in and return. A file that is there is not replaced.
///
/// # Errors
/// As [`as_built_form`]; also if the file is there or cannot be written.
#[cfg(feature = "folders")]
pub fn write_as_built_form<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    file: &Path,
    watch: Watch<'_>,
) -> Result<FormReport, Error> {
    let form = as_built_form(plan, watch)?;
    write_new(file, &form, &Inputs::default())?;
    let rows = form.iter().filter(|&&byte| byte == b'\n').count() - 1;
    Ok(FormReport { form: file.to_path_buf(), rows })
}

/// The form that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormReport {
    /// The file.
    pub form: PathBuf,
    /// Number of its rows below the titles.
    pub rows: usize,
}

//! Writes the report and the drawings of the plan in a folder.

use std::path::Path;

use lightloom_audit::examine_folder;
use lightloom_export::output::{Inputs, page};
use lightloom_export::pictures::elevations::{Which, sheets};
use lightloom_export::pictures::{drawings, floor_plan};
use lightloom_export::report::FileHash;
use lightloom_input::plan_folder::WrittenPlan;
use lightloom_plan::project::Project;
use lightloom_request::{Error, InputError, Texts};
use lightloom_watch::Watch;

use super::opening::open_written;
use super::plan::inputs_of;
use crate::in_memory::plan::plan_files;
use crate::in_memory::report::{
    ReportOptions, Reported, check_date, report_of_examined, report_texts,
};

/// The report of the plan in a folder, as a text of HTML, and whether the plan is good. The plan is made and proved
/// again, and its files are compared.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::plan::plan;
/// # use lightloom::report::{ReportOptions, report};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let (project, folder) = (open(&request)?, place.path().join("plan"));
/// plan(&project, &folder, Watch::quiet())?;
/// let options = ReportOptions { date: Some("2026-03-31".into()), design: Some(project) };
/// let (text, good) = report(&folder, &options, Watch::quiet())?;
/// assert!(good && text.contains("2026-03-31"));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if a file of the folder is missing or broken, if the date is none, or if the plan is not one of the
/// design.
pub fn report<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    options: &ReportOptions,
    watch: Watch<'_>,
) -> Result<(String, bool), Error> {
    check_date(options)?;
    report_of_examined(examine_folder(plan, watch)?, options, watch)
}

/// The report of a project's plan, which is made for it in memory, and whether the plan is good.
///
/// # Errors
/// As [`report`]; also if the plan cannot be made.
pub fn report_of(
    project: &Project,
    options: &ReportOptions,
    watch: Watch<'_>,
) -> Result<(String, bool), Error> {
    check_date(options)?;
    let folder = Path::new("plan");
    let files = plan_files(project, watch)?.files;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let texts = files.into_iter().map(|(name, bytes)| (folder.join(name), text(bytes)));
    report_texts(folder, &Texts::keeping(texts.collect()), options, watch)
}

/// Writes [`report`] to a file. A report that is there is replaced.
///
/// # Errors
/// As [`report`]; also if the file cannot be written, is no report, or would lie in the plan's folder.
pub fn write_report<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    options: &ReportOptions,
    out: &Path,
    watch: Watch<'_>,
) -> Result<Reported, Error> {
    let inputs = options.design.as_ref().map(inputs_of).unwrap_or_default();
    page::check(out, &inputs)?;
    let (text, good) = report(plan, options, watch)?;
    watch.progress(1, 1)?;
    Ok(written(out, &text, good, &inputs)?)
}

/// The floor plan and the elevations of all racks of the plan in a folder, as a text of HTML that prints on A3.
///
/// # Errors
/// [`Error`] if a file of the folder is missing or broken, or if its files are not what its `plan.json` says.
pub fn draw<'a>(plan: impl Into<WrittenPlan<'a>>, watch: Watch<'_>) -> Result<String, Error> {
    Ok(drawings_of(&open_written(plan, watch)?)?)
}

/// The floor plan and the elevations of all racks of a project, as a text of HTML that prints on A3.
///
/// # Errors
/// [`InputError`] if the project cannot be laid.
pub fn drawings_of(project: &Project) -> Result<String, InputError> {
    let laid = project.laid()?;
    let mut drawn = vec![floor_plan::sheet(&laid)];
    drawn.extend(sheets(&laid, Which::All));
    let title = format!("Drawings of a multicast fabric of {} ToRs", project.fabric().tors());
    Ok(drawings(&title, &drawn))
}

/// Writes [`draw`] to a file. A file of drawings that is there is replaced.
///
/// # Errors
/// As [`draw`]; also if the file cannot be written, is no report, or would lie in the plan's folder.
pub fn write_drawings<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    out: &Path,
    watch: Watch<'_>,
) -> Result<Reported, Error> {
    let inputs = Inputs::default();
    page::check(out, &inputs)?;
    Ok(written(out, &draw(plan, watch)?, true, &inputs)?)
}

fn written(out: &Path, text: &str, good: bool, inputs: &Inputs) -> Result<Reported, InputError> {
    page::write(out, text, inputs)?;
    let FileHash { bytes, sha256, .. } = FileHash::of("", text.as_bytes());
    Ok(Reported { out: out.to_path_buf(), bytes, sha256, good })
}

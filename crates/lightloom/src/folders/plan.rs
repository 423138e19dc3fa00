//! Writes plans, and repairs computed in advance, to folders.

use std::path::Path;

use lightloom_export::output::kind::Terms;
use lightloom_export::output::{Inputs, folder, kinds};
use lightloom_plan::assumed;
use lightloom_plan::facts::{doubled_report, other_family};
use lightloom_plan::project::Project;
use lightloom_request::{Error, Files};
use lightloom_watch::{Stopped, Watch};

use crate::in_memory::plan::{PlanFiles, Planned, plan_files};

/// Checks that a plan may be written to `out`, and repairs what an interrupted run left there. [`plan`] does
/// the same at its end. Call this first, before long work.
///
/// # Examples
/// ```
/// # use lightloom::Error;
/// # use lightloom::plan::check_out;
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// assert!(check_out(&place.path().join("plan")).is_ok());
///
/// // A folder with other files is refused.
/// std::fs::write(place.path().join("thesis.tex"), "").expect("it can be written");
/// assert!(matches!(check_out(place.path()), Err(Error::Folder(_))));
/// ```
///
/// # Errors
/// [`Error::Folder`] if `out` cannot be replaced.
pub fn check_out(out: &Path) -> Result<(), Error> {
    Ok(folder::check(out, Terms::of(&kinds::PLAN, &Inputs::default()))?)
}

/// Makes, proves and writes a plan.
///
/// # Examples
/// ```
/// use lightloom::{Request, Watch, open, setting};
/// use lightloom::plan::plan;
///
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let folder = place.path().join("plan");
/// let planned = plan(&open(&request)?, &folder, Watch::quiet())?;
/// assert_eq!(planned.report.verification.sources_checked, 12);
/// assert!(folder.join("cables.csv").exists());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
pub fn plan(project: &Project, out: &Path, watch: Watch<'_>) -> Result<Planned, Error> {
    let PlanFiles { report, files } = plan_files(project, watch)?;
    let (other_family, doubled) = (other_family(project, watch)?, doubled_report(project));
    write_plan(out, &files, &inputs_of(project), watch)?;
    let of_proof = assumed::of_proof(&report.verification);
    let prices = report.assumed_prices.clone();
    let assumed = project.assumed().iter().cloned().chain(of_proof).chain(prices).collect();
    let (out, inventory) = (out.to_path_buf(), project.inventory_report());
    Ok(Planned { report, out, assumed, other_family, doubled, inventory, placed: None })
}

/// The files that a project was read from.
pub(crate) fn inputs_of(project: &Project) -> Inputs {
    Inputs::of(project.design().settings.texts().files())
}

/// Replaces a plan folder in one step, unless the work is stopped before.
pub(crate) fn write_plan(
    out: &Path,
    files: &Files,
    inputs: &Inputs,
    watch: Watch<'_>,
) -> Result<(), Error> {
    write_folder(out, files, Terms::of(&kinds::PLAN, inputs), watch)
}

/// Replaces a folder in one step, unless the work is stopped before.
pub(crate) fn write_folder(
    out: &Path,
    files: &Files,
    terms: Terms<'_>,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let written = folder::write_if(out, files, terms, &mut || watch.progress(1, 1).is_ok())?;
    if written { Ok(()) } else { Err(Stopped.into()) }
}

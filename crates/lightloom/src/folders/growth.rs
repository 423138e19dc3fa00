//! Grows and shrinks the plan of a folder.

use std::path::Path;

use lightloom_input::open;
use lightloom_input::plan_folder::WrittenPlan;
use lightloom_plan::growth::{GrowOptions, ShrinkOptions};
use lightloom_plan::project::Project;
use lightloom_request::{Error, Request};
use lightloom_watch::Watch;

use super::opening::open_written;
use super::plan::{inputs_of, write_plan};
use crate::in_memory::growth::{GrowReport, GrownFiles, grow_files, shrink_files};

/// Grows the plan in a folder, and writes the new plan to `out`. Without `out` nothing is written. `inventory` is
/// a file with all racks of the plan and more.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::growth::{GrowOptions, grow};
/// # use lightloom::plan::{plan, verify_folder};
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// # let (old, new) = (place.path().join("old"), place.path().join("new"));
/// let request = Request::default()
///     .say(&setting::fabric::P, 2_u32)
///     .say(&setting::fabric::TORS, 12_u32)
///     .say(&setting::splitters::HOUSING, "receiver");
/// plan(&open(&request)?, &old, Watch::quiet())?;
/// let options = GrowOptions { tors: Some(20), ..GrowOptions::default() };
/// grow(&old, &options, None, Some(&new), Watch::quiet())?;
/// assert!(verify_folder(&new, Watch::quiet())?.good);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the plan is not correct or cannot grow as asked. `out` is then unchanged.
pub fn grow<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    options: &GrowOptions,
    inventory: Option<&Path>,
    out: Option<&Path>,
    watch: Watch<'_>,
) -> Result<GrowReport, Error> {
    options.sequence()?;
    let project = verified(plan.into(), out, watch)?;
    written(grow_project(&project, options, inventory, watch)?, (out, &project), watch)
}

/// As [`grow_files`], where `inventory` is a file with all racks of the plan and more.
///
/// # Errors
/// [`Error`] if the inventory is wrong, if the plan cannot grow as asked, or if the work was stopped.
pub fn grow_project(
    project: &Project,
    options: &GrowOptions,
    inventory: Option<&Path>,
    watch: Watch<'_>,
) -> Result<GrownFiles, Error> {
    let listed = match inventory {
        Some(path) => {
            let path = path.to_string_lossy().into_owned();
            let request =
                Request::default().say(&lightloom_request::setting::hall::INVENTORY, path.as_str());
            open::inventory(&request)?
        }
        None => None,
    };
    grow_files(project, options, listed.as_ref(), watch)
}

/// Shrinks the plan in a folder, and writes the new plan to `out`. Without `out` nothing is written.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::growth::{ShrinkOptions, shrink};
/// # use lightloom::plan::{plan, verify_folder};
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// # let (old, new) = (place.path().join("old"), place.path().join("new"));
/// let request = Request::default()
///     .say(&setting::fabric::P, 2_u32)
///     .say(&setting::fabric::TORS, 12_u32)
///     .say(&setting::splitters::HOUSING, "receiver");
/// plan(&open(&request)?, &old, Watch::quiet())?;
/// let options = ShrinkOptions { tors: Some(10), ..ShrinkOptions::default() };
/// shrink(&old, &options, Some(&new), Watch::quiet())?;
/// assert!(verify_folder(&new, Watch::quiet())?.good);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the plan is not correct or cannot shrink as asked. `out` is then unchanged.
pub fn shrink<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    options: &ShrinkOptions,
    out: Option<&Path>,
    watch: Watch<'_>,
) -> Result<GrowReport, Error> {
    let project = verified(plan.into(), out, watch)?;
    written(shrink_files(&project, options, watch)?, (out, &project), watch)
}

/// The project of a plan whose files are correct, to build on.
fn verified(plan: WrittenPlan<'_>, out: Option<&Path>, watch: Watch<'_>) -> Result<Project, Error> {
    if let Some(out) = out {
        super::plan::check_out(out)?;
    }
    open_written(plan, watch)
}

fn written(
    made: GrownFiles,
    (out, old): (Option<&Path>, &Project),
    watch: Watch<'_>,
) -> Result<GrowReport, Error> {
    let GrownFiles { mut report, files, .. } = made;
    if let Some(out) = out {
        write_plan(out, &files, &inputs_of(old), watch)?;
        report.out = Some(out.to_path_buf());
    }
    Ok(report)
}

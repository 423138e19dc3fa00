//! Takes what came back from the hall into the folder of a plan, and writes the form that is filled in there.

use std::path::Path;

use lightloom_export::output::Inputs;
use lightloom_input::as_built::read;
use lightloom_input::plan_folder::WrittenPlan;
use lightloom_request::{Error, Texts};
use lightloom_watch::Watch;

use super::edit::write_new;
use super::opening::open_written;
use super::plan::{check_out, inputs_of, write_plan};
use crate::in_memory::as_built::{FormReport, TakenFiles, TakenReport, blank_form, take_files};

/// Takes a returned sheet into the plan in a folder, and writes the plan as it was built to `out`. Without `out`
/// nothing is written.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::as_built::take_as_built;
/// # use lightloom::plan::{plan, verify_folder};
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
pub fn as_built_form<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    watch: Watch<'_>,
) -> Result<Vec<u8>, Error> {
    Ok(blank_form(&open_written(plan, watch)?)?)
}

/// Writes the form that crews fill in and return. A file that is there is not replaced.
///
/// # Errors
/// As [`as_built_form`]; also if the file is there or cannot be written.
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

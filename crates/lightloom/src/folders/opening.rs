//! Opens what a question is asked of: a design, or the plan in a folder.

use lightloom_audit::examine_folder;
use lightloom_input::open::project;
use lightloom_input::plan_folder::WrittenPlan;
use lightloom_plan::document::PlanDocument;
use lightloom_plan::project::Project;
use lightloom_request::setting::machine::MEMORY;
use lightloom_request::{Error, InputError, Memory, Request, Settings};
use lightloom_watch::Watch;

/// Opens the design of a request. A folder stands for the plan in it: its files must be what its `plan.json` says, and
/// the request says nothing else, but for the memory that the work may take.
///
/// # Errors
/// [`Error`] at the first error of the design, or if the plan was edited.
pub fn open_design_or_plan(request: &Request, watch: Watch<'_>) -> Result<Project, Error> {
    let folder = request.design.as_deref().filter(|design| design.is_dir());
    let Some(folder) = folder else { return Ok(project(request)?) };
    match request.flags.iter().find(|(key, _)| *key != *MEMORY) {
        None => {
            let mut settings = Settings::new(None, request.texts.clone());
            for (key, value) in &request.flags {
                settings.say(key, value.clone());
            }
            open_written(WrittenPlan { folder, memory: Memory::read(&settings)? }, watch)
        }
        Some(_) => {
            let message = "is the folder of a plan, which takes no other settings; leave them out";
            Err(InputError::new(message).in_file(folder).into())
        }
    }
}

/// Opens the plan in a folder, whose files must be what its `plan.json` says. Its light may fail, and its failures may
/// cut ToRs off: that is what the plan is.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::plan::{open_written, plan};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("plan");
/// plan(&open(&request)?, &folder, Watch::quiet())?;
/// assert_eq!(open_written(&folder, Watch::quiet())?.fabric().tors(), 12);
///
/// let cables = folder.join("cables.csv");
/// let text = std::fs::read_to_string(&cables).expect("it was written");
/// std::fs::write(&cables, text.replacen(",0,", ",1,", 1)).expect("it can be written");
/// assert!(open_written(&folder, Watch::quiet()).is_err());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if a file is missing or broken, or was edited.
pub fn open_written<'a>(
    plan: impl Into<WrittenPlan<'a>>,
    watch: Watch<'_>,
) -> Result<Project, Error> {
    let plan = plan.into();
    let examined = examine_folder(plan, watch)?;
    if examined.report.faults == examined.of_plan {
        return Ok(examined.project);
    }
    // The first faults are those of the plan itself.
    let fault = examined.report.first_faults.get(examined.of_plan);
    let fault = fault.map_or("its files were edited", String::as_str);
    let message = format!(
        "the plan is not what its {} says: {fault}; `lightloom verify` lists all faults",
        PlanDocument::FILE
    );
    Err(InputError::new(message).in_file(plan.folder).into())
}

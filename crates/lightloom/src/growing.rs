//! Growth and shrinking of written plans.

#[cfg(feature = "folders")]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "folders")]
use lightloom_input::open;
#[cfg(feature = "folders")]
use lightloom_input::plan_folder::WrittenPlan;
use lightloom_plan::growth::cost::{self, CordReport, GrowthCost};
use lightloom_plan::growth::report::{self, GrowthSummary, HopsReport, PaperReport, PhaseReport};
use lightloom_plan::growth::{GrowOptions, ShrinkOptions};
use lightloom_plan::inventory::Inventory;
use lightloom_plan::project::Project;
use lightloom_plan::prove::Optical;
#[cfg(feature = "folders")]
use lightloom_request::Request;
use lightloom_request::{Error, Files, InputError};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(feature = "folders")]
use crate::opening::open_written;
use crate::planning::proved_plan;
#[cfg(feature = "folders")]
use crate::planning::{inputs_of, write_plan};

/// Answer of a growth or a shrinking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GrowReport {
    /// What changes.
    #[serde(flatten)]
    pub change: GrowthSummary,
    /// Hops afterwards.
    pub hops: HopsReport,
    /// Hops of a fresh fabric of the family kautz with as many ToRs.
    pub fresh_kautz: HopsReport,
    /// Largest number of sources at line rate at the same time, in the worst state of all stages.
    pub least_parallel_sources: usize,
    /// Later phases, as planned now.
    pub later: Vec<PhaseReport>,
    /// What re-wiring into the next larger Shufflecast would move. `None`: the plan is no Shufflecast, or it
    /// shrinks.
    pub paper: Option<PaperReport>,
    /// Number of racks that the growth adds to a generated hall.
    pub assumed_racks: usize,
    /// Number of frames that the growth adds to those that the plan has to buy.
    pub assumed_frames: usize,
    /// Number of cords that stay as they are.
    pub kept_cords: usize,
    /// What it costs. `None`: the design names no optics.
    pub cost: Option<GrowthCost>,
    /// Whether the light arrives afterwards.
    pub optical: Optical,
    /// Whether the light arrives for certain, or was not assessed.
    pub lit: bool,
    /// The folder that was written. `None`: no folder was named.
    pub out: Option<PathBuf>,
}

/// A plan that grew or shrank, in memory.
#[derive(Debug, Clone)]
pub struct GrownFiles {
    /// The answer.
    pub report: GrowReport,
    /// The cords that are built, moved, plugged or taken out, in the order of work.
    pub cords: Vec<CordReport>,
    /// The files of the plan's folder.
    pub files: Files,
}

/// Grows a plan, and returns the files of the new one. `inventory` lists all racks of the plan and more.
///
/// # Examples
/// ```
/// # use lightloom::{GrowOptions, Request, Watch, grow_files, open, setting};
/// let request = Request::default()
///     .say(&setting::fabric::P, 2_u32)
///     .say(&setting::fabric::TORS, 12_u32)
///     .say(&setting::splitters::HOUSING, "receiver");
/// let options = GrowOptions { tors: Some(20), ..GrowOptions::default() };
/// let grown = grow_files(&open(&request)?, &options, None, Watch::quiet())?;
/// assert_eq!(grown.report.change.moved_receive_cords, 0);
/// assert!(grown.files.iter().any(|(name, _)| *name == "growth.csv"));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the plan cannot grow as asked, or if the work was stopped.
pub fn grow_files(
    project: &Project,
    options: &GrowOptions,
    inventory: Option<&Inventory>,
    watch: Watch<'_>,
) -> Result<GrownFiles, Error> {
    let phases = options.sequence()?;
    let now = project.grown(phases[0], options, inventory)?;
    let mut later = Vec::new();
    let mut last = now.project.clone();
    for &tors in &phases[1..] {
        let next = last.grown(tors, options, inventory)?.project;
        later.push(report::phase(&last, &next)?);
        last = next;
    }
    let mut made = made(project, &now.project, watch)?;
    made.report.later = later;
    made.report.assumed_racks = now.assumed_racks;
    made.report.assumed_frames = now.assumed_frames;
    made.report.paper = report::paper(project, phases[0]);
    Ok(made)
}

/// Shrinks a plan, and returns the files of the new one.
///
/// # Examples
/// ```
/// # use lightloom::{Request, ShrinkOptions, Watch, open, setting, shrink_files};
/// let request = Request::default()
///     .say(&setting::fabric::P, 2_u32)
///     .say(&setting::fabric::TORS, 12_u32)
///     .say(&setting::splitters::HOUSING, "receiver");
/// let options = ShrinkOptions { tors: Some(10), ..ShrinkOptions::default() };
/// let shrunk = shrink_files(&open(&request)?, &options, Watch::quiet())?;
/// assert_eq!(shrunk.report.change.tors, 10);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the plan cannot shrink as asked, or if the work was stopped.
pub fn shrink_files(
    project: &Project,
    options: &ShrinkOptions,
    watch: Watch<'_>,
) -> Result<GrownFiles, Error> {
    made(project, &project.shrunk(options)?, watch)
}

/// Proves a changed project and makes its files.
fn made(before: &Project, project: &Project, watch: Watch<'_>) -> Result<GrownFiles, Error> {
    let (proved, files) = proved_plan(project, watch)?;
    let plan = proved.report;
    let Some(proved_change) = proved.change else {
        return Err(InputError::new("the plan did not change").into());
    };
    let (change, rows) = (proved_change.summary, proved_change.cords);
    let parallel = change.stages.iter().map(|stage| stage.parallel_sources);
    let least = parallel.flat_map(|of| [of.before, of.during, of.after]).min().unwrap_or(0);
    let report = GrowReport {
        hops: HopsReport { max: plan.max_hops, mean: plan.mean_hops },
        fresh_kautz: report::fresh(project)?,
        least_parallel_sources: least,
        later: Vec::new(),
        paper: None,
        assumed_racks: 0,
        assumed_frames: 0,
        kept_cords: cost::kept_cords(before, &rows)?,
        cost: cost::cost(before, project, &rows)?,
        optical: plan.optical,
        lit: plan.lit(),
        out: None,
        change,
    };
    Ok(GrownFiles { report, cords: rows.iter().map(CordReport::from).collect(), files })
}

/// Grows the plan in a folder, and writes the new plan to `out`. Without `out` nothing is written. `inventory` is
/// a file with all racks of the plan and more.
///
/// # Examples
/// ```
/// # use lightloom::{GrowOptions, Request, Watch, grow, open, plan, setting, verify_folder};
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
#[cfg(feature = "folders")]
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
#[cfg(feature = "folders")]
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
/// # use lightloom::{Request, ShrinkOptions, Watch, open, plan, setting, shrink, verify_folder};
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
#[cfg(feature = "folders")]
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
#[cfg(feature = "folders")]
fn verified(plan: WrittenPlan<'_>, out: Option<&Path>, watch: Watch<'_>) -> Result<Project, Error> {
    if let Some(out) = out {
        crate::planning::check_out(out)?;
    }
    open_written(plan, watch)
}

#[cfg(feature = "folders")]
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

//! Grows and shrinks plans.

use std::path::PathBuf;

use lightloom_design::inventory::Inventory;
use lightloom_plan::growth::cost::{
    CordReport, GrowthCost, {self},
};
use lightloom_plan::growth::report::{
    GrowthSummary, HopsReport, PaperReport, PhaseReport, {self},
};
use lightloom_plan::growth::{GrowOptions, ShrinkOptions};
use lightloom_plan::project::Project;
use lightloom_plan::prove::Optical;
use lightloom_request::{Error, Files, InputError};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::proved_plan;

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
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::growth::{GrowOptions, grow_files};
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
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::growth::{ShrinkOptions, shrink_files};
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
    let (plan, before) = (proved.report, before.laid()?);
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
        kept_cords: cost::kept_cords(&before, &rows),
        cost: cost::cost(&before, &proved.laid, &rows)?,
        optical: plan.optical,
        lit: plan.lit(),
        out: None,
        change,
    };
    Ok(GrownFiles { report, cords: rows.iter().map(CordReport::from).collect(), files })
}

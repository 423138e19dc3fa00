//! Makes and proves plans.

use std::path::PathBuf;

use lightloom_design::assumption::Assumption;
use lightloom_design::inventory::InventoryReport;
use lightloom_export as export;
use lightloom_plan::concerns::refuse_unlit;
use lightloom_plan::facts::{DoubledReport, FabricFacts};
use lightloom_plan::laid::check_size;
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_plan::prove::{PlanReport, Proved, prove};
use lightloom_plan::trays;
use lightloom_request::{Error, Files};
use lightloom_studies::place::PlaceReport;
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A written plan, with details for the summary that are not in its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// The proved plan.
    #[serde(flatten)]
    pub report: PlanReport,
    /// The folder that it was written to.
    pub out: PathBuf,
    /// Assumptions of the plan for values that were not given.
    pub assumed: Vec<Assumption>,
    /// The fabric of the other family for the same ToRs and splitter.
    pub other_family: Option<FabricFacts>,
    /// The larger Shufflecast that the paper would use if the number of ToRs fits none.
    pub doubled: Option<DoubledReport>,
    /// How the inventory was read. `None`: no inventory.
    pub inventory: Option<InventoryReport>,
    /// The search that chose the racks of the ToRs. `None`: there was none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub placed: Option<PlaceReport>,
}

/// A plan in memory.
#[derive(Debug, Clone)]
pub struct PlanFiles {
    /// The report of the proved plan.
    pub report: PlanReport,
    /// The files of its folder.
    pub files: Files,
}

/// Makes and proves a plan, and returns its files.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::plan::plan_files;
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let made = plan_files(&open(&request)?, Watch::quiet())?;
/// assert_eq!(made.report.verification.sources_checked, 12);
/// assert!(made.files.iter().any(|(name, _)| *name == "cables.csv"));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the plan cannot be made or proved, or if the work was stopped.
pub fn plan_files(project: &Project, watch: Watch<'_>) -> Result<PlanFiles, Error> {
    refuse_unlit(project)?;
    proved_files(project, watch)
}

/// Lays, proves and words a plan.
///
/// # Errors
/// [`Error`] if the plan cannot be made or proved, or if the work was stopped.
pub(crate) fn proved_files(project: &Project, watch: Watch<'_>) -> Result<PlanFiles, Error> {
    let (proved, files) = proved_plan(project, watch)?;
    Ok(PlanFiles { report: proved.report, files })
}

/// As [`proved_files`], with all that was proved.
///
/// # Errors
/// As [`proved_files`].
pub(crate) fn proved_plan(project: &Project, watch: Watch<'_>) -> Result<(Proved, Files), Error> {
    // A plan that no memory allows is refused for its size.
    check_size(project)?;
    project.check_memory(Work::Planned)?;
    let laid = project.laid()?;
    trays::refuse_overfull(&laid)?;
    let proved = prove(&laid, watch)?;
    let files = export::plan::files(&proved);
    Ok((proved, files))
}

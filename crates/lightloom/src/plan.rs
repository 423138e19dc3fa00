//! A plan: made, proved, written, opened and verified again; its cables, hall and bill.

use std::path::PathBuf;

use lightloom_export as export;
use lightloom_plan::concerns::refuse_unlit;
use lightloom_plan::laid::{check_size, lay};
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_plan::prove::{ProvedPlan, prove};
use lightloom_plan::trays;
use lightloom_request::{Error, Files};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(feature = "system")]
pub use crate::folders::opening::open_written;
#[cfg(feature = "system")]
pub use crate::folders::plan::{check_out, plan};
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::plan::{plan, verify_folder};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("plan");
/// plan(&open(&request)?, &folder, Watch::quiet())?;
/// assert!(verify_folder(&folder, Watch::quiet())?.good);
///
/// // A rule is deleted by hand.
/// let rules = folder.join("rules.json");
/// let text = std::fs::read_to_string(&rules).expect("it was written");
/// std::fs::write(&rules, text.replacen("[0,", "[", 1)).expect("it can be written");
/// let report = verify_folder(&folder, Watch::quiet())?;
/// assert!(!report.good && !report.first_faults.is_empty());
/// # Ok::<(), lightloom::Error>(())
/// ```
#[cfg(feature = "system")]
pub use lightloom_audit::verify_folder;
pub use lightloom_audit::{VerifyReport, verify_texts};
pub use lightloom_export::plan::PLAN_FILES;
/// # Examples
/// ```
/// # use lightloom::{Request, open, setting};
/// # use lightloom::plan::{document, restore};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let project = open(&request)?;
/// let text = document(&project)?;
/// // The same project, later or on another machine.
/// let again = restore(&text)?;
/// assert!(again.same_as(&project));
/// # Ok::<(), lightloom::InputError>(())
/// ```
pub use lightloom_input::again::{document, restore};
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::plan::{open_plan, plan};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("plan");
/// let project = open(&request)?;
/// plan(&project, &folder, Watch::quiet())?;
/// let (again, plan_json) = open_plan(&folder)?;
/// assert!(again.same_as(&project) && plan_json.starts_with('{'));
/// # Ok::<(), lightloom::Error>(())
/// ```
pub use lightloom_input::plan_folder::{WrittenPlan, open as open_plan};
pub use lightloom_plan::arrays::{PlaceArrays, RelaySets, TreeArrays};
pub use lightloom_plan::assumption::{Assumed, Assumption};
pub use lightloom_plan::bill::{CostRange, MissingReport, TotalReport, UnplacedReport};
pub use lightloom_plan::bom::BomItem;
pub use lightloom_plan::cabling::{CablingReport, OrderReport, PullReport, TrunkReport};
pub use lightloom_plan::fabric_spec::FabricSpec;
pub use lightloom_plan::facts::{
    DoubledReport, FabricFacts, InfoReport, LoadReport, OneMoreHopReport,
};
pub use lightloom_plan::finding::Found;
pub use lightloom_plan::floor::{
    Fibre, FloorRack, FloorReport, FloorRoom, FloorRow, FloorWay, StretchArrays,
};
pub use lightloom_plan::housings::HousingReport;
pub use lightloom_plan::inventory::{InventoryNote, InventoryReport};
pub use lightloom_plan::parallel::{ForbiddenReport, LimitReport, ParallelReport, ParallelSoFar};
pub use lightloom_plan::prove::{Optical, PlanReport};
pub use lightloom_plan::provenance::{CatalogueReport, PriceReport, RowKind, RowReport};
pub use lightloom_plan::totals::{OneTotal, PartGroup, PartSum, TotalName};
pub use lightloom_plan::trays::{TrayReport, Warning, WarningKind};
pub use lightloom_plan::trees::{FabricReport, RulesReport, TreeReport};
pub use lightloom_plan::verify::{Sample, Verification};
pub use lightloom_power_cost::price::{PriceBasis, PriceCase, PriceRank};
pub use lightloom_power_cost::{Accounting, MissingValue};
pub use lightloom_topology::hall::{Cabling, Housing, PathwayKind};

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
pub(crate) fn proved_plan(
    project: &Project,
    watch: Watch<'_>,
) -> Result<(ProvedPlan, Files), Error> {
    // A plan that no memory allows is refused for its size.
    check_size(project)?;
    project.check_memory(Work::Planned)?;
    let wires = lay(project)?;
    trays::refuse_overfull(project, &wires)?;
    let proved = prove(project, &wires, watch)?;
    let files = export::plan::files(project, &wires, &proved);
    Ok((proved, files))
}

//! Makes, proves and writes plans, and computes repairs in advance.

use std::collections::BTreeMap;
#[cfg(feature = "folders")]
use std::path::Path;
use std::path::PathBuf;

use lightloom_export as export;
#[cfg(feature = "folders")]
use lightloom_export::output::kind::Terms;
#[cfg(feature = "folders")]
use lightloom_export::output::kinds;
#[cfg(feature = "folders")]
use lightloom_export::output::{Inputs, folder};
use lightloom_export::plan::{INDEX, REPAIRS};
#[cfg(feature = "folders")]
use lightloom_plan::assumed;
use lightloom_plan::assumption::Assumption;
use lightloom_plan::concerns::refuse_unlit;
use lightloom_plan::facts::{DoubledReport, FabricFacts};
#[cfg(feature = "folders")]
use lightloom_plan::facts::{doubled_report, other_family};
use lightloom_plan::inventory::InventoryReport;
use lightloom_plan::laid::{check_size, lay};
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_plan::prove::{PlanReport, ProvedPlan, prove};
use lightloom_plan::{repairs as made, trays};
use lightloom_request::{Error, Files};
use lightloom_routing::recovery::Method;
#[cfg(feature = "folders")]
use lightloom_watch::Stopped;
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
}

/// Checks that a plan may be written to `out`, and repairs what an interrupted run left there. [`plan`] does
/// the same at its end. Call this first, before long work.
///
/// # Examples
/// ```
/// # use lightloom::{check_out, Error};
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
#[cfg(feature = "folders")]
pub fn check_out(out: &Path) -> Result<(), Error> {
    Ok(folder::check(out, Terms::of(&kinds::PLAN, &Inputs::default()))?)
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
/// # use lightloom::{Request, Watch, open, plan_files, setting};
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

/// Makes, proves and writes a plan.
///
/// # Examples
/// ```
/// use lightloom::{Request, Watch, open, plan, setting};
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
#[cfg(feature = "folders")]
pub fn plan(project: &Project, out: &Path, watch: Watch<'_>) -> Result<Planned, Error> {
    let PlanFiles { report, files } = plan_files(project, watch)?;
    let (other_family, doubled) = (other_family(project, watch)?, doubled_report(project));
    write_plan(out, &files, &inputs_of(project), watch)?;
    let of_proof = assumed::of_proof(&report.verification);
    let prices = report.assumed_prices.clone();
    let assumed = project.assumed.iter().cloned().chain(of_proof).chain(prices).collect();
    let (out, inventory) = (out.to_path_buf(), project.inventory_report());
    Ok(Planned { report, out, assumed, other_family, doubled, inventory })
}

/// The files that a project was read from.
#[cfg(feature = "folders")]
pub(crate) fn inputs_of(project: &Project) -> Inputs {
    Inputs::of(project.design.settings.texts().files())
}

/// Replaces a plan folder in one step, unless the work is stopped before.
#[cfg(feature = "folders")]
pub(crate) fn write_plan(
    out: &Path,
    files: &Files,
    inputs: &Inputs,
    watch: Watch<'_>,
) -> Result<(), Error> {
    write_folder(out, files, Terms::of(&kinds::PLAN, inputs), watch)
}

/// Replaces a folder in one step, unless the work is stopped before.
#[cfg(feature = "folders")]
fn write_folder(
    out: &Path,
    files: &Files,
    terms: Terms<'_>,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let written = folder::write_if(out, files, terms, &mut || watch.progress(1, 1).is_ok())?;
    if written { Ok(()) } else { Err(Stopped.into()) }
}

/// Summary of the written repairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepairsReport {
    /// The folder that was written.
    pub out: PathBuf,
    /// Number of repairs: one for every relay, branch, ToR and cassette.
    pub repairs: usize,
    /// Failures whose repair is not `restored`: no rules can bring every source to every other ToR.
    pub not_restored: Vec<String>,
}

/// The repairs of all single failures, in memory.
#[derive(Debug, Clone)]
pub struct RepairFiles {
    /// The files of their folder.
    pub files: Files,
    /// Number of repairs: one for every relay, branch, ToR and cassette.
    pub repairs: usize,
    /// Failures whose repair is not `restored`: no rules can bring every source to every other ToR.
    pub not_restored: Vec<String>,
}

/// Computes the repairs of all single failures, and returns the files that [`repairs`] writes.
///
/// # Examples
/// ```
/// # use lightloom::{Method, Objective, Request, Watch, open, repair_files, setting};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let method = Method::Replan(Objective::FewestChanges);
/// let made = repair_files(&open(&request)?, method, Watch::quiet())?;
/// assert_eq!(made.files[0].1.split(|&byte| byte == b'\n').count(), made.repairs + 1);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the design is too large, or if the work was stopped.
pub fn repair_files(
    project: &Project,
    method: Method,
    watch: Watch<'_>,
) -> Result<RepairFiles, Error> {
    project.check_memory(Work::Repaired)?;
    let lines = made::repairs(project, method, watch)?;
    let index: BTreeMap<&str, usize> =
        lines.iter().enumerate().map(|(i, line)| (line.failed.as_str(), i)).collect();
    let index = serde_json::to_vec_pretty(&index).expect("names and numbers are JSON");
    let text: String = lines.iter().map(|line| line.text.as_str()).collect();
    let files: Files = vec![(REPAIRS, text.into_bytes()), (INDEX, index)];
    let repairs = lines.len();
    let not_restored = lines.into_iter().filter(|line| !line.restored);
    let not_restored = not_restored.map(|line| line.failed).collect();
    Ok(RepairFiles { files, repairs, not_restored })
}

/// Writes the repairs of all single failures to a folder: `repairs.jsonl` with one repair per line, and
/// `index.json` with the line of each failure. A failed transmitter or splitter is repaired as the relay. A
/// failed receiver is repaired as its branch.
///
/// # Examples
/// ```
/// # use lightloom::{Method, Objective, Request, Watch, open, repairs, setting};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("repairs");
/// let method = Method::Replan(Objective::FewestChanges);
/// let made = repairs(&open(&request)?, &folder, method, Watch::quiet())?;
/// assert!(made.repairs > 12 && folder.join("repairs.jsonl").exists());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
#[cfg(feature = "folders")]
pub fn repairs(
    project: &Project,
    out: &Path,
    method: Method,
    watch: Watch<'_>,
) -> Result<RepairsReport, Error> {
    let inputs = inputs_of(project);
    folder::check(out, Terms::of(&kinds::OF_REPAIRS, &inputs))?;
    let RepairFiles { files, repairs, not_restored } = repair_files(project, method, watch)?;
    write_folder(out, &files, Terms::of(&kinds::OF_REPAIRS, &inputs), watch)?;
    Ok(RepairsReport { out: out.to_path_buf(), repairs, not_restored })
}

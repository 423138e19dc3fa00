//! Makes, proves and writes plans, and computes repairs in advance.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_export as export;
use lightloom_export::folder;
use lightloom_export::plan::PLAN_FILES;
use lightloom_plan::assumed;
use lightloom_plan::assumption::Assumption;
use lightloom_plan::document::PlanDocument;
use lightloom_plan::facts::{DoubledReport, FabricFacts, doubled_report, other_family};
use lightloom_plan::inventory::InventoryReport;
use lightloom_plan::laid::lay;
use lightloom_plan::project::Project;
use lightloom_plan::prove::{PlanReport, prove};
use lightloom_plan::{repairs as made, trays};
use lightloom_request::setting;
use lightloom_request::{Error, Files};
use lightloom_routing::recovery::Method;
use lightloom_watch::{Stopped, Watch};
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
/// # Errors
/// [`Error::Folder`] if `out` cannot be replaced.
pub fn check_out(out: &Path) -> Result<(), Error> {
    Ok(folder::check(out, &PLAN_FILES, PlanDocument::FILE)?)
}

/// Makes, proves and writes a plan.
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
pub fn plan(project: &Project, out: &Path, watch: Watch<'_>) -> Result<Planned, Error> {
    let settings = &project.design.settings;
    if project.optics.is_none() && settings.has_section("optics") {
        let message = "is missing; name one, or a rate, so that the light can be assessed";
        return Err(settings.refuse(&setting::optics::TRANSCEIVER, message).into());
    }
    let wires = lay(project)?;
    trays::refuse_overfull(project, &wires)?;
    let proved = prove(project, &wires, watch)?;
    let files = export::plan::files(project, &wires, &proved);
    let report = proved.report;
    let (other_family, doubled) = (other_family(project, watch)?, doubled_report(project));
    write_folder(out, &files, (&PLAN_FILES, PlanDocument::FILE), watch)?;
    let of_proof = assumed::of_proof(&report.verification);
    let assumed = project.assumed.iter().cloned().chain(of_proof).collect();
    let (out, inventory) = (out.to_path_buf(), project.inventory_report());
    Ok(Planned { report, out, assumed, other_family, doubled, inventory })
}

/// Replaces a folder in one step, unless the work is stopped before. The folder may hold files named in
/// `known`.
fn write_folder(
    out: &Path,
    files: &Files,
    (known, mark): (&[&str], &str),
    watch: Watch<'_>,
) -> Result<(), Error> {
    let written = folder::write_if(out, files, known, mark, &mut || watch.progress(1, 1).is_ok())?;
    if written { Ok(()) } else { Err(Stopped.into()) }
}

/// File of repairs, one per line.
const REPAIRS: &str = "repairs.jsonl";
/// File with the line of each failure.
const INDEX: &str = "index.json";

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

/// Writes the repairs of all single failures to a folder: `repairs.jsonl` with one repair per line, and
/// `index.json` with the line of each failure. A failed transmitter or splitter is repaired as the relay. A
/// failed receiver is repaired as its branch.
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
pub fn repairs(
    project: &Project,
    out: &Path,
    method: Method,
    watch: Watch<'_>,
) -> Result<RepairsReport, Error> {
    folder::check(out, &[REPAIRS, INDEX], INDEX)?;
    let lines = made::repairs(project, method, watch)?;
    let index: BTreeMap<&str, usize> =
        lines.iter().enumerate().map(|(i, line)| (line.failed.as_str(), i)).collect();
    let index = serde_json::to_vec_pretty(&index).expect("names and numbers are JSON");
    let text: String = lines.iter().map(|line| line.text.as_str()).collect();
    let files: Files = vec![(REPAIRS, text.into_bytes()), (INDEX, index)];
    write_folder(out, &files, (&[REPAIRS, INDEX], INDEX), watch)?;
    let repairs = lines.len();
    let not_restored = lines.into_iter().filter(|line| !line.restored);
    let not_restored = not_restored.map(|line| line.failed).collect();
    Ok(RepairsReport { out: out.to_path_buf(), repairs, not_restored })
}

//! Plans that are made, proved and written, and repairs in advance.

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

/// What a plan has beside it in the summary, and not in its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// What was planned and proved.
    #[serde(flatten)]
    pub report: PlanReport,
    /// Where it was written.
    pub out: PathBuf,
    /// What the plan assumes because nobody said it.
    pub assumed: Vec<Assumption>,
    /// The other family for the same ToRs and splitter.
    pub other_family: Option<FabricFacts>,
    /// The paper's answer where the number fits no Shufflecast.
    pub doubled: Option<DoubledReport>,
    /// How the inventory was read, where there is one.
    pub inventory: Option<InventoryReport>,
}

/// Checks that a plan may be written to `out`, and mends what an interrupted run left there. [`plan`]
/// does so too, at its end; call this first, before any work is done.
///
/// # Errors
/// [`Error::Folder`] when it may not.
pub fn check_out(out: &Path) -> Result<(), Error> {
    Ok(folder::check(out, &PLAN_FILES, PlanDocument::FILE)?)
}

/// Plans, proves and writes.
///
/// # Errors
/// [`Error`]; `out` is then as it was.
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

/// Replaces a folder, which may hold what is known, in one step, unless the work is stopped before that.
fn write_folder(
    out: &Path,
    files: &Files,
    (known, mark): (&[&str], &str),
    watch: Watch<'_>,
) -> Result<(), Error> {
    let written = folder::write_if(out, files, known, mark, &mut || watch.progress(1, 1).is_ok())?;
    if written { Ok(()) } else { Err(Stopped.into()) }
}

/// The file of repairs, a line each.
const REPAIRS: &str = "repairs.jsonl";
/// The file that names the line of each failure.
const INDEX: &str = "index.json";

/// What was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepairsReport {
    /// The folder.
    pub out: PathBuf,
    /// Repairs: one for every relay, branch, ToR and cassette.
    pub repairs: usize,
    /// Failures whose repair is not `restored`: no rules bring every source to every other ToR.
    pub not_restored: Vec<String>,
}

/// Writes the repairs of all single failures to a folder: `repairs.jsonl`, a line each, and
/// `index.json`, which names the line of each failure. A failed transmitter or splitter is repaired
/// as the relay, a failed receiver as the branch that it serves.
///
/// # Errors
/// [`Error`]; `out` is then as it was.
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

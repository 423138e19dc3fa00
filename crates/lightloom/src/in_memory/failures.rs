//! Risks, with failure rates from a file, and repairs in advance.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_export::plan::{INDEX, REPAIRS};
use lightloom_input::rates;
use lightloom_plan::memory::Work;
use lightloom_plan::project::Project;
use lightloom_request::{Error, Files, Texts};
use lightloom_routing::recovery::Method;
use lightloom_studies::repairs as made;
use lightloom_studies::risk::{self, RiskReport};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Computes the repairs of all single failures, and returns the files that [`repairs`](crate::failures::repairs)
/// writes.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::failures::{Method, Objective, repair_files};
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

/// Ranks groups of parts and pairs of relays by their losses, and counts outages a year by the failure rates in a file.
/// Kinds of parts without a rate are unknown; without a file all are.
///
/// # Examples
/// ```
/// # use lightloom::{Request, Watch, open, setting};
/// # use lightloom::failures::risk;
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::K, 2_u32);
/// let found = risk(&open(&request)?, None, Watch::quiet())?.outages;
/// // Two failed relays of eight are mirrors of each other in 4 of 28 cases.
/// assert!((found.mirrors.if_as_many_failed - 4.0 / 28.0).abs() < 1e-12);
/// assert!(found.known.is_none());
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the tables are too large to list, if the plan goes around failures, if the file cannot be read or has a
/// wrong line, or if the work was stopped.
pub fn risk(
    project: &Project,
    rates: Option<&Path>,
    watch: Watch<'_>,
) -> Result<RiskReport, Error> {
    let rates = rates.map(|file| rates::read(&Texts::default(), file)).transpose()?;
    risk::risk(project, &rates.unwrap_or_default(), watch)
}

//! Repairs made in advance: one proved answer for every single failure, for a controller to install
//! without thinking.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_export::folder::{self, Files};
use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::RecoveryBase;
use lightloom_routing::verify::{Accept, Via};
use lightloom_topology::TorId;
use serde::Serialize;

use crate::deal::deal;
use crate::failures::{self, FailureSet};
use crate::plan::write_folder;
use crate::recover::{ChangeReport, Method};
use crate::{Error, Progress, Project};

const REPAIRS: &str = "repairs.jsonl";
const INDEX: &str = "index.json";

/// What was written.
#[derive(Debug, Clone, Serialize)]
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
    progress: Progress<'_>,
) -> Result<RepairsReport, Error> {
    folder::check(out, &[REPAIRS, INDEX], INDEX)?;
    let base = project.recovery_base()?;
    let failures = single_failures(project);
    let mut told =
        |answers: &[Result<Line, Error>], of: usize| progress(answers.len() as u64, of as u64);
    let answers = deal(&failures, 16, &mut told, |&failure| line(project, &base, failure, method))?;
    let mut lines = Vec::with_capacity(failures.len());
    let mut not_restored = Vec::new();
    for answer in answers {
        let Line { failed, text, restored } = answer?;
        if !restored {
            not_restored.push(failed.clone());
        }
        lines.push((failed, text));
    }
    let index: BTreeMap<&str, usize> =
        lines.iter().enumerate().map(|(i, (failed, _))| (failed.as_str(), i)).collect();
    let index = serde_json::to_vec_pretty(&index).expect("names and numbers are JSON");
    let text: String = lines.iter().map(|(_, text)| text.as_str()).collect();
    let files: Files = vec![(REPAIRS, text.into_bytes()), (INDEX, index)];
    write_folder(out, &files, (&[REPAIRS, INDEX], INDEX), progress)?;
    Ok(RepairsReport { out: out.to_path_buf(), repairs: lines.len(), not_restored })
}

/// A repair as it is written.
struct Line {
    failed: String,
    text: String,
    restored: bool,
}

/// What a controller needs of a repair; phases, hops and outages follow from it.
#[derive(Serialize)]
struct Compact<'a> {
    failed: [&'a str; 1],
    objective: Option<&'static str>,
    failed_sources: &'a [TorId],
    restored: bool,
    changes: &'a BTreeMap<TorId, ChangeReport>,
    via: &'a Via,
    accept: &'a Accept,
    unreachable: &'a BTreeMap<TorId, Vec<TorId>>,
    max_hops: u32,
    parallel_sources: usize,
}

fn line(
    project: &Project,
    base: &RecoveryBase<'_>,
    failure: Failure,
    method: Method,
) -> Result<Line, Error> {
    let failed = failures::name(&failure);
    let set = FailureSet { failures: vec![failure] };
    let report = project.recovered(base, &set, method)?.report;
    let compact = Compact {
        failed: [&failed],
        objective: report.objective,
        failed_sources: &report.failed_sources,
        restored: report.restored,
        changes: &report.changes,
        via: &report.via,
        accept: &report.accept,
        unreachable: &report.unreachable,
        max_hops: report.max_hops,
        parallel_sources: report.parallel_sources,
    };
    let mut text = serde_json::to_string(&compact).expect("a repair has text keys and numbers");
    text.push('\n');
    Ok(Line { failed, text, restored: report.restored })
}

/// Every relay, every branch, every ToR, every cassette.
fn single_failures(project: &Project) -> Vec<Failure> {
    let fabric = &project.fabric;
    let relays = fabric.tor_ids().map(Failure::Relay);
    let branches = fabric.tor_ids().flat_map(|from| {
        let receivers = fabric.receivers(fabric.transmits_into(from)).iter();
        receivers.map(move |&to| Failure::Branch { from, to })
    });
    let tors = fabric.tor_ids().map(Failure::Tor);
    relays.chain(branches).chain(tors).chain(fabric.cassette_ids().map(Failure::Cassette)).collect()
}

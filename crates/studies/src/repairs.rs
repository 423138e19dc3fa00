//! Repairs computed in advance: a proved repair for every single failure, ready for a controller to install.

use lightloom_plan::failure_set::{FailureSet, fallen};
use lightloom_plan::project::Project;
use lightloom_plan::recover::{ChangeReport, Recoveries};
use lightloom_routing::recovery::Objective;
use std::collections::BTreeMap;

use lightloom_request::Error;
use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::Method;
use lightloom_routing::verify::{Accept, Via};
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use serde::Serialize;

use crate::deal::deal;

/// The repairs of all single failures, in the order of the failures: one for every relay, branch, ToR and
/// cassette. A failed transmitter or splitter is repaired as the relay. A failed receiver is repaired as its
/// branch.
///
/// # Errors
/// [`Error`] if a repair cannot be made, or if the work is stopped.
pub fn repairs(
    project: &Project,
    method: Method,
    watch: Watch<'_>,
) -> Result<Vec<RepairLine>, Error> {
    let base = project.recovery_base()?;
    let failures = single_failures(project);
    let mut told = |answers: &[Result<RepairLine, Error>], of: usize| {
        watch.progress(answers.len() as u64, of as u64)
    };
    let answers = deal(&failures, 16, &mut told, |set| line(project, &base, set, method))?;
    answers.into_iter().collect()
}

/// A repair as it is written to a file.
#[derive(Debug, Clone)]
pub struct RepairLine {
    /// The failure in standard form: the ToRs of a switch that is several logical ones are separated by commas.
    pub failed: String,
    /// The repair as a line of JSON.
    pub text: String,
    /// Whether every counted source reaches every other ToR.
    pub restored: bool,
}

/// The part of a repair that a controller needs. Phases, hops and outages follow from it.
#[derive(Serialize)]
struct Compact<'a> {
    failed: &'a [String],
    objective: Option<Objective>,
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
    base: &Recoveries<'_>,
    set: &FailureSet,
    method: Method,
) -> Result<RepairLine, Error> {
    let failed = set.names();
    let report = project.recovered_alone(base, set, method)?.report;
    let compact = Compact {
        failed: &failed,
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
    Ok(RepairLine { failed: failed.join(","), text, restored: report.restored })
}

/// All single failures, as sets of one: all relays, all branches, all ToRs and all cassettes. The logical ToRs of a
/// switch are one set.
pub fn single_failures(project: &Project) -> Vec<FailureSet> {
    let fabric = project.fabric();
    let relays = fabric.tor_ids().map(Failure::Relay);
    let branches = fabric.tor_ids().flat_map(|from| {
        let receivers = fabric.receivers(fabric.transmits_into(from)).iter();
        receivers.map(move |&to| Failure::Branch { from, to })
    });
    let cassettes = fabric.cassette_ids().map(Failure::Cassette);
    let alone = |failure| FailureSet { failures: vec![failure] };
    // The logical ToRs of a switch fall together, which is one failure.
    let first = |&tor: &TorId| project.placement().slot(tor) == 0;
    let switches = fabric
        .tor_ids()
        .filter(first)
        .map(|tor| FailureSet { failures: fallen(project.placement(), tor) });
    relays.chain(branches).map(alone).chain(switches).chain(cassettes.map(alone)).collect()
}

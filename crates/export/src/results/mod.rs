//! Files of results: of one run, or of several.

#[cfg(feature = "folders")]
pub mod captured;
mod collectives;
mod copies;
mod receivers;
#[cfg(feature = "folders")]
pub mod recorded;
mod replicas;
mod series;
#[cfg(feature = "folders")]
pub mod single;
mod throughput;
#[cfg(feature = "folders")]
pub mod timeline;
#[cfg(feature = "folders")]
pub mod trace;
mod traces;

#[cfg(feature = "folders")]
use std::path::Path;

use lightloom_request::Files;
#[cfg(feature = "folders")]
use lightloom_request::{Error, Stopped};
use lightloom_scenario::scenario::Scenario;
use lightloom_sim::files::{
    BY_FLOW, BY_GROUP, BY_RECEIVER, MESSAGES, OF_COLLECTIVES, OF_COPIES, OF_GROUPS, OF_ONE,
    OF_TRACES, REPLICAS, REPORT,
};
use lightloom_sim::replicas::ReplicasReport;
use lightloom_sim::report::SimulateReport;
use lightloom_twin::Outcome;
use serde::Serialize;

#[cfg(feature = "folders")]
use crate::output::kind::Terms;
#[cfg(feature = "folders")]
use crate::output::kinds;
#[cfg(feature = "folders")]
use crate::output::{Inputs, folder};

/// Why writing a table cannot fail.
const MEMORY: &str = "writing tables to memory does not fail";

/// The files of one run. `ideals` is the time of each flow without competing traffic, in picoseconds.
pub fn files(
    scenario: &Scenario,
    outcome: &Outcome,
    ideals: &[u64],
    report: &SimulateReport,
) -> Files {
    let [flows, series, links, flows_arrow, throughput_arrow, _] = OF_ONE;
    let throughput = throughput::all(scenario, outcome);
    let mut files = vec![
        (flows, series::flows_csv(scenario, outcome, ideals).expect(MEMORY)),
        (series, throughput.csv()),
        (links, series::links_csv(scenario, outcome).expect(MEMORY)),
        (flows_arrow, series::flows_arrow(scenario, outcome, ideals).expect(MEMORY)),
        (throughput_arrow, throughput.arrow().expect(MEMORY)),
    ];
    if scenario.probes.flows {
        let (table, [csv, arrow]) = (throughput::by_flow(scenario, outcome), BY_FLOW);
        files.extend([(csv, table.csv()), (arrow, table.arrow().expect(MEMORY))]);
    }
    let probes = &scenario.probes;
    if probes.groups && !scenario.multicast.casts.is_empty() {
        let (table, [csv, arrow]) = (throughput::by_group(scenario, outcome), BY_GROUP);
        files.extend([(csv, table.csv()), (arrow, table.arrow().expect(MEMORY))]);
    }
    if probes.receivers && !scenario.multicast.casts.is_empty() {
        let (table, [csv, arrow]) = (throughput::by_receiver(scenario, outcome), BY_RECEIVER);
        files.extend([(csv, table.csv()), (arrow, table.arrow().expect(MEMORY))]);
    }
    if !scenario.multicast.casts.is_empty() {
        let [receivers, receivers_arrow, branches] = OF_GROUPS;
        files.push((receivers, receivers::receivers_csv(scenario, outcome).expect(MEMORY)));
        let arrow = receivers::receivers_arrow(scenario, outcome);
        files.push((receivers_arrow, arrow.expect(MEMORY)));
        if !scenario.multicast.splitters.is_empty() {
            files.push((branches, receivers::branches_csv(scenario, outcome).expect(MEMORY)));
        }
    }
    if scenario.probes.copies && !scenario.multicast.casts.is_empty() {
        let [copies, copies_arrow] = OF_COPIES;
        files.push((copies, copies::csv(scenario, outcome).expect(MEMORY)));
        files.push((copies_arrow, copies::arrow(scenario, outcome).expect(MEMORY)));
    }
    if !scenario.collectives.is_empty() {
        files.push((OF_COLLECTIVES, collectives::csv(scenario, outcome).expect(MEMORY)));
    }
    if !scenario.traces.is_empty() {
        files.push((OF_TRACES, traces::csv(scenario, outcome).expect(MEMORY)));
    }
    files.push((REPORT, json(report)));
    files
}

/// A report as JSON.
fn json<T: Serialize>(report: &T) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(report).expect("reports have text keys and numbers");
    json.push(b'\n');
    json
}

/// The files of several runs.
pub fn files_of_several(report: &ReplicasReport) -> Files {
    let mut files = vec![(REPLICAS, replicas::csv(report))];
    if !report.multicasts.is_empty() {
        let [messages, messages_arrow] = MESSAGES;
        files.push((messages, replicas::messages_csv(report).expect(MEMORY)));
        files.push((messages_arrow, replicas::messages_arrow(report).expect(MEMORY)));
    }
    files.push((REPORT, json(report)));
    files
}

/// Checks that results may be written to a folder.
///
/// # Errors
/// [`Error::Folder`] if they may not.
#[cfg(feature = "folders")]
pub fn check_results(out: &Path) -> Result<(), Error> {
    Ok(folder::check(out, Terms::of(&kinds::RESULTS, &Inputs::default()))?)
}

/// Writes results to a folder in one step. Calls `go` when all files are ready, and stops if it returns
/// `false`.
///
/// # Errors
/// [`Error::Folder`] if the folder cannot be written, [`Error::Stopped`] if `go` returned `false`. The folder
/// is then unchanged.
#[cfg(feature = "folders")]
pub fn write_results(out: &Path, files: &Files, go: &mut dyn FnMut() -> bool) -> Result<(), Error> {
    if folder::write_if(out, files, Terms::of(&kinds::RESULTS, &Inputs::default()), go)? {
        Ok(())
    } else {
        Err(Stopped.into())
    }
}

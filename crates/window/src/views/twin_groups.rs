//! What a run tells of collective operations, of traces and of groups: messages, copies, groups, memory of switches,
//! admission, and splitters.

use egui::Ui;
use lightloom::shown::collectives::{ALONE, COLLECTIVES, FLEETS, JOBS, RATES};
use lightloom::shown::groups::{
    ADMITTED, Admitted, COPIES, Copied, LACKING, LOSSY, Lacking, MEMORY, MESSAGES, PACKETS,
    RELIABLE, REPEATS, admission, splitters,
};
use lightloom::shown::ledger::LEDGER;
use lightloom::shown::traces::{CALLS, Calls, TRACES};
use lightloom::twin::{CollectiveReport, JobReport, SimulateReport};

use super::shown::{facts, list};

/// The lists that are not empty.
pub fn show(ui: &mut Ui, report: &SimulateReport) {
    list(ui, &COLLECTIVES, &report.collectives);
    list(ui, &RATES, &report.collectives);
    list(ui, &FLEETS, &CollectiveReport::fleets(&report.collectives));
    list(ui, &JOBS, &report.jobs);
    list(ui, &ALONE, &JobReport::both(&report.jobs));
    list(ui, &TRACES, &report.traces);
    list(ui, &CALLS, &Calls::of(&report.traces));
    let messages = &report.multicasts;
    list(ui, &MESSAGES, messages);
    list(ui, &PACKETS, messages);
    list(ui, &REPEATS, messages);
    list(ui, &LACKING, &Lacking::of(messages));
    list(ui, &COPIES, &Copied::of(messages));
    list(ui, &RELIABLE, &report.groups);
    list(ui, &MEMORY, &report.group_tables);
    if let Some(of) = &report.admission {
        facts(ui, "Admission over light", &admission(of));
    }
    list(ui, &ADMITTED, &Admitted::of(messages));
    if let Some(of) = &report.splitters {
        facts(ui, "Splitters", &splitters(of));
        list(ui, &LOSSY, &of.lossy);
    }
    list(ui, &LEDGER, &report.ledger);
}

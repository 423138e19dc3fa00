//! What a run tells in lists: warnings, errors, flows by size, recoveries, drops and ports that wait.

use egui::Ui;
use lightloom::shown::run::{
    CUT_OFF, DROPS, EXEMPT, FAILED, MEMBERS, NEVER_STARTED, OVERFLOWS, QUEUE_PAIRS, RECOVERIES,
    RING, SIZES, WAITING,
};
use lightloom::twin::SimulateReport;

use super::emit::Emit;
use super::shown::{list, listed};
use super::twin_groups;

/// Why the run ended so, and what is doubtful about it.
pub fn warnings(ui: &mut Ui, report: &SimulateReport, emit: &Emit<'_>) {
    if let Some(why) = &report.end.why {
        ui.colored_label(emit.colours.broken_text, format!("✖ {why}"));
    }
    for warning in &report.warnings {
        ui.colored_label(emit.colours.broken_text, format!("⚠ {warning}"));
    }
}

/// The lists that are not empty.
pub fn show(ui: &mut Ui, report: &SimulateReport) {
    list(ui, &FAILED, &report.end.failures);
    list(ui, &EXEMPT, &report.end.exempt);
    list(ui, &QUEUE_PAIRS, &report.queue_pair_errors);
    list(ui, &NEVER_STARTED, &report.never_started);
    if report.flows.by_size.len() > 1 {
        list(ui, &SIZES, &report.flows.by_size);
    }
    twin_groups::show(ui, report);
    if let Some(recovery) = &report.recovery {
        list(ui, &RECOVERIES, &recovery.events);
        list(ui, &CUT_OFF, recovery.events.iter().filter(|event| !event.cut_off.is_empty()));
        list(ui, &MEMBERS, &recovery.lacking);
    }
    list(ui, &OVERFLOWS, &report.overflows);
    list(ui, &DROPS, &report.drops);
    for (number, ring) in (1..).zip(&report.end.rings) {
        listed(ui, &format!("Ring {number}: ports that are stopped for ever"), &RING, &ring.ports);
    }
    list(ui, &WAITING, &report.end.stopped_ports);
}

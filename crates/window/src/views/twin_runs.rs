//! Several runs of a scenario with different seeds: a row for each, and means with their intervals.

use egui::{ScrollArea, Ui};
use lightloom::shown::Face;
use lightloom::shown::collectives::{OVER_RUNS, OverRuns};
use lightloom::shown::replicas::{MESSAGES, Message, RUNS, means};
use lightloom::shown::traces;
use lightloom::twin::ReplicasReport;

use super::emit::Emit;
use super::shown::table;

/// The most rows of a list. The exported results have all.
const MOST: usize = 200;

pub fn show(ui: &mut Ui, report: &ReplicasReport, emit: &Emit<'_>) {
    ScrollArea::vertical().id_salt("runs").auto_shrink(false).show(ui, |ui| {
        for warning in &report.warnings {
            ui.colored_label(emit.colours.broken_text, format!("⚠ {warning}"));
        }
        ui.add_space(6.0);
        table(ui, "over the runs", &means(report));
        let collectives = OVER_RUNS.shown(Face::Window, &OverRuns::of(report), MOST);
        if collectives.all() > 0 {
            ui.add_space(6.0);
            table(ui, "collectives", &collectives);
        }
        let traces = traces::OVER_RUNS.shown(Face::Window, &traces::OverRuns::of(report), MOST);
        if traces.all() > 0 {
            ui.add_space(6.0);
            table(ui, "traces", &traces);
        }
        let messages = MESSAGES.shown(Face::Window, &Message::of(report), MOST);
        if messages.all() > 0 {
            ui.add_space(6.0);
            table(ui, "messages", &messages);
        }
        ui.add_space(6.0);
        table(ui, "replicas", &RUNS.shown(Face::Window, &report.replicas, MOST));
    });
}

//! What is wrong with the design, and what would go wrong on the switches.

use egui::{ScrollArea, Ui};
use lightloom::Severity;

use super::emit::Emit;
use crate::command::{Command, Selection};
use crate::panel::Panel;
use crate::state::State;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    if let Some(error) = state.answers.opened.refused()
        && ui.link(format!("✖ {error}")).clicked()
    {
        emit.emit(Command::Show(Panel::Design));
    }
    if let Some(error) = state.answers.lint.refused() {
        super::emit::refusal(ui, emit, error);
    }
    let Some(report) = state.answers.lint.last() else { return };
    ui.strong(format!("{} errors, {} warnings on the switches", report.errors, report.warnings));
    if let Some(project) = state.project() {
        for assumption in &project.assumed {
            ui.weak(format!("assumed: {} {}", assumption.what.name(), assumption.value));
        }
    }
    if report.findings.is_empty() {
        super::emit::empty(ui, "Nothing was found.");
    }
    ScrollArea::vertical().auto_shrink(false).show_rows(
        ui,
        20.0,
        report.findings.len(),
        |ui, rows| {
            for finding in &report.findings[rows] {
                let sign = match finding.severity {
                    Severity::Error => "✖",
                    Severity::Warning => "⚠",
                };
                let clicked = ui
                    .link(format!("{sign} {}", finding.text))
                    .on_hover_text(&finding.remedy)
                    .clicked();
                if let Some(tor) = finding.tor.filter(|_| clicked) {
                    emit.emit(Command::Select(Selection::Tor(tor)));
                    emit.emit(Command::Centre);
                }
            }
        },
    );
}

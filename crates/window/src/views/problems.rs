//! What is wrong with the design, and what would go wrong on the switches.

use egui::{ScrollArea, Ui};
use lightloom::Severity;

use super::emit::Emit;
use crate::command::Command;
use crate::panel::Panel;
use crate::place::Place;
use crate::state::State;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let refusals = [
        (state.answers.opened.refused(), Panel::Design),
        (state.answers.lint.refused(), Panel::Rules),
        (state.answers.floor.refused(), Panel::Hall),
        (state.answers.light.refused(), Panel::Light),
        (state.answers.run.refused(), Panel::Twin),
        (state.growth.grown.refused(), Panel::Growth),
        (state.cables.cabling.refused(), Panel::Cabling),
        (state.built.taken.refused(), Panel::AsBuilt),
    ];
    for (error, panel) in refusals {
        let Some(error) = error else { continue };
        let place = Place::of(error).unwrap_or(Place::Panel(panel));
        emit.link(ui, &format!("✖ {error}"), &place);
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
                if clicked {
                    let place = finding.tor.map_or(Place::Panel(Panel::Rules), Place::Tor);
                    emit.emit(Command::GoTo(place));
                }
            }
        },
    );
}

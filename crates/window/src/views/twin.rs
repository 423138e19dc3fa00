//! Runs of the packet twin: a scenario, its progress, what came of it, and another run beside it.

use egui::Ui;

use super::emit::Emit;
use super::{twin_build, twin_figures, twin_live, twin_packets};
use crate::command::Command;
use crate::state::State;
use crate::twin::{Twin, TwinView};

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let running = state.answers.run.how_far().is_some();
    ui.horizontal_wrapped(|ui| {
        emit.button(ui, "Open a scenario", Command::OpenScenario);
        let Some(draft) = &state.work.now().scenario else { return };
        let path = state.drafts.shown(draft);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let changed = if state.drafts.is_changed(draft) { " (changed)" } else { "" };
        ui.label(format!("{name}{changed}")).on_hover_text(path.display().to_string());
        ui.add_enabled_ui(!running, |ui| emit.button(ui, "Run", Command::Run));
        let mut records = state.playback.records;
        let hover = "Packets of a recorded run can be watched. It takes memory.";
        if ui.checkbox(&mut records, "Record packets").on_hover_text(hover).changed() {
            emit.emit(Command::Twin(Twin::Record(records)));
        }
        if state.answers.run.last().is_some() {
            emit.button(ui, "Keep this run to compare", Command::KeepRun);
        }
    });
    ui.horizontal(|ui| {
        for view in TwinView::ALL {
            if ui.selectable_label(state.playback.view == view, view.title()).clicked() {
                emit.emit(Command::Twin(Twin::Show(view)));
            }
        }
    });
    if state.playback.view == TwinView::Scenario {
        return twin_build::show(ui, state, emit);
    }
    if state.work.now().scenario.is_none() {
        let sentence =
            "Open a scenario, such as examples/glass.toml, and run it. Or make one under Scenario.";
        return super::emit::empty(ui, sentence);
    }
    if let Some(error) = state.answers.run.refused() {
        super::emit::refusal(ui, emit, error);
    }
    if running {
        twin_live::show(ui, state, emit);
    }
    if state.answers.run.last().is_none() {
        return;
    }
    match state.playback.view {
        TwinView::Figures => twin_figures::show(ui, state, emit),
        TwinView::Packets => twin_packets::show(ui, state, emit),
        TwinView::Scenario => {}
    }
}

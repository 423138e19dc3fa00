//! Runs of the packet twin: a scenario, its progress, what came of it, and another run beside it.

use std::sync::Arc;

use egui::{DragValue, Ui};
use lightloom::twin::{MOST_SEEDS, Run, Simulated};
use lightloom::{Error, Files, to_json};

use crate::command::Command;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asked::needs;
use crate::state::asks::{AnswerOf, Asks};
use crate::twin::{Twin, TwinView};
use crate::views::draws::Draws;
use crate::views::emit::Emit;
use crate::views::{twin_build, twin_figures, twin_live, twin_packets, twin_runs};

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn stop(&self, answers: &mut Answers) {
        answers.run.end_early();
        answers.live.go_on();
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        match &of.asked.run {
            Some(run) => printed(run),
            None => Err(needs("run the scenario as it is first")),
        }
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        let running = state.answers.run.how_far().is_some();
        ui.horizontal_wrapped(|ui| {
            emit.button(ui, "Open a scenario", Command::OpenScenario);
            let Some(draft) = &state.work.now().scenario else { return };
            let path = state.drafts.shown(draft);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let changed = if state.drafts.is_changed(draft) { " (changed)" } else { "" };
            ui.label(format!("{name}{changed}")).on_hover_text(path.display().to_string());
            ui.add_enabled_ui(!running, |ui| emit.button(ui, "Run", Command::Run));
            options(ui, state, emit);
            if state.answers.run.last().is_some_and(|run| matches!(**run, Simulated::One(_))) {
                emit.button(ui, "Keep this run to compare", Command::KeepRun);
            }
            if state.answers.kept.is_some() {
                emit.button(ui, "Forget the kept run", Command::ForgetRun);
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
            let sentence = "Open a scenario, such as examples/glass.toml, and run it. Or make one under Scenario.";
            return crate::views::emit::empty(ui, sentence);
        }
        if let Some(error) = state.answers.run.refused() {
            crate::views::emit::refusal(ui, emit, error);
        }
        if running {
            twin_live::show(ui, state, emit);
        }
        match (state.playback.view, state.answers.run.last().map(AsRef::as_ref)) {
            (TwinView::Figures, Some(Simulated::Many(runs))) => {
                twin_runs::show(ui, &runs.report, emit);
            }
            // A kept run is shown alone until there is one beside it.
            (TwinView::Figures, _) => twin_figures::show(ui, state, emit),
            (TwinView::Packets, Some(_)) => twin_packets::show(ui, state, emit),
            (TwinView::Packets, None) | (TwinView::Scenario, _) => {}
        }
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        let answers = &state.answers;
        answers.run.how_far().or(answers.checked.how_far()).or(answers.waits.how_far())
    }

    fn is_at_work(&self, state: &State) -> bool {
        // A run at work is drawn as far as it is.
        state.answers.checked.how_far().is_some() || state.answers.waits.how_far().is_some()
    }

    fn has_stop(&self) -> bool {
        true
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        let texts = state.run_texts();
        vec![
            state.answers.checked.refused_of(|(of, readings)| {
                *readings == state.answers.readings && Some(of) == texts.as_ref()
            }),
            state.answers.run.refused_of(|of| Some(&of.texts) == texts.as_ref()),
        ]
    }
}

/// How the next run is made.
fn options(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let playback = &state.playback;
    let is_one = playback.seeds == 1;
    let (mut records, mut checks, mut seeds) = (playback.records, playback.checks, playback.seeds);
    let hover =
        "Packets of a recorded run can be watched. It takes memory. Only one run is recorded.";
    let tick = egui::Checkbox::new(&mut records, "Record packets");
    if ui.add_enabled(is_one, tick).on_hover_text(hover).changed() {
        emit.emit(Command::Twin(Twin::Record(records)));
    }
    let hover = "Holds every answer of reliable groups against what their receivers had by then. It takes memory with \
                 packets times receivers.";
    if ui.checkbox(&mut checks, "Check answers").on_hover_text(hover).changed() {
        emit.emit(Command::Twin(Twin::Check(checks)));
    }
    let hover = "As many runs, with seeds from the scenario's on: the same traffic, other losses, marks and paths.";
    let label = ui.label("Runs").id;
    let field = DragValue::new(&mut seeds).range(1..=MOST_SEEDS).speed(0.1);
    if ui.add(field).on_hover_text(hover).labelled_by(label).changed() {
        emit.emit(Command::Twin(Twin::Seeds(seeds)));
    }
}

/// The answer of a run without what only the window asks for. Recordings are large, so they are not copied.
fn printed(run: &Simulated) -> Result<String, Error> {
    let Simulated::One(run) = run else { return to_json(run) };
    let (report, timing) = (run.report.clone(), run.timing);
    let (recording, so_far, files) = (None, Vec::new(), Files::new());
    to_json(&Simulated::One(Box::new(Run { report, timing, recording, so_far, files })))
}

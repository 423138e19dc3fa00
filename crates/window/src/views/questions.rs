//! Questions in front of everything else.

use std::path::PathBuf;

use egui::{Context, Modal, TextEdit, Ui};

use super::emit::Emit;
use crate::command::Command;
use crate::state::State;
use crate::state::questions::{PathFor, Question};

/// Draws the question that waits for an answer.
pub fn questions(ctx: &Context, state: &State, emit: &mut Emit<'_>) {
    let Some(question) = &state.question else { return };
    let modal = Modal::new(egui::Id::unique("question")).show(ctx, |ui| {
        ui.set_width(460.0);
        match question {
            Question::Path(purpose) => path(ui, *purpose, state, emit),
            Question::Unsaved(_) => {
                ui.heading("Unsaved changes");
                ui.label("The design was changed and is not saved.");
                ui.horizontal(|ui| {
                    emit.button(ui, "Save first", Command::SaveFirst);
                    emit.button(ui, "Discard the changes", Command::Discard);
                    emit.button(ui, "Cancel", Command::Dismiss);
                });
            }
            Question::ChangedOnDisk(path) => {
                ui.heading("The file is there with another text");
                ui.label(format!("{} was changed or made by somebody else.", path.display()));
                ui.horizontal(|ui| {
                    emit.button(ui, "Overwrite it", Command::Overwrite);
                    emit.button(ui, "Take its text", Command::Reload);
                    emit.button(ui, "Save as", Command::SaveAs);
                    emit.button(ui, "Cancel", Command::Dismiss);
                });
            }
            Question::Replace { export, path, replaced } => {
                super::replacing::show(ui, (*export, path, replaced), emit);
            }
            Question::ViewName(of) => super::replacing::view_name(ui, of.as_deref(), emit),
            Question::Found { file } => {
                ui.heading("Unsaved text of an earlier session");
                let of = file.as_ref().map(|file| format!("It belongs to {}.", file.display()));
                ui.label(of.unwrap_or_else(|| "It was never saved to a file.".to_owned()));
                ui.horizontal(|ui| {
                    emit.button(ui, "Take it", Command::TakeUnsaved);
                    emit.button(ui, "Give it up", Command::Discard);
                });
            }
            Question::Told { title, message } => {
                ui.heading(format!("{title}: this was not done"));
                ui.label(message);
                emit.button(ui, "Understood", Command::Dismiss);
            }
        }
    });
    if modal.should_close() {
        emit.emit(Command::Dismiss);
    }
}

/// Asks for a path. It is typed, or chosen in the dialog of the desktop.
fn path(ui: &mut Ui, purpose: PathFor, state: &State, emit: &mut Emit<'_>) {
    ui.heading(purpose.title());
    let id = egui::Id::unique(("path", purpose.title()));
    let first = proposed(purpose, state);
    let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or(first);
    let field = TextEdit::singleline(&mut typed).desired_width(f32::INFINITY);
    let field = ui.add(field).accessible_name("Path");
    field.request_focus();
    let entered = ui.input(|input| input.key_pressed(egui::Key::Enter));
    let mut answer = entered.then(|| PathBuf::from(typed.trim()));
    ui.horizontal(|ui| {
        if ui.button("OK").clicked() {
            answer = Some(PathBuf::from(typed.trim()));
        }
        if let Some(browse) = state.browse
            && ui.button("Browse…").clicked()
        {
            answer = browse(purpose);
        }
        emit.button(ui, "Cancel", Command::Dismiss);
    });
    let recent: &[PathBuf] = match purpose {
        PathFor::Open => &state.looks.recent,
        PathFor::Scenario => &state.looks.recent_scenarios,
        _ => &[],
    };
    if !recent.is_empty() {
        for recent in recent {
            if ui.link(recent.display().to_string()).clicked() {
                answer = Some(recent.clone());
            }
        }
    }
    ui.data_mut(|data| data.insert_temp(id, typed));
    if let Some(path) = answer.filter(|path| !path.as_os_str().is_empty()) {
        ui.data_mut(|data| data.remove::<String>(id));
        emit.emit(purpose.command(path));
    }
}

/// The path that the field has at first: the own file, or a place beside it.
fn proposed(purpose: PathFor, state: &State) -> String {
    let own = state.file.path();
    let beside = |name: String| {
        let folder = own.and_then(|path| path.parent());
        folder.map_or(name.clone(), |folder| folder.join(name).display().to_string())
    };
    match purpose {
        PathFor::Export(export) => beside(export.proposed()),
        PathFor::Returned => beside("returned.csv".to_owned()),
        PathFor::SaveScenario => beside("scenario.toml".to_owned()),
        PathFor::Open | PathFor::SaveAs | PathFor::Scenario => {
            own.map(|path| path.display().to_string()).unwrap_or_default()
        }
    }
}

//! Questions in front of everything else.

use std::path::PathBuf;

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{Context, Modal, ScrollArea, TextEdit, Ui};

use super::emit::{Emit, width_in_front};
use crate::command::Command;
use crate::state::State;
use crate::state::questions::{PathFor, Question};
use crate::state::unsaved::{Kept, KeptText};

/// What is typed as a path, and what for.
type Typed = (PathFor, String);

fn typed_id() -> egui::Id {
    egui::Id::unique("typed path")
}

/// Draws the question that waits for an answer.
pub fn questions(ctx: &Context, state: &State, emit: &mut Emit<'_>) {
    // What was typed for an earlier question is no answer to a later one.
    let is_kept = |of: &Typed| matches!(&state.question, Some(Question::Path(now)) if *now == of.0);
    if !ctx.data(|data| data.get_temp(typed_id())).as_ref().is_some_and(is_kept) {
        ctx.data_mut(|data| data.remove::<Typed>(typed_id()));
    }
    super::replacing::forget_name(ctx, state.question.as_ref());
    let Some(question) = &state.question else { return };
    // What is higher than the window is scrolled.
    let most = (ctx.content_rect().height() - 48.0).max(64.0);
    let modal = Modal::new(egui::Id::unique("question")).show(ctx, |ui| {
        ui.set_width(width_in_front(ctx));
        let area = ScrollArea::vertical().max_height(most).min_scrolled_height(most);
        area.auto_shrink([false, true]).show(ui, |ui| asked(ui, question, state, emit));
    });
    if modal.should_close() {
        emit.emit(Command::Dismiss);
    }
}

/// The question and its answers.
fn asked(ui: &mut Ui, question: &Question, state: &State, emit: &mut Emit<'_>) {
    match question {
        Question::Path(purpose) => path(ui, *purpose, state, emit),
        Question::Unsaved(of, _) => {
            ui.heading("Unsaved changes");
            ui.label(format!("The {} was changed and is not saved.", of.name()));
            ui.horizontal_wrapped(|ui| {
                emit.button(ui, "Save first", Command::SaveFirst);
                emit.button(ui, "Discard the changes", Command::Discard);
                emit.button(ui, "Cancel", Command::Dismiss);
            });
        }
        Question::Writing => {
            ui.heading("Close the window?");
            let unwritten = state.unwritten();
            ui.label(match unwritten.as_slice() {
                [] => "All exports are written now.".to_owned(),
                names => format!("Not written yet: {}.", names.join(", ")),
            });
            ui.horizontal_wrapped(|ui| {
                emit.button(ui, "Stay", Command::Dismiss);
                emit.button(ui, "Close", Command::Discard);
            });
        }
        Question::ChangedOnDisk(theirs) => super::replacing::theirs(ui, theirs, emit),
        Question::Replace { export, path, replaced } => {
            super::replacing::show(ui, (*export, path, replaced), emit);
        }
        Question::ViewName(of) => super::replacing::view_name(ui, of.as_deref(), state, emit),
        Question::Found(Kept { design, scenario }) => {
            ui.heading("Unsaved text of an earlier session");
            for (name, kept) in [("design", design), ("scenario", scenario)] {
                let Some(KeptText { file, .. }) = kept else { continue };
                let of = file.as_ref().map(|file| format!("A {name} of {}.", file.display()));
                let never = || format!("A {name} that was never saved to a file.");
                ui.label(of.unwrap_or_else(never));
            }
            ui.horizontal_wrapped(|ui| {
                emit.button(ui, "Take it", Command::TakeUnsaved);
                emit.button(ui, "Give it up", Command::Discard);
                emit.button(ui, "Ask at the next start", Command::Dismiss);
            });
        }
        Question::Told { title, message } => {
            ui.heading(format!("{title}: this was not done"));
            ui.label(message);
            emit.button(ui, "Understood", Command::Dismiss);
        }
    }
}

/// Asks for a path. It is typed, or chosen in the dialog of the desktop.
fn path(ui: &mut Ui, purpose: PathFor, state: &State, emit: &mut Emit<'_>) {
    ui.heading(purpose.title());
    let kept: Option<Typed> = ui.data(|data| data.get_temp(typed_id()));
    let mut typed = kept.map_or_else(|| proposed(purpose, state), |(_, typed)| typed);
    let field = TextEdit::singleline(&mut typed).desired_width(f32::INFINITY);
    let field = ui.add(field).accessible_name("Path");
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
        // What is typed takes the place of what is proposed.
        select_all(ui, field.id, &typed);
    }
    let is_typed = field.has_focus() || field.lost_focus();
    let entered = is_typed && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let mut answer = entered.then(|| PathBuf::from(typed.trim()));
    if let Some(error) = state.browsed.refused_of(|of| *of == purpose) {
        super::emit::refusal(ui, emit, error);
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button("OK").clicked() {
            answer = Some(PathBuf::from(typed.trim()));
        }
        if state.browse.is_some() {
            let is_open = state.browsed.how_far().is_some();
            ui.add_enabled_ui(!is_open, |ui| emit.button(ui, "Browse…", Command::Browse));
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
    ui.data_mut(|data| data.insert_temp(typed_id(), (purpose, typed)));
    if let Some(path) = answer.filter(|path| !path.as_os_str().is_empty()) {
        emit.emit(purpose.command(path));
    }
}

/// Selects the whole text of a field.
fn select_all(ui: &Ui, field: egui::Id, typed: &str) {
    let mut state = TextEditState::load(ui, field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::select_all_str(typed)));
    state.store(ui, field);
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

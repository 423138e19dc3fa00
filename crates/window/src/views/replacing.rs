//! What an export or a save would change, before it is written; and names of views.

use std::path::Path;

use egui::{Context, RichText, ScrollArea, TextEdit, Ui};
use lightloom::edit::{ChangedFile, ChangedLines, ReplacedReport};

use super::emit::Emit;
use crate::command::Command;
use crate::export::Export;
use crate::state::State;
use crate::state::questions::{Edited, Question, Theirs};
use crate::twin::{Build, Twin};

/// Asks whether what is there may be replaced.
pub fn show(
    ui: &mut Ui,
    (export, path, replaced): (Export, &Path, &ReplacedReport),
    emit: &mut Emit<'_>,
) {
    ui.heading("Something is there already");
    ui.label(format!("Writing {} to {} changes what is there:", export.name(), path.display()));
    let (added, changed) = (replaced.added.len(), replaced.changed.len());
    let removed = replaced.removed.len();
    ui.label(format!(
        "{changed} files change, {added} are new, {removed} are removed, {} stay",
        replaced.same
    ));
    ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
        for file in &replaced.changed {
            one(ui, (file, changed == 1), emit);
        }
        for name in &replaced.removed {
            ui.colored_label(emit.colours.broken_text, format!("- {name}"));
        }
        for name in &replaced.added {
            ui.colored_label(emit.colours.selected, format!("+ {name}"));
        }
    });
    ui.horizontal_wrapped(|ui| {
        emit.button(ui, "Replace it", Command::Replace);
        emit.button(ui, "Write it elsewhere", Command::Export(export));
        cancel(ui, emit);
    });
}

/// Asks what becomes of a file that somebody else has changed.
pub fn theirs(ui: &mut Ui, theirs: &Theirs, emit: &mut Emit<'_>) {
    ui.heading("The file is there with another text");
    ui.label(format!("{} was changed or made by somebody else.", theirs.path.display()));
    match &theirs.lines {
        Some(changed) => {
            ui.label("A save changes in it:");
            ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
                lines(ui, ("the file", true), changed, emit);
            });
        }
        None => {
            ui.label("It cannot be read as a text.");
        }
    }
    ui.label("Its text can be taken. Undo then brings the text of this window back.");
    ui.horizontal_wrapped(|ui| {
        emit.button(ui, "Overwrite it", Command::Overwrite);
        emit.button(ui, "Take its text", Command::Reload);
        let save_as = match theirs.of {
            Edited::Design => Command::SaveAs,
            Edited::Scenario => Command::Twin(Twin::Build(Build::SaveAs)),
        };
        emit.button(ui, "Save as", save_as);
        cancel(ui, emit);
    });
}

/// The button that does nothing. It has the focus when a question appears, so that a key overwrites nothing.
fn cancel(ui: &mut Ui, emit: &mut Emit<'_>) {
    let button = ui.button("Cancel");
    let id = egui::Id::unique("last pass of a question");
    let now = ui.ctx().cumulative_pass_nr();
    let last: Option<u64> = ui.data_mut(|data| data.get_temp(id));
    if last.is_none_or(|last| last + 1 < now) {
        button.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(id, now));
    if button.clicked() {
        emit.emit(Command::Dismiss);
    }
}

/// What changes in one file.
fn one(ui: &mut Ui, (file, is_only): (&ChangedFile, bool), emit: &Emit<'_>) {
    let name = if file.name.is_empty() { "the file" } else { &file.name };
    let Some(lines) = &file.lines else {
        ui.label(format!("{name}: {} bytes in place of {}", file.bytes, file.bytes_before));
        return;
    };
    self::lines(ui, (name, is_only), lines, emit);
}

/// The lines that go and come, without regard to their order.
fn lines(ui: &mut Ui, (name, is_open): (&str, bool), lines: &ChangedLines, emit: &Emit<'_>) {
    let head = format!("{name}: {} lines go, {} lines come", lines.removed, lines.added);
    let header = egui::CollapsingHeader::new(head).default_open(is_open);
    header.show(ui, |ui| {
        let gone = lines.first_removed.iter().map(|line| ('-', line, emit.colours.broken_text));
        let new = lines.first_added.iter().map(|line| ('+', line, emit.colours.selected));
        for (sign, line, colour) in gone.chain(new) {
            let text = RichText::new(format!("{sign} {line}")).monospace().color(colour);
            ui.add(egui::Label::new(text).truncate());
        }
        let more =
            lines.removed + lines.added - lines.first_removed.len() - lines.first_added.len();
        if more > 0 {
            ui.weak(format!("… and {more} more lines"));
        }
    });
}

/// What is typed as the name of a view, and which view is renamed.
type Name = (Option<String>, String);

fn name_id() -> egui::Id {
    egui::Id::unique("name of a view")
}

/// Forgets the name that was typed for another question.
pub fn forget_name(ctx: &Context, question: Option<&Question>) {
    let is_kept = |name: &Name| matches!(question, Some(Question::ViewName(of)) if *of == name.0);
    if !ctx.data(|data| data.get_temp(name_id())).as_ref().is_some_and(is_kept) {
        ctx.data_mut(|data| data.remove::<Name>(name_id()));
    }
}

/// Asks for the name of a view.
pub fn view_name(ui: &mut Ui, of: Option<&str>, state: &State, emit: &mut Emit<'_>) {
    ui.heading(match of {
        None => "Keep this view as".to_owned(),
        Some(name) => format!("Rename the view {name}"),
    });
    let kept: Option<Name> = ui.data(|data| data.get_temp(name_id()));
    let mut typed = kept.map_or_else(|| of.unwrap_or_default().to_owned(), |(_, typed)| typed);
    let field = TextEdit::singleline(&mut typed).desired_width(f32::INFINITY);
    ui.add(field).accessible_name("Name of the view").request_focus();
    if of.is_none() && state.named.get(typed.trim()).is_some() {
        let text = format!("There is a view {} already. It is replaced.", typed.trim());
        ui.colored_label(emit.colours.broken_text, text);
    }
    let mut done = ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.horizontal_wrapped(|ui| {
        done |= ui.button("OK").clicked();
        emit.button(ui, "Cancel", Command::Dismiss);
    });
    ui.data_mut(|data| data.insert_temp(name_id(), (of.map(str::to_owned), typed.clone())));
    if done && !typed.trim().is_empty() {
        emit.emit(match of {
            None => Command::SaveView(typed),
            Some(from) => Command::RenameView { from: from.to_owned(), to: typed },
        });
    }
}

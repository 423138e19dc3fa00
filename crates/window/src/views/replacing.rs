//! What an export would change, before it is written; and names of views.

use std::path::Path;

use egui::{RichText, ScrollArea, TextEdit, Ui};
use lightloom::{ChangedFile, ReplacedReport};

use super::emit::Emit;
use crate::command::Command;
use crate::export::Export;

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
            ui.colored_label(emit.colours.broken, format!("- {name}"));
        }
        for name in &replaced.added {
            ui.colored_label(emit.colours.selected, format!("+ {name}"));
        }
    });
    ui.horizontal(|ui| {
        emit.button(ui, "Replace it", Command::Replace);
        emit.button(ui, "Write it elsewhere", Command::Export(export));
        emit.button(ui, "Cancel", Command::Dismiss);
    });
}

/// What changes in one file.
fn one(ui: &mut Ui, (file, is_only): (&ChangedFile, bool), emit: &Emit<'_>) {
    let name = if file.name.is_empty() { "the file" } else { &file.name };
    let Some(lines) = &file.lines else {
        ui.label(format!("{name}: {} bytes in place of {}", file.bytes, file.bytes_before));
        return;
    };
    let head = format!("{name}: {} lines go, {} lines come", lines.removed, lines.added);
    let is_open = egui::CollapsingHeader::new(head).default_open(is_only);
    is_open.show(ui, |ui| {
        let gone = lines.first_removed.iter().map(|line| ('-', line, emit.colours.broken));
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

/// Asks for the name of a view.
pub fn view_name(ui: &mut Ui, of: Option<&str>, emit: &mut Emit<'_>) {
    ui.heading(match of {
        None => "Keep this view as".to_owned(),
        Some(name) => format!("Rename the view {name}"),
    });
    let id = egui::Id::unique("name of a view");
    let mut typed: String =
        ui.data(|data| data.get_temp(id)).unwrap_or_else(|| of.unwrap_or_default().to_owned());
    let field = TextEdit::singleline(&mut typed).desired_width(f32::INFINITY);
    ui.add(field).accessible_name("Name of the view").request_focus();
    let mut done = ui.input(|input| input.key_pressed(egui::Key::Enter));
    let mut gone = false;
    ui.horizontal(|ui| {
        done |= ui.button("OK").clicked();
        gone = ui.button("Cancel").clicked();
    });
    if gone {
        emit.emit(Command::Dismiss);
    } else if done && !typed.trim().is_empty() {
        emit.emit(match of {
            None => Command::SaveView(typed.clone()),
            Some(from) => Command::RenameView { from: from.to_owned(), to: typed.clone() },
        });
    }
    if gone || done {
        ui.data_mut(|data| data.remove::<String>(id));
    } else {
        ui.data_mut(|data| data.insert_temp(id, typed));
    }
}

//! The text of the design file, and how it differs from the file.

use egui::{RichText, ScrollArea, TextEdit, Ui};

use crate::command::Command;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::asks::Asks;
use crate::views::draws::Draws;
use crate::views::emit::Emit;

/// The panel.
pub struct Pane;

impl Asks for Pane {}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        if state.file.is_plan() {
            crate::views::emit::empty(ui, "A plan has no design file of its own here.");
            return;
        }
        if let Some(error) = state.answers.opened.refused() {
            crate::views::emit::refusal(ui, emit, error);
        }
        changes(ui, state, emit);
        let text = &state.work.now().text;
        let elsewhere = "Change it in the panel Design, or with an editor.";
        if crate::views::long_text::show(ui, ("text of the design", elsewhere), text, f32::INFINITY)
        {
            return;
        }
        let mut text = text.to_string();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let line = ui.text_style_height(&egui::TextStyle::Monospace);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lines")]
            let rows = (ui.available_height() / line).max(4.0) as usize;
            let edit = TextEdit::multiline(&mut text).code_editor().desired_width(f32::INFINITY);
            let response = ui.add(edit.desired_rows(rows)).accessible_name("Text of the design");
            if response.changed() {
                emit.emit(Command::Write(text));
            }
        });
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.opened.how_far().or(state.answers.info.how_far())
    }
}

/// The lines that the next save changes in the file.
fn changes(ui: &mut Ui, state: &State, emit: &Emit<'_>) {
    let difference = &state.difference;
    let all = difference.lines();
    if all == 0 {
        return;
    }
    let changed = egui::CollapsingHeader::new(format!("{all} changed lines are not saved"));
    changed.id_salt("changed lines").show(ui, |ui| {
        ScrollArea::vertical().id_salt("changed lines").max_height(300.0).show(ui, |ui| {
            for (is_new, line) in &difference.first {
                let (sign, colour) = match is_new {
                    true => ('+', emit.colours.selected),
                    false => ('-', emit.colours.broken_text),
                };
                ui.label(RichText::new(format!("{sign} {line}")).monospace().color(colour));
            }
            let more = all - difference.first.len();
            if more > 0 {
                ui.weak(format!("… and {more} more"));
            }
        });
    });
}

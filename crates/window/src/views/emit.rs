//! What all views share: commands, progress, and what an empty panel says.

use std::sync::Arc;

use egui::Ui;

use crate::colours::Colours;
use crate::command::Command;
use crate::place::Place;
use crate::slot::Slot;
use crate::words;

/// What a view may do: look up colours, and emit commands.
pub struct Emit<'a> {
    /// Colours of drawings.
    pub colours: Colours,
    commands: &'a mut Vec<Command>,
}

impl<'a> Emit<'a> {
    /// Collects commands.
    pub fn new(ui: &Ui, commands: &'a mut Vec<Command>) -> Self {
        Self { colours: Colours::of(ui.visuals()), commands }
    }

    /// Emits a command.
    pub fn emit(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// A link to a place.
    pub fn link(&mut self, ui: &mut Ui, text: &str, place: &Place) {
        if ui.link(text).on_hover_text(place.text()).clicked() {
            self.emit(Command::GoTo(place.clone()));
        }
    }

    /// A button that emits a command.
    pub fn button(&mut self, ui: &mut Ui, text: &str, command: Command) {
        if ui.button(text).clicked() {
            self.emit(command);
        }
    }
}

/// The width of a question or a list in front of the panels, in points. With large text the window is narrow.
pub fn width_in_front(ctx: &egui::Context) -> f32 {
    const MOST: f32 = 460.0;
    const BESIDE: f32 = 48.0;
    MOST.min(ctx.content_rect().width() - BESIDE).max(1.0)
}

/// A sentence in an empty panel, which says what to do.
pub fn empty(ui: &mut Ui, sentence: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space(24.0);
        ui.weak(sentence);
    });
}

/// What sums lack, a line for each value.
pub fn lacking(ui: &mut Ui, missing: &[lightloom::plan::MissingReport]) {
    for missing in missing {
        ui.weak(missing.text());
    }
}

/// Why a panel has no answer.
pub fn refusal(ui: &mut Ui, emit: &Emit<'_>, error: &lightloom::Error) {
    ui.colored_label(emit.colours.broken_text, format!("✖ {}", words::text_of(error)));
}

/// The answer of a panel. Without one the panel says why, or what to do.
pub fn answered<'a, K: Clone + PartialEq, T: Send + 'static>(
    ui: &mut Ui,
    emit: &Emit<'_>,
    slot: &'a Slot<K, T>,
    sentence: &str,
) -> Option<&'a Arc<T>> {
    if let Some(error) = slot.refused() {
        refusal(ui, emit, error);
    }
    if slot.last().is_none() {
        empty(ui, sentence);
    }
    slot.last()
}

/// A number of picoseconds in the largest unit that is not longer.
pub fn time(ps: u64) -> String {
    lightloom::units::Span::from_ps(ps).to_string()
}

//! What happened, newest first.

use egui::{ScrollArea, Ui};

use super::emit::Emit;
use crate::state::State;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    if state.log.is_empty() {
        super::emit::empty(
            ui,
            "Nothing has happened yet. What is opened, saved or run is told here.",
        );
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for line in state.log.iter().rev() {
            match &line.place {
                Some(place) => emit.link(ui, line, place),
                None => drop(ui.label(&**line)),
            }
        }
    });
}

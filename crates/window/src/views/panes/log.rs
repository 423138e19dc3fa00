//! What happened, newest first.

use egui::{ScrollArea, Ui};

use crate::state::State;
use crate::state::asks::Asks;
use crate::views::draws::Draws;
use crate::views::emit::Emit;

/// The panel.
pub struct Pane;

impl Asks for Pane {}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        if state.log.is_empty() {
            crate::views::emit::empty(
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
}

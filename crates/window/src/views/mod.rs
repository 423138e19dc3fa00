//! What the window draws: the panels, and what stands around and in front of them.

mod axes;
mod draws;
mod emit;
mod fabric_drawing;
mod fabric_hover;
mod fabric_layer;
mod facts;
mod fibre_side;
mod field;
mod hall_colours;
mod hall_drawing;
mod kept;
mod layers;
mod long_text;
mod menu;
mod palette;
mod palette_entries;
mod palette_typed;
mod panes;
mod progress;
mod questions;
mod repair;
mod replacing;
mod shown;
mod table;
mod table_keys;
mod tables;
mod twin_build;
mod twin_commands;
mod twin_drawing;
mod twin_figures;
mod twin_groups;
mod twin_history;
mod twin_lists;
mod twin_live;
mod twin_packets;
mod twin_runs;
mod twin_times;
mod waterfall;

use std::sync::Arc;

use egui::Ui;
use lightloom::Error;

use crate::panel::Panel;
use crate::state::State;
use crate::state::asks::Asks;

pub use emit::Emit;
pub use fabric_layer::is_drawing;
pub use menu::{menu, status};
pub use palette::{found, palette};
pub use palette_entries::Does;
pub use questions::questions;

/// Draws a panel, under a bar while it is at work.
pub fn show(panel: Panel, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    progress::progress(panel, ui, state, emit);
    panes::of(panel).show(ui, state, emit);
}

/// What a panel asks.
pub fn asks(panel: Panel) -> &'static dyn Asks {
    panes::of(panel)
}

/// Why questions of panels have no answers, each with the panel that leads further.
pub fn refusals(state: &State) -> Vec<(Arc<Error>, Panel)> {
    // Some questions are refused for the same reason. The first panel of a reason is the one to go to.
    const FIRST: [Panel; 3] = [Panel::Design, Panel::Rules, Panel::Failures];
    let others = Panel::ALL.into_iter().filter(|panel| !FIRST.contains(panel));
    let refused = |panel| {
        let found = panes::of(panel).refusals(state).into_iter().flatten().cloned();
        found.map(|error| (error, panel)).collect::<Vec<_>>()
    };
    FIRST.into_iter().chain(others).flat_map(refused).collect()
}

/// Whether an answer that a panel shows is not there yet.
pub fn is_at_work(panel: Panel, state: &State) -> bool {
    panes::of(panel).is_at_work(state)
}

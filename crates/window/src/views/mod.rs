//! The panels. Each reads the state, draws it, and emits commands. A panel is a file here, a variant of [`Panel`] with
//! its title, and a line of [`show`].

mod as_built;
mod axes;
mod cabling;
mod cost;
mod design;
mod emit;
mod explore;
mod exports;
mod fabric;
mod fabric_drawing;
mod fabric_hover;
mod fabric_layer;
mod facts;
mod failures;
mod fibre_side;
mod field;
mod growth;
mod hall;
mod hall_colours;
mod hall_drawing;
mod kept;
mod layers;
mod light;
mod log;
mod long_text;
mod menu;
mod palette;
mod palette_entries;
mod palette_typed;
mod problems;
mod questions;
mod repair;
mod replacing;
mod rules;
mod run_list;
mod table;
mod table_keys;
mod tables;
mod text;
mod trace;
mod twin;
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

use egui::Ui;

use crate::panel::Panel;
use crate::state::State;

pub use emit::Emit;
pub use fabric_layer::is_drawing;
pub use menu::{menu, status};
pub use palette::{found, palette};
pub use palette_entries::Does;
pub use questions::questions;

/// Draws a panel.
pub fn show(panel: Panel, ui: &mut Ui, state: &State, out: &mut Emit<'_>) {
    emit::progress(panel, ui, state, out);
    match panel {
        Panel::Design => design::show(ui, state, out),
        Panel::Text => text::show(ui, state, out),
        Panel::Fabric => fabric::show(ui, state, out),
        Panel::Hall => hall::show(ui, state, out),
        Panel::Failures => failures::show(ui, state, out),
        Panel::Light => light::show(ui, state, out),
        Panel::Trace => trace::show(ui, state, out),
        Panel::Money => cost::show(ui, state, out),
        Panel::Explore => explore::show(ui, state, out),
        Panel::Twin => twin::show(ui, state, out),
        Panel::Rules => rules::show(ui, state, out),
        Panel::Problems => problems::show(ui, state, out),
        Panel::Log => log::show(ui, state, out),
        Panel::Growth => growth::show(ui, state, out),
        Panel::Cabling => cabling::show(ui, state, out),
        Panel::AsBuilt => as_built::show(ui, state, out),
        Panel::Exports => exports::show(ui, state, out),
    }
}

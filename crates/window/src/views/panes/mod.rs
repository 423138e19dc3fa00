//! The panels. Each is a file here with what it draws and what it asks, and a line of [`of`].

mod as_built;
mod cabling;
mod cost;
mod design;
mod explore;
mod exports;
mod fabric;
pub(super) mod failures;
mod growth;
mod hall;
mod light;
mod log;
mod placement;
mod problems;
mod rules;
mod text;
pub(super) mod trace;
mod twin;

use super::draws::Draws;
use crate::panel::Panel;

/// A panel by its name.
pub fn of(panel: Panel) -> &'static dyn Draws {
    match panel {
        Panel::Design => &design::Pane,
        Panel::Text => &text::Pane,
        Panel::Fabric => &fabric::Pane,
        Panel::Hall => &hall::Pane,
        Panel::Failures => &failures::Pane,
        Panel::Light => &light::Pane,
        Panel::Trace => &trace::Pane,
        Panel::Money => &cost::Pane,
        Panel::Explore => &explore::Pane,
        Panel::Twin => &twin::Pane,
        Panel::Rules => &rules::Pane,
        Panel::Problems => &problems::Pane,
        Panel::Log => &log::Pane,
        Panel::Growth => &growth::Pane,
        Panel::Placement => &placement::Pane,
        Panel::Cabling => &cabling::Pane,
        Panel::AsBuilt => &as_built::Pane,
        Panel::Exports => &exports::Pane,
    }
}

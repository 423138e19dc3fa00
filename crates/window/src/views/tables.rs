//! The tables of panels for the list of commands: their columns, and their rows as texts.

use super::table::{Head, csv_of, text_of};
use super::{cabling, explore, growth, light};
use crate::command::{CablingTable, Command};
use crate::panel::Panel;
use crate::state::State;

/// The panels with a table.
pub const PANELS: [Panel; 4] = [Panel::Light, Panel::Explore, Panel::Growth, Panel::Cabling];

/// The panels whose rows are filtered, and how a command about it begins.
pub const FILTERED: [(Panel, &str); 5] = [
    (Panel::Design, "filter design"),
    (Panel::Light, "filter light"),
    (Panel::Explore, "filter explore"),
    (Panel::Growth, "filter growth"),
    (Panel::Cabling, "filter cabling"),
];

/// Where rows go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// The clipboard, with tabs.
    Clipboard,
    /// A file, as CSV.
    File,
}

impl To {
    /// Both, with their names.
    pub const ALL: [(Self, &'static str); 2] =
        [(Self::Clipboard, "copy the rows"), (Self::File, "export the rows as CSV…")];
}

/// The titles of the columns of a panel's table.
pub fn columns(panel: Panel, state: &State) -> Vec<&'static str> {
    match panel {
        Panel::Light => titles(light::COLUMNS),
        Panel::Explore => titles(explore::COLUMNS),
        Panel::Growth => titles(growth::COLUMNS),
        Panel::Cabling => match state.looks.cabling {
            CablingTable::Trunks => titles(cabling::TRUNKS),
            CablingTable::Pulls => titles(cabling::PULLS),
            CablingTable::Trays => titles(cabling::TRAYS),
            CablingTable::Orders => titles(cabling::ORDERS),
        },
        _ => Vec::new(),
    }
}

/// The command that takes the rows of a panel's table, as they are filtered and sorted. `None`: it has no table.
/// The command itself tells if there are no rows, or if they are of another design.
pub fn command(panel: Panel, state: &State, to: To) -> Option<Command> {
    let to = (state, to);
    Some(match panel {
        Panel::Light => {
            let report = state.answers.light.last();
            let rows = report.map_or(&[][..], |report| &report.branches[..]);
            taken(panel, light::COLUMNS, rows, to)
        }
        Panel::Explore => {
            let report = state.answers.explored.last();
            let rows = report.map_or(&[][..], |report| &report.designs[..]);
            taken(panel, explore::COLUMNS, rows, to)
        }
        Panel::Growth => {
            let grown = state.growth.grown.last();
            let rows = grown.map_or(&[][..], |grown| &grown.cords[..]);
            taken(panel, growth::COLUMNS, rows, to)
        }
        Panel::Cabling => {
            let Some(report) = state.cables.cabling.last() else {
                return Some(taken(panel, cabling::TRUNKS, &[], to));
            };
            match state.looks.cabling {
                CablingTable::Trunks => taken(panel, cabling::TRUNKS, &report.trunks, to),
                CablingTable::Pulls => taken(panel, cabling::PULLS, &report.pulls, to),
                CablingTable::Trays => taken(panel, cabling::TRAYS, &report.trays, to),
                CablingTable::Orders => taken(panel, cabling::ORDERS, &report.orders, to),
            }
        }
        _ => return None,
    })
}

fn titles<T>(heads: &[Head<T>]) -> Vec<&'static str> {
    heads.iter().map(|head| head.title).collect()
}

fn taken<T>(panel: Panel, heads: &[Head<T>], rows: &[T], (state, to): (&State, To)) -> Command {
    match to {
        To::Clipboard => Command::CopyRows(panel, text_of(panel, heads, rows, state)),
        To::File => Command::ExportRows(panel, csv_of(panel, heads, rows, state)),
    }
}

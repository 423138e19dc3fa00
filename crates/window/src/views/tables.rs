//! The tables of panels for the list of commands: their columns, and their rows as texts.

use lightloom::shown::{Face, List};

use super::table::{csv_of, text_of};
use crate::command::Command;
use crate::panel::Panel;
use crate::state::State;

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

/// The titles of columns.
pub fn titles<T>(list: &List<T>) -> Vec<&'static str> {
    list.of(Face::Window).iter().map(|head| head.title()).collect()
}

/// The command that takes rows of a panel's table, as they are filtered and sorted.
pub fn taken<T>(panel: Panel, list: &List<T>, rows: &[T], (state, to): (&State, To)) -> Command {
    match to {
        To::Clipboard => Command::CopyRows(panel, text_of(panel, list, rows, state)),
        To::File => Command::ExportRows(panel, csv_of(panel, list, rows, state)),
    }
}

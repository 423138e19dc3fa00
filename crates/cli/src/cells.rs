//! Cells and lists that several tables share.

use lightloom::shown::{Face, List, Shown};

use crate::width::Sheet;

/// Rows that a table shows before it says how many more there are.
pub(crate) const SHOWN: usize = 40;

pub(crate) fn table(header: &[impl ToString]) -> Sheet {
    Sheet::new(header)
}

/// A table as a terminal shows it.
pub(crate) fn sheet(shown: &Shown) -> Sheet {
    let mut sheet = Sheet::new(shown.titles());
    for row in shown.rows() {
        sheet.add_row(row.clone());
    }
    sheet
}

/// The rows of a list, and how many there are beside those that are shown. Empty if there are none.
pub(crate) fn listed<'a, R>(list: &List<R>, rows: impl IntoIterator<Item = &'a R>) -> String {
    let shown = list.shown(Face::Command, rows, SHOWN);
    if shown.rows().is_empty() {
        return String::new();
    }
    format!("\n{}{}\n", sheet(&shown), more(shown.all()))
}

pub(crate) fn list<T: ToString>(items: &[T]) -> String {
    let shown: Vec<String> = items.iter().take(SHOWN).map(ToString::to_string).collect();
    format!("{}{}", shown.join(", "), if items.len() > SHOWN { ", …" } else { "" })
}

pub(crate) fn more(rows: usize) -> String {
    if rows > SHOWN {
        format!("\n… and {} more; --json lists all", rows - SHOWN)
    } else {
        String::new()
    }
}

//! Puts file and line to errors of the builder.

use lightloom_request::{At, Field, InputError};

use crate::rows::Row;

/// An error of the builder at the row of a file that says the field. An error that has another place keeps it.
pub(super) fn placed(root: &Row<'_>, error: InputError) -> InputError {
    let Some(Field::At(at)) = &error.field else { return error };
    let placed = match row_of(root, at) {
        Some(row) => row.refuse(at.field, ""),
        None => root.refuse(&at.to_string(), ""),
    };
    InputError { message: error.message, ..placed }
}

/// The row of a section. `None`: the file lacks it.
fn row_of<'a>(root: &Row<'a>, at: &At) -> Option<Row<'a>> {
    match at.number {
        Some(number) => root.tables(at.section).ok()?.get(number).copied(),
        None if at.section.is_empty() => Some(*root),
        None => at
            .section
            .split('.')
            .try_fold(*root, |row, name| row.table(name, at.section).ok().flatten()),
    }
}

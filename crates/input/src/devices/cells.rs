//! Cells that exports of devices and interfaces write in their own way.

use lightloom_request::InputError;

use crate::text::Record;

/// The cell of a column. NetBox writes a dash where there is nothing.
pub(super) fn cell<'a>(record: &Record<'a>, column: &str) -> &'a str {
    let cell = record.cell(column);
    if matches!(cell, "—" | "-" | "None") { "" } else { cell }
}

/// Yes or no. `empty` is what an empty cell, or a missing column, means.
pub(super) fn flag(record: &Record<'_>, column: &str, empty: bool) -> Result<bool, InputError> {
    match cell(record, column).to_lowercase().as_str() {
        "" => Ok(empty),
        "true" | "yes" | "1" | "✔" => Ok(true),
        "false" | "no" | "0" | "✘" => Ok(false),
        _ => {
            let found = record.cell(column);
            Err(record.refuse(column, format!("found {found:?}; expected true or false")))
        }
    }
}

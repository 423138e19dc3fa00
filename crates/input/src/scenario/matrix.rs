//! Reads CSV traffic matrices: a row for each sender, a column for each receiver.

use std::path::Path;

use lightloom_request::InputError;
use lightloom_scenario::build::{Matrix, MatrixRow};
use lightloom_units::DataSize;

use crate::rows::Row;
use crate::scenario::files::Files;
use crate::scenario::flow_list::named;
use crate::scenario::sheet::Sheet;
use crate::text::{Record, column};

/// Reads the matrix in the file that the field `file` names. The first column has the senders.
pub(super) fn read(row: &Row<'_>, path: &Path, files: &mut Files) -> Result<Matrix, InputError> {
    let sheet = Sheet::read(row, "file", path, &[column("from")])?;
    let titles: Vec<&str> = sheet.table.columns().map(|(_, title)| title).collect();
    let receivers = titles.get(1..).unwrap_or_default();
    if receivers.is_empty() || receivers.iter().any(|title| title.is_empty()) {
        let found = sheet.table.header_text();
        let message = format!(
            "found {found}; the first line names the receivers, each in a column after that of the senders"
        );
        return Err(sheet.table.at_header(path, message));
    }
    // The corner of a matrix may be empty.
    let from = titles.first().filter(|title| !title.is_empty()).map_or("from", |title| title);
    let line = sheet.table.header_line();
    let to = receivers.iter().map(|title| ((*title).to_owned(), named(title))).collect();
    let mut rows = Vec::new();
    sheet.each(path, |record| {
        rows.push(sender(record, from, receivers)?);
        Ok(())
    })?;
    files.push((path.to_path_buf(), sheet.text));
    Ok(Matrix { from: from.to_owned(), line, to, rows })
}

/// A row. `title` is that of the column of the senders.
fn sender(record: &Record<'_>, title: &str, receivers: &[&str]) -> Result<MatrixRow, InputError> {
    let mut cells = record.cells();
    let from = cells.next().unwrap_or_default();
    if from.is_empty() {
        let message = "found an empty cell; name the sender, by its number or its name";
        return Err(record.refuse(title, message));
    }
    let value =
        |(cell, title): (&str, &&str)| size(cell).map_err(|message| record.refuse(title, message));
    let sizes = cells.zip(receivers).map(value).collect::<Result<_, _>>()?;
    Ok(MatrixRow { line: record.line(), from: named(from), sizes })
}

/// A value: empty for nothing, digits for bytes, or a size with its unit.
fn size(cell: &str) -> Result<DataSize, String> {
    if cell.is_empty() {
        return Ok(DataSize::from_bytes(0));
    }
    if cell.bytes().all(|byte| byte.is_ascii_digit()) {
        let bytes =
            cell.parse().map_err(|_| format!("found {cell}; expected a number of bytes"))?;
        return Ok(DataSize::from_bytes(bytes));
    }
    cell.parse().map_err(|error: lightloom_units::ParseError| {
        format!("{error}; write a number of bytes, or a size such as 1 MB")
    })
}

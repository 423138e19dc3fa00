//! Reads CSV lists of flows: a row for each message between two hosts.

use std::path::Path;

use lightloom_request::InputError;
use lightloom_scenario::build::ListedFlow;
use lightloom_scenario::said::Node;
use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Span};

use crate::rows::Row;
use crate::scenario::files::Files;
use crate::scenario::sheet::{Sheet, cell};
use crate::text::{Record, column};

/// The columns. `size_bytes` and `start_ps` are those of `flows.csv` of a run, in bytes and picoseconds.
const COLUMNS: [&str; 8] =
    ["from", "to", "size", "size_bytes", "start", "start_ps", "class", "verb"];

/// Reads the flows in the file that the field `file` names, with a warning of columns that are not read.
pub(super) fn read(
    row: &Row<'_>,
    path: &Path,
    files: &mut Files,
) -> Result<(Vec<ListedFlow>, Option<String>), InputError> {
    let sheet = Sheet::read(row, "file", path, &COLUMNS.map(column))?;
    let table = &sheet.table;
    table.require(path, &["from", "to"])?;
    for (column, other) in [("size", "size_bytes"), ("start", "start_ps")] {
        if table.has(column) && table.has(other) {
            let message = format!("found both columns, {column} and {other}; keep one of them");
            return Err(table.at_header(path, message).in_field(column));
        }
    }
    if !table.has("size_bytes") {
        table.require(path, &["size"])?;
    }
    let plain = Plain { size: table.has("size_bytes"), start: table.has("start_ps") };
    let mut flows = Vec::new();
    sheet.each(path, |record| {
        flows.push(flow(record, plain)?);
        Ok(())
    })?;
    let unread: Vec<&str> = table
        .columns()
        .filter(|(name, _)| !COLUMNS.contains(name))
        .map(|(_, title)| title)
        .collect();
    let warning = (!unread.is_empty()).then(|| {
        // Only the file name, so that a report does not depend on the folder.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        format!("{name}: columns that are not read: {}", unread.join(", "))
    });
    files.push((path.to_path_buf(), sheet.text));
    Ok((flows, warning))
}

/// Which columns have plain numbers, and no units.
#[derive(Clone, Copy)]
struct Plain {
    size: bool,
    start: bool,
}

fn flow(record: &Record<'_>, plain: Plain) -> Result<ListedFlow, InputError> {
    let size = match plain.size {
        true => DataSize::from_bytes(record.number("size_bytes", "a number of bytes")?),
        false => cell(record, "size")?,
    };
    let start = match record.cell(if plain.start { "start_ps" } else { "start" }) {
        "" => Span::ZERO,
        _ if plain.start => Span::from_ps(record.number("start_ps", "a number of picoseconds")?),
        _ => cell(record, "start")?,
    };
    let class = word(record, "class", [("lossless", Class::LOSSLESS), ("lossy", Class::LOSSY)])?;
    let verb = word(record, "verb", [("write", Verb::Write), ("send", Verb::Send)])?;
    let (from, to) = (node(record, "from")?, node(record, "to")?);
    Ok(ListedFlow { line: record.line(), from, to, size, start, class, verb })
}

/// A host: by its number if the cell has digits only, else by its name.
pub(super) fn node(record: &Record<'_>, column: &str) -> Result<Node, InputError> {
    let cell = record.cell(column);
    if cell.is_empty() {
        let message = "found an empty cell; name a host by its number or its name";
        return Err(record.refuse(column, message));
    }
    Ok(named(cell))
}

/// The node that a text names: a host by its number if it has digits only, else a node by its name.
pub(super) fn named(text: &str) -> Node {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok());
    match number {
        None => Node::from(text),
        Some(Some(number)) => Node::Host(number),
        Some(None) => Node::Wrong(text.to_owned()),
    }
}

/// One of two words, or nothing.
fn word<T: Copy>(
    record: &Record<'_>,
    column: &str,
    words: [(&str, T); 2],
) -> Result<Option<T>, InputError> {
    let cell = record.cell(column);
    if cell.is_empty() {
        return Ok(None);
    }
    let found = words.iter().find(|(word, _)| *word == cell);
    let [(one, _), (other, _)] = words;
    let message = || format!("found {cell:?}; expected {one} or {other}");
    found.map(|(_, value)| Some(*value)).ok_or_else(|| record.refuse(column, message()))
}

//! Reads the CSV lists of links and nodes of a network.

use std::path::PathBuf;

use lightloom_request::{Field, InputError};
use lightloom_scenario::build::{LinkList, LinkRow};
use lightloom_topology::electrical::Network;
use lightloom_units::{ParseError, Span};

use crate::rows::Row;
use crate::scenario::files::Files;
use crate::scenario::sheet::{Sheet, cell};
use crate::text::{Record, column};

/// Reads a network. The file of links has the columns a, b, rate, and length or delay. That of nodes has the columns
/// name and kind. Without it, a node with one link is a host.
pub(super) fn read(
    row: &Row<'_>,
    (nodes, links): (Option<PathBuf>, PathBuf),
    per_m: Span,
) -> Result<(Network, Files), InputError> {
    let mut files = Files::new();
    let mut list = match nodes {
        None => LinkList::of_links(per_m),
        Some(path) => {
            let mut list = LinkList::of_nodes(per_m);
            let sheet = Sheet::read(row, "nodes", &path, &["name", "kind"].map(column))?;
            sheet.table.require(&path, &["name", "kind"])?;
            sheet.each(&path, |record| {
                list.node(record.line(), record.raw("name"), record.cell("kind"))
            })?;
            files.push((path, sheet.text));
            list
        }
    };
    let known = ["a", "b", "rate", "length", "delay"].map(column);
    let sheet = Sheet::read(row, "file", &links, &known)?;
    sheet.table.require(&links, &["a", "b", "rate"])?;
    if !sheet.table.has("delay") {
        sheet.table.require(&links, &["length"])?;
    }
    sheet.each(&links, |record| list.link(&link(record)?))?;
    let network = list.network().map_err(|error| match error.field {
        Some(Field::At(at)) => error.in_field(at.field).in_file(&links),
        _ => error.in_file(&links),
    })?;
    files.push((links, sheet.text));
    Ok((network, files))
}

fn link<'a>(record: &Record<'a>) -> Result<LinkRow<'a>, InputError> {
    Ok(LinkRow {
        line: record.line(),
        a: record.raw("a"),
        b: record.raw("b"),
        rate: cell(record, "rate")?,
        delay: optional(record, "delay")?,
        length: optional(record, "length")?,
    })
}

fn optional<T: std::str::FromStr<Err = ParseError>>(
    record: &Record<'_>,
    column: &str,
) -> Result<Option<T>, InputError> {
    if record.cell(column).is_empty() { Ok(None) } else { cell(record, column).map(Some) }
}

//! Reads custom edge lists.

use std::path::Path;

use lightloom_request::setting;
use lightloom_request::{Complaints, InputError, Settings};
use lightloom_topology::family::{CustomError, custom};
use lightloom_topology::{CassetteId, FabricError, TorId};

use crate::text::{Record, Table, column};

/// Reads a custom edge list and checks that it is a valid fabric. Errors name the line.
pub fn read_edges(
    settings: &Settings,
    path: &Path,
    p: u32,
) -> Result<Vec<(TorId, CassetteId, CassetteId)>, InputError> {
    const COLUMNS: [&str; 3] = ["tor", "from_cassette", "to_cassette"];
    let known = COLUMNS.map(column);
    let table = Table::read(path, settings.texts(), &known)?;
    table.require(path, &COLUMNS)?;
    let mut edges = Vec::new();
    let mut lines = Vec::new();
    let mut complaints = Complaints::default();
    let edge = |record: &Record<'_>| -> Result<_, InputError> {
        let number = |column: &str| record.number::<u32>(column, "a number from 0");
        let [tor, from, to] = COLUMNS;
        Ok((TorId(number(tor)?), CassetteId(number(from)?), CassetteId(number(to)?)))
    };
    for record in table.records(path) {
        edges.extend(complaints.take(edge(&record)));
        lines.push(record.line());
    }
    complaints.end()?;
    let Err(error) = custom(p, &edges) else { return Ok(edges) };
    let refused = InputError::new(&error).in_file(path);
    let line_of = |tor: TorId| edges.iter().position(|e| e.0 == tor).map(|i| lines[i]);
    let (line, field) = match &error {
        CustomError::Twice { entry, .. } | CustomError::Gap { entry, .. } => {
            (lines.get(*entry).copied(), "tor")
        }
        CustomError::Fabric(error) => match error {
            FabricError::TooManyTransmitters { tor, .. } => (line_of(*tor), "to_cassette"),
            FabricError::TooManyReceivers { tor, .. } => (line_of(*tor), "from_cassette"),
            FabricError::NoSuchCassette { tor, cassette, .. } => {
                let feeds = edges.iter().any(|e| e.0 == *tor && e.1 == *cassette);
                (line_of(*tor), if feeds { "from_cassette" } else { "to_cassette" })
            }
            FabricError::FanOut(_) => return Err(settings.refuse(&setting::fabric::P, error)),
            FabricError::Disconnected { to, .. } => (
                edges.iter().position(|e| e.1 == *to || e.2 == *to).map(|i| lines[i]),
                "to_cassette",
            ),
            _ => (None, "tor"),
        },
    };
    let refused = refused.in_field(field);
    Err(line.map_or(refused.clone(), |line| refused.at_line(line)))
}

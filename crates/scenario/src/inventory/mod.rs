//! Rack inventories: our own columns, or a NetBox rack export as it is.
//!
//! Own columns are `name` with `row` and `position` (1, 2, … along the row) or with `x_m` and
//! `y_m`; `unit` (the ToR's rack unit), `u_height`, `status`, `site` and `location` may be there.
//! A NetBox export has `site`, `location` and `name`: its locations are the rows, its racks stand
//! in them in the natural order of their names. Other columns are passed over.

mod filter;
mod natural;

use std::path::{Path, PathBuf};

use lightloom_topology::fabric::MAX_TORS;
use lightloom_topology::hall::Name;
use lightloom_units::Length;

pub(crate) use filter::Filters;
pub(crate) use natural::natural_key;

use crate::text::{Record, Table};
use crate::{InputError, Texts};

/// No rack stands farther from the corner of its hall.
const FARTHEST: Length = Length::from_m(100_000);

/// The racks that an inventory lists and the filters let through.
#[derive(Debug, Clone)]
pub(crate) struct Inventory {
    pub(crate) file: PathBuf,
    pub(crate) racks: Vec<ListedRack>,
    /// Columns that nothing was read from.
    pub(crate) ignored: Vec<String>,
}

/// One rack as listed.
#[derive(Debug, Clone)]
pub(crate) struct ListedRack {
    pub(crate) line: u64,
    pub(crate) name: Name,
    /// None where only coordinates are given.
    pub(crate) row: Option<Name>,
    pub(crate) spot: Spot,
    /// Height in rack units, where the inventory gives it.
    pub(crate) units: Option<u16>,
    pub(crate) tor_unit: Option<u16>,
}

/// Where a rack stands, as far as the inventory says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The n-th place along its row, from 1.
    Position(u32),
    /// Measured from the hall's corner.
    At {
        /// Along the rows.
        x: Length,
        /// Across the rows.
        y: Length,
    },
    /// Somewhere in its row: racks follow each other by name.
    Unknown,
}

/// What the columns of a file can tell.
#[derive(Debug, Clone, Copy)]
enum Format {
    Positions,
    Coordinates,
    NetBox,
}

impl Inventory {
    /// Reads a file and keeps the racks that pass the filters.
    pub(crate) fn read(path: &Path, filters: &Filters, texts: &Texts) -> Result<Self, InputError> {
        let table = Table::read(path, texts)?;
        table.require(path, &["name"])?;
        let format = format(path, &table)?;
        filters.check(path, &table)?;
        let mut racks = Vec::new();
        for record in table.records(path).filter(|record| filters.passes(record)) {
            racks.push(rack(&record, format)?);
        }
        if racks.is_empty() {
            return Err(filters.nothing_left(path, &table));
        }
        if racks.len() > MAX_TORS as usize {
            let message = format!("found {} racks; at most {MAX_TORS} can be planned", racks.len());
            return Err(InputError::new(message).in_file(path));
        }
        refuse_duplicates(path, &racks)?;
        let ignored = ignored(&table, format, filters);
        Ok(Self { file: path.to_path_buf(), racks, ignored })
    }
}

fn format(path: &Path, table: &Table) -> Result<Format, InputError> {
    let has = |columns: &[&str]| columns.iter().all(|column| table.has(column));
    if has(&["x_m", "y_m"]) {
        Ok(Format::Coordinates)
    } else if has(&["row", "position"]) {
        Ok(Format::Positions)
    } else if has(&["site", "location"]) {
        Ok(Format::NetBox)
    } else {
        let message = format!(
            "found columns {}; expected name with row and position, name with x_m and y_m, \
             or a NetBox rack export (site, location, name)",
            table.header_text()
        );
        Err(InputError::new(message).in_file(path).at_line(1))
    }
}

/// The columns that neither the racks nor the filters are read from, in the order of the file.
fn ignored(table: &Table, format: Format, filters: &Filters) -> Vec<String> {
    let places: &[&str] = match format {
        Format::Positions => &["row", "position"],
        Format::Coordinates => &["row", "x_m", "y_m"],
        Format::NetBox => &["location"],
    };
    let read = |column: &String| {
        ["name", "u_height", "unit"].contains(&column.as_str())
            || places.contains(&column.as_str())
            || filters.used().any(|used| used == column)
    };
    let columns = table.header().iter().filter(|column| !column.is_empty());
    columns.filter(|column| !read(column)).cloned().collect()
}

fn rack(record: &Record<'_>, format: Format) -> Result<ListedRack, InputError> {
    let name_in =
        |column: &str| Name::new(record.raw(column)).map_err(|error| record.refuse(column, error));
    let metres =
        |column: &str| match Length::parse_metres(record.cell(column)) {
            Ok(at) if at > FARTHEST => Err(record
                .refuse(column, format!("found {at}; a hall is at most {FARTHEST} long or wide"))),
            at => at.map_err(|error| record.refuse(column, error)),
        };
    let name = name_in("name")?;
    let (row, spot) = match format {
        Format::Positions => {
            let position: u32 = record.number("position", "1, 2, … along the row")?;
            if !(1..=1_000_000).contains(&position) {
                let message = format!("found {position}; expected 1 to 1000000");
                return Err(record.refuse("position", message));
            }
            (Some(name_in("row")?), Spot::Position(position))
        }
        Format::Coordinates => {
            let row = (!record.cell("row").is_empty()).then(|| name_in("row")).transpose()?;
            (row, Spot::At { x: metres("x_m")?, y: metres("y_m")? })
        }
        Format::NetBox => {
            if record.cell("location").is_empty() {
                let message = format!(
                    "rack \"{name}\" has no location, so its row is unknown; leave it out with a \
                     location filter such as \"Row *\", or fill in the column"
                );
                return Err(record.refuse("location", message));
            }
            (Some(name_in("location")?), Spot::Unknown)
        }
    };
    let units = match record.cell("u_height") {
        "" => None,
        _ => Some(record.number("u_height", "the rack's height in units")?),
    };
    let tor_unit = match record.cell("unit") {
        "" => None,
        _ => Some(record.number("unit", "the ToR's rack unit, from 1")?),
    };
    Ok(ListedRack { line: record.line(), name, row, spot, units, tor_unit })
}

/// Judged after filtering: the same name elsewhere is no concern of this hall.
fn refuse_duplicates(path: &Path, racks: &[ListedRack]) -> Result<(), InputError> {
    let mut first_lines = std::collections::BTreeMap::new();
    for rack in racks {
        if let Some(first) = first_lines.insert(&rack.name, rack.line) {
            let message = format!(
                "rack \"{}\" is already on line {first}; name it otherwise, or narrow the filters",
                rack.name
            );
            return Err(InputError::new(message).in_file(path).at_line(rack.line).in_field("name"));
        }
    }
    Ok(())
}

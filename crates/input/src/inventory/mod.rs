//! Reads rack inventories: our own columns, or rack exports of NetBox or a spreadsheet.
//!
//! Our columns are `name` with `row` and `position` (1, 2, … along the row), or `name` with `x_m` and
//! `y_m`. The columns `unit` (the ToR's rack unit), `u_height`, `status`, `site` and `location` are optional.
//!
//! An export has `location` and `name`, and no `row`. Its locations are the rows if their names say so.
//! Racks without positions are placed in the natural order of their names. All racks must be in one room,
//! unless a building file says how the rooms are joined. Other columns are ignored, and the report lists them.

mod columns;
mod filter;
mod largest;
mod matching;
mod rooms;
mod status;

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_design::building::ListedBuilding;
use lightloom_design::inventory::Inventory;
use lightloom_design::inventory::ListedRack;
use lightloom_design::inventory::Spot;
use lightloom_topology::RoomId;
use lightloom_topology::fabric::MAX_TORS;
use lightloom_topology::hall::{Alike, Name};
use lightloom_units::{Length, ParseError};

use crate::text;
use crate::text::{Numbers, Record, Table, UnitMark, rounded_to_um, unit_off};

pub use columns::COLUMNS;
use matching::Matching;

pub use filter::Filters;
pub use rooms::Rows;

pub(crate) use largest::text_of;

use lightloom_request::{Complaints, InputError, Settings};

/// Largest distance of a rack from the corner of its hall.
const FARTHEST: Length = Length::from_m(100_000);
/// The columns with numbers.
const NUMBERS: [&str; 6] = ["position", "x_m", "y_m", "unit", "u_height", "height"];

/// How a file gives the places of racks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    /// By positions along the rows.
    Positions(Rows),
    /// By coordinates. The rows come from a column if there is one.
    Coordinates(Rows),
    /// By name: racks of a row follow each other in the order of their names.
    ByName(Rows),
}

/// How to read the cells of a file.
#[derive(Debug, Clone, Copy)]
struct Reader {
    places: Places,
    numbers: Numbers,
    /// Name of the column of heights.
    height: &'static str,
}

/// Reads a file and keeps the racks that pass the filters. With a building, each rack is in one of its rooms.
pub fn read(
    path: &Path,
    filters: &Filters,
    rows_from: Option<Rows>,
    building: Option<&ListedBuilding>,
    settings: &Settings,
) -> Result<Inventory, InputError> {
    let mut table = Table::untitled(path, &text_of(path, settings)?, &COLUMNS)?;
    columns::refuse_devices(path, &table)?;
    table.name(path, &COLUMNS)?;
    table.require(path, &["name"])?;
    filters.check(path, &table)?;
    let mut places = places(path, &table, rows_from)?;
    let chosen: Vec<Record<'_>> =
        table.records(path).filter(|record| filters.passes(record)).collect();
    if chosen.is_empty() {
        return Err(filters.nothing_left(path, &table));
    }
    if chosen.len() > MAX_TORS as usize {
        let message = format!("found {} racks; at most {MAX_TORS} can be planned", chosen.len());
        return Err(InputError::new(message).in_file(path));
    }
    refuse_sums(&chosen)?;
    if building.is_none() {
        rooms::refuse_several(path, &table, &chosen, places.rows_from())?;
    }
    let status = status::judge(path, &table, filters, &chosen)?;
    if let Places::Positions(from) = places
        && from != Rows::Row
        && chosen.iter().all(|record| record.cell("position").is_empty())
    {
        places = Places::ByName(from);
    }
    let height = if table.has("u_height") { "u_height" } else { "height" };
    let numbers = Numbers::of(&table, chosen.iter().copied(), &NUMBERS)?;
    let reader = Reader { places, numbers, height };
    let mut complaints = Complaints::default();
    let matching = building.map(|building| Matching::new(building, &table, places.rows_from()));
    let rack = |record: &Record<'_>| {
        let room = matching.as_ref().map_or(Ok(RoomId(0)), |matching| matching.room(record))?;
        reader.rack(record, room)
    };
    let racks: Vec<ListedRack> =
        chosen.iter().filter_map(|record| complaints.take(rack(record))).collect();
    complain_of_names(path, &racks, places.rows_from().column(), &mut complaints);
    complaints.end()?;
    let mut ignored_columns = ignored(&table, &chosen, reader);
    if building.is_some() {
        ignored_columns.retain(|title| !matches!(text::fold(title).as_str(), "building" | "floor"));
    }
    let file = path.to_path_buf();
    let mut inventory = Inventory { file, racks, notes: Vec::new(), ignored_columns };
    inventory.notes = inventory.place_notes(places.rows_from() != Rows::Row);
    inventory.notes.extend(status);
    Ok(inventory)
}

impl Places {
    /// The column with the names of rows.
    fn rows_from(self) -> Rows {
        match self {
            Self::Positions(from) | Self::Coordinates(from) | Self::ByName(from) => from,
        }
    }
}

fn places(path: &Path, table: &Table, rows_from: Option<Rows>) -> Result<Places, InputError> {
    let has = |columns: &[&str]| columns.iter().all(|column| table.has(column));
    if let Some(from) = rows_from {
        table.require(path, &[from.column()])?;
    }
    let from = rows_from.or(match (has(&["row"]), has(&["location"])) {
        (true, _) => Some(Rows::Row),
        (false, true) => Some(Rows::RowLocations),
        (false, false) => None,
    });
    let exported = has(&["site", "location"]) || rows_from == Some(Rows::Location);
    match from {
        _ if has(&["x_m", "y_m"]) => Ok(Places::Coordinates(rows_from.unwrap_or(Rows::Row))),
        Some(from) if has(&["position"]) => Ok(Places::Positions(from)),
        Some(from) if exported => Ok(Places::ByName(from)),
        _ => {
            let message = format!(
                "found columns {}; expected name with row and position, name with x_m and y_m, \
                 or a NetBox rack export (site, location, name)",
                table.header_text()
            );
            Err(table.at_header(path, message))
        }
    }
}

/// Refuses rows that are sums. Their names and numbers could be mistaken for those of a rack.
fn refuse_sums(records: &[Record<'_>]) -> Result<(), InputError> {
    let mut complaints = Complaints::default();
    let is_number = |cell: &str| {
        cell.is_empty() || cell.bytes().all(|b| b.is_ascii_digit() || b" .,+-%".contains(&b))
    };
    for record in records {
        let name = record.cell("name");
        if columns::sums_up(name) {
            let message = format!(
                "found {name:?}, which sums up other rows; delete the line, or name the rack otherwise"
            );
            complaints.add(record.refuse("name", message));
        } else if name.is_empty() && record.cells().all(is_number) {
            let message = "found numbers without a name; delete the line where it sums up others, or \
                           name the rack";
            complaints.add(record.refuse("name", message));
        }
    }
    complaints.end()
}

impl Reader {
    fn rack(self, record: &Record<'_>, room: RoomId) -> Result<ListedRack, InputError> {
        let name_in = |column: &str| {
            Name::new(record.raw(column)).map_err(|error| record.refuse(column, error))
        };
        let name = name_in("name")?;
        let (row, spot) = match self.places {
            Places::Coordinates(from) => {
                let row = from.column();
                let row = (!record.cell(row).is_empty()).then(|| name_in(row)).transpose()?;
                (row, Spot::At { x: self.metres(record, "x_m")?, y: self.metres(record, "y_m")? })
            }
            Places::Positions(from) | Places::ByName(from) => {
                if from != Rows::Row && record.cell("location").is_empty() {
                    let message = format!(
                        "rack \"{name}\" has no location, so its row is unknown; leave it out with a \
                         location filter such as \"Row *\", or fill in the column"
                    );
                    return Err(record.refuse("location", message));
                }
                let row = name_in(from.column())?;
                let positions = matches!(self.places, Places::Positions(_));
                let spot = if positions { self.position(record)? } else { Spot::Unknown };
                (Some(row), spot)
            }
        };
        let units = self.height(record)?;
        let tor_unit = match record.cell("unit") {
            "" => None,
            cell => {
                let expected = "the ToR's rack unit, from 1";
                Some(self.numbers.whole(record, "unit", unit_off(cell).0, expected)?)
            }
        };
        Ok(ListedRack { line: record.line(), name, room, row, spot, units, tor_unit })
    }

    fn position(self, record: &Record<'_>) -> Result<Spot, InputError> {
        let (column, cell) = ("position", record.cell("position"));
        let position: u32 = self.numbers.whole(record, column, cell, "1, 2, … along the row")?;
        if (1..=1_000_000).contains(&position) {
            Ok(Spot::Position(position))
        } else {
            let message = format!("found {position}; expected 1 to 1000000");
            Err(record.refuse(column, message))
        }
    }

    fn metres(self, record: &Record<'_>, column: &str) -> Result<Length, InputError> {
        let cell = record.cell(column);
        let plain = self.numbers.plain(record, column, cell)?;
        match Length::parse_metres(&rounded_to_um(&plain)) {
            Ok(at) if at > FARTHEST => {
                let message = format!("found {at}; a hall is at most {FARTHEST} long or wide");
                Err(record.refuse(column, message))
            }
            Ok(at) => Ok(at),
            Err(error) => Err(record.refuse(column, ParseError::new(cell, error.expected))),
        }
    }

    /// The height in rack units. A column named "height" may hold other units, so its cells must have a U.
    fn height(self, record: &Record<'_>) -> Result<Option<u16>, InputError> {
        let (number, mark) = match record.cell(self.height) {
            "" => return Ok(None),
            cell => unit_off(cell),
        };
        if self.height == "height" && mark != Some(UnitMark::After) {
            let message = format!(
                "found {number:?} without a unit; write heights as in \"48U\", or name the column u_height"
            );
            return Err(record.refuse(self.height, message));
        }
        let expected = "the rack's height in units, such as 48";
        if mark == Some(UnitMark::Before) {
            let message = format!("found {:?}; expected {expected}", record.cell(self.height));
            return Err(record.refuse(self.height, message));
        }
        self.numbers.whole(record, self.height, number, expected).map(Some)
    }
}

/// Titles of the ignored columns. A column without a title is listed only if it has cells.
fn ignored(table: &Table, racks: &[Record<'_>], reader: Reader) -> Vec<String> {
    let is_used = |column: &str| match column {
        "name" | "site" | "location" | "status" | "unit" => true,
        "row" => reader.places.rows_from() == Rows::Row,
        "position" => matches!(reader.places, Places::Positions(_)),
        "x_m" | "y_m" => matches!(reader.places, Places::Coordinates(_)),
        "u_height" | "height" => column == reader.height,
        _ => false,
    };
    let unused = table.columns().enumerate().filter(|(_, (column, _))| !is_used(column));
    let has_cells =
        |i: usize| racks.iter().any(|rack| rack.cells().nth(i).is_some_and(|c| !c.is_empty()));
    unused
        .filter(|(i, (_, title))| !title.is_empty() || has_cells(*i))
        .map(|(i, (_, title))| match title {
            "" => format!("column {} (no title)", i + 1),
            title => title.to_owned(),
        })
        .collect()
}

/// Checks names after filtering, because racks outside this hall may have the same names. Two racks must not differ
/// only in blanks or Unicode form. Two row names that differ only so, or in case, are one row, so they are refused.
fn complain_of_names(
    path: &Path,
    racks: &[ListedRack],
    row_column: &str,
    complaints: &mut Complaints,
) {
    let mut names: BTreeMap<String, (&Name, u64)> = BTreeMap::new();
    let mut rows: BTreeMap<(RoomId, String), (&Name, u64)> = BTreeMap::new();
    for rack in racks {
        let refuse = |field: &str, message: String| {
            InputError::new(message).in_file(path).at_line(rack.line).in_field(field)
        };
        let first = names.insert(rack.name.form(), (&rack.name, rack.line));
        if let Some((other, line)) = first {
            let message = match rack.name.alike(other) {
                None => format!(
                    "rack \"{other}\" is already on line {line}; rename it, or narrow the filters"
                ),
                Some(Alike { found, other, only_in }) => format!(
                    "found \"{found}\", which differs from \"{other}\" of line {line} only in \
                     {only_in}; rename one of the racks, or narrow the filters"
                ),
            };
            complaints.add(refuse("name", message));
        }
        let Some(row) = &rack.row else { continue };
        let (other, line) =
            rows.entry((rack.room, row.form().to_lowercase())).or_insert((row, rack.line));
        if let Some(Alike { found, other, only_in }) = row.alike(other) {
            let message = format!(
                "found \"{found}\", which differs from \"{other}\" of line {line} only in \
                 {only_in}; write one row in one way"
            );
            complaints.add(refuse(row_column, message));
        }
    }
}

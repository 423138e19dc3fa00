//! Finds the room of each rack in a building file.
//!
//! A rack is in the room whose location, site, building and floor are those of its cells. What the room or the
//! file does not give, does not count. Case does not count.

use lightloom_design::building::{Listed, ListedBuilding, ListedRoom};
use lightloom_request::InputError;
use lightloom_request::spelling::nearest;
use lightloom_topology::RoomId;
use lightloom_topology::hall::Name;
use lightloom_units::text::shown_path;

use crate::inventory::rooms::{Rows, row};
use crate::text::{Record, Table};

/// The largest number of rooms that a message lists.
const LISTED: usize = 8;

/// The rooms of a building, and how a table names them.
pub(super) struct Matching<'a> {
    building: &'a ListedBuilding,
    rows_from: Rows,
    /// Whether the table has the columns location, site, building and floor.
    has: [bool; 4],
}

impl<'a> Matching<'a> {
    pub(super) fn new(building: &'a ListedBuilding, table: &Table, rows_from: Rows) -> Self {
        let has = ["location", "site", "building", "floor"].map(|column| table.has(column));
        Self { building, rows_from, has }
    }

    /// The room of a rack.
    ///
    /// # Errors
    /// [`InputError`] at the rack's line if no room or several rooms fit.
    pub(super) fn room(&self, record: &Record<'_>) -> Result<RoomId, InputError> {
        let location = self.location(record)?;
        let cells = [
            location.unwrap_or_default(),
            record.cell("site"),
            record.cell("building"),
            record.cell("floor"),
        ];
        let is = |given: Option<&Name>, at: usize, counts: bool| match given {
            Some(name) if counts && self.has[at] => same(name.as_str(), cells[at]),
            _ => true,
        };
        let fits = |Listed { item: room, .. }: &Listed<ListedRoom>| {
            is(Some(&room.location), 0, location.is_some())
                && is(room.address.site.as_ref(), 1, true)
                && is(room.address.building.as_ref(), 2, true)
                && is(room.address.floor.as_ref(), 3, true)
        };
        let rooms = self.building.rooms.iter().enumerate().filter(|(_, room)| fits(room));
        let found: Vec<(usize, &str)> =
            rooms.map(|(id, room)| (id, room.item.name.as_str())).collect();
        match found.as_slice() {
            [(id, _)] => Ok(RoomId::at(*id)),
            [] => Err(self.nowhere(record, &cells)),
            several => {
                let names: Vec<&str> = several.iter().map(|(_, name)| *name).collect();
                let message = format!(
                    "rack {:?} may be in {}; say which in the columns location, site, building and floor",
                    record.cell("name"),
                    listed(&names)
                );
                Err(record.refuse(self.column(), message))
            }
        }
    }

    /// The room's name as the table gives it. `None`: it gives none.
    fn location<'r>(&self, record: &Record<'r>) -> Result<Option<&'r str>, InputError> {
        let cell = record.cell("location");
        match self.rows_from {
            _ if !self.has[0] => Ok(None),
            Rows::Row => Ok(Some(cell).filter(|cell| !cell.is_empty())),
            // Each location is a row.
            Rows::Location => Ok(None),
            Rows::RowLocations => match row(cell) {
                Some(room) => Ok(Some(room).filter(|room| !room.is_empty())),
                None => {
                    let message = format!(
                        "found {cell:?}, which is no row; name the rows in a column \"row\", and the rooms in \
                         the column \"location\""
                    );
                    Err(record.refuse("location", message))
                }
            },
        }
    }

    /// The column that is to say the room.
    fn column(&self) -> &'static str {
        let columns = ["location", "site", "building", "floor"];
        columns
            .into_iter()
            .zip(self.has)
            .find(|(_, has)| *has)
            .map_or("location", |(column, _)| column)
    }

    fn nowhere(&self, record: &Record<'_>, cells: &[&str; 4]) -> InputError {
        let told = ["location", "site", "building", "floor"].into_iter().zip(cells).zip(self.has);
        let told = told.filter(|((_, cell), has)| *has && !cell.is_empty());
        let told: Vec<String> = told.map(|((what, cell), _)| format!("{what} {cell:?}")).collect();
        let told = if told.is_empty() { "no place".to_owned() } else { told.join(", ") };
        let rooms = &self.building.rooms;
        let names: Vec<&str> = rooms.iter().map(|room| room.item.location.as_str()).collect();
        let meant = nearest(cells[0], names.iter().copied()).filter(|meant| !same(meant, cells[0]));
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean {meant:?}?"));
        let message = format!(
            "rack {:?} is in {told}, and {} has no such room{meant}; its rooms are {}. Add the room, or leave \
             its racks out with a filter",
            record.cell("name"),
            shown_path(&self.building.file),
            listed(&names)
        );
        record.refuse(self.column(), message)
    }
}

fn same(name: &str, cell: &str) -> bool {
    name.to_lowercase() == cell.trim().to_lowercase()
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("{name:?}")).collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

//! Whether the chosen racks stand in one room, and which of their columns says the row.
//!
//! A location is taken for a row where its name ends with the word "row" and a label: `Row 1`,
//! `row-A`, `Hall 2 / Row 07`. What stands before the word names the room. All other locations may be
//! rooms, floors, cages or rows, and are refused unless the user says what they are.

use std::collections::BTreeMap;
use std::path::Path;

use super::columns::APART;
use super::natural::natural_key;
use crate::InputError;
use crate::settings::Settings;
use crate::text::{Record, Table};

/// Where the names of rows come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowsFrom {
    /// The column `row`.
    Row,
    /// The column `location`, where the names of locations say that they are rows.
    RowLocations,
    /// The column `location`; the user says that each location is a row of one room.
    Location,
}

impl RowsFrom {
    /// The key that says it.
    pub(crate) const KEY: &str = "hall.rows_from";

    /// What settings say; none leaves it to the file.
    pub(crate) fn read(settings: &Settings) -> Result<Option<Self>, InputError> {
        match settings.text(Self::KEY)? {
            None => Ok(None),
            Some("row") => Ok(Some(Self::Row)),
            Some("location") => Ok(Some(Self::Location)),
            Some(other) => {
                let message = format!("found {other:?}; expected one of row, location");
                Err(settings.refuse(Self::KEY, message))
            }
        }
    }

    /// The column.
    pub(crate) fn column(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::RowLocations | Self::Location => "location",
        }
    }
}

/// Refuses racks of several sites or rooms.
pub(super) fn refuse_several(
    path: &Path,
    table: &Table,
    racks: &[Record<'_>],
    rows_from: RowsFrom,
) -> Result<(), InputError> {
    let several = |column: &'static str, message: String| {
        Err(InputError::new(message).in_file(path).in_field(column))
    };
    let sites = Values::of(racks, "site");
    if table.has("site") && sites.0.len() > 1 {
        let message = format!(
            "the racks are of {} sites: {}; a plan is of one room, so choose one with --site {:?}",
            sites.0.len(),
            sites.list(),
            sites.example()
        );
        return several("site", message);
    }
    for column in APART.into_iter().filter(|column| table.has(column)) {
        let values = Values::of(racks, column);
        if values.0.len() > 1 {
            let message = format!(
                "the racks are of several: {}; a plan is of one room, so keep the racks of one in the file",
                values.list()
            );
            return several(column, message);
        }
    }
    if !table.has("location") || rows_from == RowsFrom::Location {
        return Ok(());
    }
    let locations = Values::of(racks, "location");
    let rooms = locations.rooms();
    match (rows_from, rooms) {
        // Racks without a location are refused one by one, where the location is their row.
        (RowsFrom::RowLocations, Some(rooms)) if rooms.len() <= 1 => Ok(()),
        (_, Some(rooms)) if rooms.len() <= 1 && !locations.0.contains_key("") => Ok(()),
        (_, Some(rooms)) if rooms.len() > 1 => {
            let message = format!(
                "the racks are of {} rooms: {}; a plan is of one room, so choose one with --location {:?}",
                rooms.len(),
                Values::list_of(&rooms),
                format!("{}*", Values::example_of(&rooms))
            );
            several("location", message)
        }
        (RowsFrom::RowLocations, _) => {
            let other =
                locations.0.values().find(|(shown, _)| !shown.is_empty() && row(shown).is_none());
            let message = format!(
                "the racks are of the locations {}; {:?} may be a room or a row. Name the rows in a \
                 column \"row\" (with \"position\"); or choose locations that are rows with --location; \
                 or, where each location is one row and all are in one room, say --rows-from \"location\"",
                locations.list(),
                other.map_or("", |(shown, _)| shown)
            );
            several("location", message)
        }
        _ if locations.0.len() > 1 => {
            let message = format!(
                "the racks are of {} locations: {}; a plan is of one room, so choose one with --location {:?}",
                locations.0.len(),
                locations.list(),
                locations.example()
            );
            several("location", message)
        }
        _ => Ok(()),
    }
}

/// The values of a column without regard to case, in natural order: how each is written first, and
/// how many racks have it.
struct Values<'a>(BTreeMap<String, (&'a str, usize)>);

impl<'a> Values<'a> {
    fn of(racks: &[Record<'a>], column: &str) -> Self {
        let mut values = BTreeMap::new();
        for rack in racks {
            let cell = rack.cell(column);
            values.entry(cell.to_lowercase()).or_insert((cell, 0)).1 += 1;
        }
        Self(values)
    }

    fn list(&self) -> String {
        Self::list_of(&self.0)
    }

    fn list_of(values: &BTreeMap<String, (&str, usize)>) -> String {
        const SHOWN: usize = 10;
        let mut sorted: Vec<&(&str, usize)> = values.values().collect();
        sorted.sort_by_cached_key(|(value, _)| natural_key(value));
        let mut shown: Vec<String> = sorted
            .iter()
            .take(SHOWN)
            .map(|(value, racks)| {
                let of = if value.is_empty() { "none".into() } else { format!("{value:?}") };
                format!("{of} ({racks} {})", if *racks == 1 { "rack" } else { "racks" })
            })
            .collect();
        if let Some(more @ 1..) = sorted.len().checked_sub(SHOWN) {
            shown.push(format!("and {more} more"));
        }
        shown.join(", ")
    }

    /// The value that most racks have.
    fn example(&self) -> &'a str {
        Self::example_of(&self.0)
    }

    fn example_of(values: &BTreeMap<String, (&'a str, usize)>) -> &'a str {
        let named = values.values().filter(|(value, _)| !value.is_empty());
        named.max_by_key(|(_, racks)| *racks).map_or("", |(value, _)| value)
    }

    /// The rooms whose rows the values are; none where one is no row. Racks without a value are of no
    /// room.
    fn rooms(&self) -> Option<BTreeMap<String, (&'a str, usize)>> {
        let mut rooms = BTreeMap::new();
        for (value, racks) in self.0.values().filter(|(value, _)| !value.is_empty()) {
            let room = row(value)?;
            rooms.entry(room.to_lowercase()).or_insert((room, 0)).1 += racks;
        }
        Some(rooms)
    }
}

/// The room of a location whose name says that it is a row: what stands before `Row 1`, mostly
/// nothing. None where the name does not say so.
fn row(location: &str) -> Option<&str> {
    let lower = location.to_ascii_lowercase();
    let at = lower.rfind("row")?;
    let (before, after) = (&location[..at], &lower[at + "row".len()..]);
    if before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let label = after.trim_start_matches([' ', '-', '_', '.', '#', ':']);
    let apart = label.len() < after.len();
    let letters = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic());
    let from_digit = label.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let head = label.len() - from_digit.len();
    let tail = from_digit.trim_start_matches(|c: char| c.is_ascii_digit());
    // "Row", "Row 7", "Row A", "Row AB12", "Row 12B"; but neither "Rowan" nor "row house".
    let is_label = head <= 2 && (head == 0 || apart) && tail.len() <= 1 && letters(tail);
    let room = before.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | ']'));
    is_label.then_some(room)
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn rows_are_known_by_the_word_and_a_label() {
        for (location, room) in [
            ("Row 1", ""),
            ("row-A", ""),
            ("ROW_07", ""),
            ("Row12B", ""),
            ("Row", ""),
            ("Row AB 1", "x"),
            ("Hall 2 / Row 7", "Hall 2"),
            ("DC (west) > Row C3", "DC (west)"),
            ("Room 1 Row 2", "Room 1"),
        ] {
            let found = row(location);
            assert_eq!(found, (room != "x").then_some(room), "{location}");
        }
        for location in
            ["", "Rowan", "Row house", "Arrow 1", "Room 1", "A", "1", "Row 1 left", "Rows 1-4"]
        {
            assert_eq!(row(location), None, "{location}");
        }
    }
}

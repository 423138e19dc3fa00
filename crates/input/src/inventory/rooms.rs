//! Checks that the chosen racks of a plan without a building file are in one room, and finds the column that names
//! their rows.
//!
//! A location counts as a row if its name ends with the word "row" and a label: `Row 1`, `row-A`, `Hall 2
//! / Row 07`. The text before the word names the room. Any other location may be a room, a floor, a cage or a
//! row. It is refused unless the user says that locations are rows.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_design::inventory::natural_key;
use lightloom_request::choices::RowsFrom;
use lightloom_request::setting::hall::{BUILDING, LOCATION, ROWS_FROM, SITE};
use lightloom_request::{InputError, Message, Settings};

use crate::inventory::columns::APART;
use crate::text::{Record, Table};

/// The column with the names of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// The column `row`.
    Row,
    /// The column `location`. The names of the locations show that they are rows.
    RowLocations,
    /// The column `location`. The user says that each location is a row of one room.
    Location,
}

impl Rows {
    /// The column that the settings name. `None`: the file decides.
    pub fn read(settings: &Settings) -> Result<Option<Self>, InputError> {
        Ok(settings.get(&ROWS_FROM)?.map(|from| match from {
            RowsFrom::Row => Self::Row,
            RowsFrom::Location => Self::Location,
        }))
    }

    /// Name of the column.
    pub fn column(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::RowLocations | Self::Location => "location",
        }
    }
}

/// Refuses racks in several sites or rooms.
pub(super) fn refuse_several(
    path: &Path,
    table: &Table,
    racks: &[Record<'_>],
    rows_from: Rows,
) -> Result<(), InputError> {
    let several = |column: &'static str, message: Message| {
        Err(InputError::mentioning(message).in_file(path).in_field(column))
    };
    let quoted = |text: &str| Some(format!("{text:?}"));
    let sites = Values::of(racks, "site");
    if table.has("site") && sites.0.len() > 1 {
        let text =
            format!("the racks are in {} sites: {}; choose one with ", sites.0.len(), sites.list());
        let message = Message::new(text).setting(&SITE, quoted(sites.example()));
        return several("site", or_join(message));
    }
    for column in APART.into_iter().filter(|column| table.has(column)) {
        let values = Values::of(racks, column);
        if values.0.len() > 1 {
            let message = format!(
                "the racks are in several: {}; keep only the racks of one in the file",
                values.list()
            );
            return several(column, or_join(Message::new(message)));
        }
    }
    if !table.has("location") || rows_from == Rows::Location {
        return Ok(());
    }
    let locations = Values::of(racks, "location");
    let rooms = locations.rooms();
    match (rows_from, rooms) {
        // Later code refuses each rack without a location, if its location is its row.
        (Rows::RowLocations, Some(rooms)) if rooms.len() <= 1 => Ok(()),
        (_, Some(rooms)) if rooms.len() <= 1 && !locations.0.contains_key("") => Ok(()),
        (_, Some(rooms)) if rooms.len() > 1 => {
            let text = format!(
                "the racks are in {} rooms: {}; choose one with ",
                rooms.len(),
                Values::list_of(&rooms)
            );
            let example = format!("{}*", Values::example_of(&rooms));
            several("location", or_join(Message::new(text).setting(&LOCATION, quoted(&example))))
        }
        (Rows::RowLocations, _) => {
            let other =
                locations.0.values().find(|(shown, _)| !shown.is_empty() && row(shown).is_none());
            let text = format!(
                "the racks are in the locations {}; {:?} may be a room or a row. Name the rows in a \
                 column \"row\" (with \"position\"); or choose locations that are rows with ",
                locations.list(),
                other.map_or("", |(shown, _)| shown)
            );
            let message = Message::new(text)
                .setting(&LOCATION, None)
                .text("; or, where each location is one row and all are in one room, say ")
                .setting(&ROWS_FROM, quoted(RowsFrom::Location.name()));
            several("location", message)
        }
        _ if locations.0.len() > 1 => {
            let text = format!(
                "the racks are in {} locations: {}; choose one with ",
                locations.0.len(),
                locations.list()
            );
            let message = Message::new(text).setting(&LOCATION, quoted(locations.example()));
            several("location", or_join(message))
        }
        _ => Ok(()),
    }
}

/// Adds the other remedy: a file that says how the rooms are joined.
fn or_join(message: Message) -> Message {
    message.text(", or say how the rooms are joined with ").setting(&BUILDING, None)
}

/// The values of a column, in natural order, without regard to case. Each has its first spelling and its
/// number of racks.
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

    /// The value of most racks.
    fn example(&self) -> &'a str {
        Self::example_of(&self.0)
    }

    fn example_of(values: &BTreeMap<String, (&'a str, usize)>) -> &'a str {
        let named = values.values().filter(|(value, _)| !value.is_empty());
        named.max_by_key(|(_, racks)| *racks).map_or("", |(value, _)| value)
    }

    /// The rooms whose rows these locations are. `None` if a location is not a row. Racks without a value are
    /// skipped.
    fn rooms(&self) -> Option<BTreeMap<String, (&'a str, usize)>> {
        let mut rooms = BTreeMap::new();
        for (value, racks) in self.0.values().filter(|(value, _)| !value.is_empty()) {
            let room = row(value)?;
            rooms.entry(room.to_lowercase()).or_insert((room, 0)).1 += racks;
        }
        Some(rooms)
    }
}

/// The room of a location whose name marks it as a row: the text before `Row 1`, usually empty. `None` if the
/// name does not mark a row.
pub(super) fn row(location: &str) -> Option<&str> {
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
    // Labels: "Row", "Row 7", "Row A", "Row AB12", "Row 12B". Not labels: "Rowan", "row house".
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

//! Names of settings and options in refusals: those of the fields of panels. The command line names its flags instead.

use lightloom::{Error, InputError, Key, Words};

use crate::command::GrowthField;
use crate::placing::PlacingField;
use crate::search::SearchField;

/// Names as the panels have them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fields;

impl Words for Fields {
    fn setting(&self, key: &Key) -> String {
        key.name.to_owned()
    }

    fn option(&self, name: &str) -> String {
        field(name).map_or_else(|| name.replace('_', " "), str::to_owned)
    }

    fn part(&self, option: &str, part: &str) -> String {
        format!("{}, {part}", self.option(option))
    }

    fn give(&self, name: &str, value: Option<&str>) -> String {
        value.map_or_else(|| name.to_owned(), |value| format!("{name} = {value}"))
    }
}

/// The field for an option of a request. `None`: no panel has one.
fn field(option: &str) -> Option<&'static str> {
    Some(match option {
        "site" => SITE,
        "location" => LOCATION,
        "date" => DATE,
        "groups" => GROUPS,
        "old" => OLD,
        "pcap" => LINK,
        "tors" => GrowthField::Tors.name(),
        "phases" => GrowthField::Phases.name(),
        "pin" => GrowthField::Pin.name(),
        "most_moves" => GrowthField::MostMoves.name(),
        "inventory" => GrowthField::Inventory.name(),
        "racks" => GrowthField::Racks.name(),
        "encoding" => "encoding of the panel Rules",
        "dialect" => "dialect of the panel Rules",
        "method" => "method of the panel Failures",
        "failed" => "broken parts",
        other => {
            let placing = PlacingField::ALL.into_iter().find(|field| field.option() == other);
            let search = || SearchField::ALL.into_iter().find(|field| field.option() == other);
            placing.map(PlacingField::name).or_else(|| search().map(SearchField::name))?
        }
    })
}

/// Field of the panel Exports: the site in NetBox.
pub const SITE: &str = "Site in NetBox";
/// Field of the panel Exports: the location in NetBox.
pub const LOCATION: &str = "Location in NetBox";
/// Field of the panel Exports: the date on the report.
pub const DATE: &str = "Date on the report";
/// Field of the panel Exports: the file of servers and groups.
pub const GROUPS: &str = "Servers and groups";
/// Field of the panel Exports: the plan or design whose rules the switches have.
pub const OLD: &str = "Older plan of a rollout";
/// Field of the panel Exports: the link of a capture.
pub const LINK: &str = "Link of a capture";

/// Why something was refused, with the names of panels.
pub fn text_of(error: &Error) -> String {
    match error {
        Error::Input(error) => text_of_input(error),
        other => other.to_string(),
    }
}

/// The same of bad input.
pub fn text_of_input(error: &InputError) -> String {
    error.in_words(&Fields)
}

/// A message of a library without the place in its source, as in `os error at src/a.rs:7: no display`.
pub fn without_source(message: &str) -> String {
    let place = |found: &str| -> Option<usize> {
        let (file, rest) = found.split_once(".rs:")?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let ends = rest[digits..].starts_with(": ");
        ends.then_some(file.len() + ".rs:".len() + digits + ": ".len())
    };
    const AT: &str = " at ";
    let found = message.match_indices(AT).find_map(|(start, _)| {
        let length = place(&message[start + AT.len()..])?;
        Some((start, start + AT.len() + length))
    });
    match found {
        Some((start, end)) => format!("{}: {}", &message[..start], &message[end..]),
        None => message.to_owned(),
    }
}

/// A number of things, such as "1 error" and "2 errors".
pub fn number_of(count: usize, one: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {one}{ending}")
}

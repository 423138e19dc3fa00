//! Reads building files: rooms, entrances, junctions and ways.

use std::path::Path;

use lightloom_design::building::{Listed, ListedBuilding, ListedRoom};
use lightloom_design::geometry::Geometry;
use lightloom_request::spelling::nearest;
use lightloom_request::{InputError, Texts};
use lightloom_topology::hall::{
    Address, CrossSection, Entrance, Existing, Name, Pathway, PathwayKind, TrayLevel, Way, WayEnd,
};
use lightloom_topology::{EntranceId, JunctionId, RoomId};
use lightloom_units::{Length, Percent};

use crate::rows::{Document, Row};
use crate::text;

const ROOM: [&str; 15] = [
    "name",
    "location",
    "site",
    "building",
    "floor",
    "width",
    "depth",
    "cross_aisles",
    "tray",
    "tray_height",
    "tray_width",
    "tray_depth",
    "existing",
    "existing_fill",
    "entrances",
];
const ENTRANCE: [&str; 4] = ["name", "x", "y", "lead"];
const WAY: [&str; 11] = [
    "name",
    "kind",
    "from",
    "to",
    "length",
    "width",
    "depth",
    "diameter",
    "existing",
    "existing_fill",
    "most_fill",
];

/// Reads a building file.
///
/// # Errors
/// [`InputError`] at the first wrong field.
pub fn read(path: &Path, texts: &Texts) -> Result<ListedBuilding, InputError> {
    let text = text::read_up_to(texts, path, 16 << 20)?;
    let document = Document::parse(path, &text)?;
    let root = document.root();
    root.only_these(&["[[room]]", "[[junction]]", "[[way]]"])?;
    let mut building = ListedBuilding {
        file: path.to_path_buf(),
        rooms: Vec::new(),
        entrances: Vec::new(),
        junctions: Vec::new(),
        ways: Vec::new(),
    };
    for (id, row) in (0..).map(RoomId).zip(root.tables("room")?) {
        room(&row, id, &mut building)?;
    }
    if building.rooms.is_empty() {
        return Err(root.refuse("room", "the building has no room; begin one with [[room]]"));
    }
    for row in root.tables("junction")? {
        row.only_these(&["name"])?;
        building.junctions.push(Listed { line: row.line(), item: part_name(&row)? });
    }
    for row in root.tables("way")? {
        let item = way(&row, &building)?;
        building.ways.push(Listed { line: row.line(), item });
    }
    Ok(building)
}

fn room(row: &Row<'_>, id: RoomId, building: &mut ListedBuilding) -> Result<(), InputError> {
    row.only_these(&ROOM)?;
    let name = name(row, "name")?.ok_or_else(|| row.missing("name", "\"Room A\""))?;
    // Checked here, because racks are matched with rooms before the building is made.
    let twice = |other: &Listed<ListedRoom>| {
        other.item.name.as_str().to_lowercase() == name.as_str().to_lowercase()
    };
    if building.rooms.iter().any(twice) {
        let message = format!("room \"{name}\" is named twice; give each its own name");
        return Err(row.refuse("name", message));
    }
    let trays = TrayLevel::choices().into_iter().zip(TrayLevel::ALL);
    let trays: Vec<(&str, TrayLevel)> = trays.map(|((word, _), level)| (word, level)).collect();
    let trays = row.choice("tray", &trays)?.unwrap_or(TrayLevel::Overhead);
    if trays == TrayLevel::Floor && !row.has("tray_height") {
        let message = "is missing; with tray = \"floor\" it is the depth of the trays below the floor, \
                       such as \"0.5 m\"";
        return Err(row.refuse("tray_height", message));
    }
    let positive = |field: &str| match row.quantity(field)? {
        Some(Length::ZERO) => Err(row.refuse(field, "found 0 m; expected more")),
        length => Ok(length),
    };
    let aisles = row.list("cross_aisles")?.map(|texts| {
        let aisles = texts.iter().map(|text| text.parse::<Length>());
        aisles.collect::<Result<Vec<_>, _>>().map_err(|error| row.refuse("cross_aisles", error))
    });
    let geometry = Geometry {
        width: positive("width")?,
        depth: positive("depth")?,
        cross_aisles: aisles.transpose()?,
        tray_height: row.quantity("tray_height")?,
        tray_width: positive("tray_width")?,
        tray_depth: positive("tray_depth")?,
        ..Geometry::default()
    };
    let address = Address {
        site: self::name(row, "site")?,
        building: self::name(row, "building")?,
        floor: self::name(row, "floor")?,
    };
    let location = self::name(row, "location")?.unwrap_or_else(|| name.clone());
    let item = ListedRoom { name, location, address, geometry, trays, existing: existing(row)? };
    building.rooms.push(Listed { line: row.line(), item });
    for row in row.tables("entrances")? {
        row.only_these(&ENTRANCE)?;
        let x = row.required("x", "\"20 m\"")?;
        let y = row.required("y", "\"0 m\"")?;
        let item = Entrance { room: id, name: part_name(&row)?, x, y, lead: row.quantity("lead")? };
        building.entrances.push(Listed { line: row.line(), item });
    }
    Ok(())
}

fn way(row: &Row<'_>, building: &ListedBuilding) -> Result<Way, InputError> {
    row.only_these(&WAY)?;
    let name = part_name(row)?;
    let kinds = PathwayKind::ALL.map(|kind| (kind.name(), kind));
    let kind = row.choice("kind", &kinds)?.ok_or_else(|| row.missing("kind", "\"duct\""))?;
    let ends = [end(row, "from", building)?, end(row, "to", building)?];
    let length = row.required("length", "\"35 m\"")?;
    let section = match (row.has("diameter"), row.has("width") || row.has("depth")) {
        (true, true) => {
            let message = "is given beside width and depth; give a diameter, or both others";
            return Err(row.refuse("diameter", message));
        }
        (false, false) => return Err(row.missing("diameter", "\"110 mm\", or a width and a depth")),
        (true, false) => CrossSection::Round { diameter: row.required("diameter", "\"110 mm\"")? },
        (false, true) => CrossSection::Rectangle {
            width: row.required("width", "\"0.3 m\"")?,
            depth: row.required("depth", "\"0.1 m\"")?,
        },
    };
    let planned = row.quantity("most_fill")?.unwrap_or_else(|| kind.planned());
    let pathway = Pathway { section, existing: existing(row)?, planned };
    Ok(Way { name, kind, ends, length, pathway })
}

/// The entrance `room/entrance` or the junction that a field names.
fn end(row: &Row<'_>, field: &str, building: &ListedBuilding) -> Result<WayEnd, InputError> {
    let text = row.text(field)?.ok_or_else(|| row.missing(field, "\"Room A/east\""))?.trim();
    let entrances = building
        .entrances
        .iter()
        .map(|Listed { item, .. }| format!("{}/{}", building.room(item.room).item.name, item.name));
    let entrances: Vec<String> = entrances.collect();
    if let Some(found) = entrances.iter().position(|name| name == text) {
        return Ok(WayEnd::Entrance(EntranceId::at(found)));
    }
    let mut junctions = building.junctions.iter().map(|junction| junction.item.as_str());
    if let Some(found) = junctions.position(|name| name == text) {
        return Ok(WayEnd::Junction(JunctionId::at(found)));
    }
    let junctions = building.junctions.iter().map(|junction| junction.item.as_str());
    let known: Vec<&str> = entrances.iter().map(String::as_str).chain(junctions).collect();
    const SHOWN: usize = 8;
    let list = match known.len() {
        0 => "the rooms have no entrances yet".to_owned(),
        1..=SHOWN => format!("known here: {}", known.join(", ")),
        more => format!("known here: {} and {} more", known[..SHOWN].join(", "), more - SHOWN),
    };
    let meant = nearest(text, known.iter().copied());
    let meant = meant.map_or_else(String::new, |meant| format!("; did you mean {meant:?}?"));
    let message = format!(
        "found {text:?}, which is no entrance (as in \"Room A/east\") and no junction{meant}; {list}"
    );
    Err(row.refuse(field, message))
}

/// What already lies in the trays of a room, or in a way.
fn existing(row: &Row<'_>) -> Result<Existing, InputError> {
    let fill: Option<Percent> = row.quantity("existing_fill")?;
    match (row.table("existing", "existing")?, fill) {
        (Some(_), Some(_)) => {
            Err(row.refuse("existing_fill", "is given beside existing; give one of them"))
        }
        (None, None) => Ok(Existing::Nothing),
        (None, Some(fill)) => Ok(Existing::Share { fill }),
        (Some(table), None) => {
            table.only_these(&["cables", "diameter"])?;
            let cables = table.required_number("cables", "120")?;
            Ok(Existing::Cables { cables, diameter: table.required("diameter", "\"2 mm\"")? })
        }
    }
}

fn name(row: &Row<'_>, field: &str) -> Result<Option<Name>, InputError> {
    let Some(text) = row.text(field)? else { return Ok(None) };
    let name = Name::new(text).map_err(|error| row.refuse(field, error))?;
    if name.as_str().contains(';') {
        let message = format!("found {text:?}; sheets separate names with \";\", so leave it out");
        return Err(row.refuse(field, message));
    }
    Ok(Some(name))
}

/// The name of an entrance, a junction or a way.
fn part_name(row: &Row<'_>) -> Result<Name, InputError> {
    let name = name(row, "name")?.ok_or_else(|| row.missing("name", "\"east\""))?;
    if name.as_str().contains('/') {
        let message = format!(
            "found \"{name}\"; \"/\" separates a room from its entrance, so leave it out of other names"
        );
        return Err(row.refuse("name", message));
    }
    Ok(name)
}

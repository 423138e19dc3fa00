//! Reads the devices of the chosen racks.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_design::devices::device::{Device, Face, Mount};
use lightloom_design::inventory::InventoryNote;
use lightloom_request::{Complaints, InputError, Settings};
use lightloom_topology::hall::Name;

use crate::devices::cells::cell;
use crate::devices::racks::{Racks, Where};
use crate::inventory::text_of;
use crate::text::{Column, Record, Table, column, unit_off};

/// The known columns: field names and titles of NetBox's table of devices.
const COLUMNS: [Column; 9] = [
    Column { name: "name", synonyms: &["device", "device name"] },
    Column { name: "rack", synonyms: &["rack name"] },
    Column { name: "position", synonyms: &["unit", "rack unit", "position (u)", "unit (u)"] },
    Column { name: "u_height", synonyms: &["height", "height (u)", "size (u)"] },
    Column { name: "face", synonyms: &["rack face"] },
    Column { name: "role", synonyms: &["device role"] },
    Column { name: "site", synonyms: &["site name"] },
    Column { name: "location", synonyms: &["location name"] },
    column("status"),
];
/// What NetBox writes for a device without a name.
const UNNAMED: &str = "unnamed device";
/// Most units above the floor. Every rack is lower.
const MOST_UNITS: u32 = 1000;

/// The devices of a file.
pub(super) struct Devices {
    /// Those in chosen racks.
    pub(super) list: Vec<Device>,
    /// The names of the others, each with its line.
    pub(super) others: BTreeMap<String, u64>,
    /// What there is to tell.
    pub(super) notes: Vec<InventoryNote>,
}

/// Reads the file.
pub(super) fn read(path: &Path, racks: &Racks, settings: &Settings) -> Result<Devices, InputError> {
    let table = Table::foreign(path, &text_of(path, settings)?, &COLUMNS)?;
    table.require(path, &["name", "rack", "position"])?;
    let mut complaints = Complaints::default();
    let mut devices = Devices { list: Vec::new(), others: BTreeMap::new(), notes: Vec::new() };
    let (mut without_rack, mut left_out, mut one_high) = (0, 0, 0);
    for record in table.records(path) {
        let Some(place) = complaints.take(racks.find(&record)) else { continue };
        match place {
            Where::NoRack => without_rack += 1,
            Where::LeftOut => left_out += 1,
            Where::Rack(rack) => {
                let Some(device) = complaints.take(device(&record, rack)) else { continue };
                one_high += usize::from(device.mount.is_some() && height_cell(&record).is_empty());
                devices.list.push(device);
                continue;
            }
        }
        devices.others.insert(cell(&record, "name").to_owned(), record.line());
    }
    refuse_twice(path, &devices.list, &mut complaints);
    complaints.end()?;
    if without_rack + left_out > 0 {
        devices.notes.push(InventoryNote::DevicesElsewhere { without_rack, left_out });
    }
    if one_high > 0 {
        devices.notes.push(InventoryNote::OneUnitHigh(one_high));
    }
    devices.notes.extend(unused(path, &table, &COLUMNS));
    Ok(devices)
}

/// The note about columns that are not used.
pub(super) fn unused(path: &Path, table: &Table, known: &[Column]) -> Option<InventoryNote> {
    let titles = table.columns().filter(|(name, _)| known.iter().all(|known| known.name != *name));
    let titles: Vec<String> =
        titles.map(|(_, title)| title.to_owned()).filter(|title| !title.is_empty()).collect();
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    (!titles.is_empty()).then_some(InventoryNote::Unused(file, titles))
}

fn height_cell<'a>(record: &Record<'a>) -> &'a str {
    cell(record, "u_height")
}

fn device(record: &Record<'_>, rack: Name) -> Result<Device, InputError> {
    let name = match cell(record, "name") {
        "" => None,
        name if name.to_lowercase() == UNNAMED => None,
        _ => {
            let name = Name::new(record.raw("name"));
            Some(name.map_err(|error| record.refuse("name", error))?)
        }
    };
    let role = cell(record, "role").to_owned();
    Ok(Device {
        line: record.line(),
        name,
        rack,
        role,
        mount: mount(record)?,
        interfaces: Vec::new(),
    })
}

/// The place of a device. A device without a position, or of no height, is in no unit.
fn mount(record: &Record<'_>) -> Result<Option<Mount>, InputError> {
    let position = match cell(record, "position") {
        "" => return Ok(None),
        _ => half_units(record, "position", "the lowest rack unit of the device, from 1")?,
    };
    let height = match height_cell(record) {
        "" => 2,
        _ => half_units(record, "u_height", "a height in rack units, such as 1")?,
    };
    let expected = "the lowest rack unit of the device, from 1";
    let bottom = position.checked_sub(2).ok_or_else(|| {
        let found = record.cell("position");
        record.refuse("position", format!("found {found:?}; expected {expected}"))
    })?;
    let face = match cell(record, "face").to_lowercase().as_str() {
        "" => None,
        word => Some(Face::named(word).ok_or_else(|| {
            record
                .refuse("face", format!("found {:?}; expected front or rear", record.cell("face")))
        })?),
    };
    Ok((height > 0).then_some(Mount { bottom, height, face }))
}

/// A number of rack units in halves: `42`, `42.0`, `10.5`, `U42`.
fn half_units(record: &Record<'_>, column: &str, expected: &str) -> Result<u32, InputError> {
    let (number, _) = unit_off(cell(record, column));
    let (whole, half) = match number.split_once(['.', ',']) {
        None => (number, Some(0)),
        Some((whole, "5" | "50")) => (whole, Some(1)),
        Some((whole, zeros)) => (whole, zeros.bytes().all(|b| b == b'0').then_some(0)),
    };
    let digits = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
    let whole = whole.parse::<u32>().ok().filter(|&units| digits && units <= MOST_UNITS);
    whole.zip(half).map(|(whole, half)| 2 * whole + half).ok_or_else(|| {
        let found = record.cell(column);
        record.refuse(column, format!("found {found:?}; expected {expected}"))
    })
}

/// Refuses devices that are listed twice: interfaces name their device.
fn refuse_twice(path: &Path, list: &[Device], complaints: &mut Complaints) {
    let mut first: BTreeMap<&Name, &Device> = BTreeMap::new();
    for device in list {
        let Some(name) = &device.name else { continue };
        let Some(other) = first.insert(name, device) else { continue };
        let (field, message) = if other.rack == device.rack {
            let message = format!(
                "device \"{name}\" is already on line {}; rename it, or delete the line",
                other.line
            );
            ("name", message)
        } else {
            let message = format!(
                "device \"{name}\" is in rack \"{}\" here and in rack \"{}\" on line {}; a device is in one rack",
                device.rack, other.rack, other.line
            );
            ("rack", message)
        };
        let refused = InputError::new(message).in_file(path).at_line(device.line);
        complaints.add(refused.in_field(field));
    }
}

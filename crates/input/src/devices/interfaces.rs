//! Reads the interfaces of the devices.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_design::devices::device::{Interface, Plug, State};
use lightloom_design::devices::name::InterfaceName;
use lightloom_design::devices::patterns::Patterns;
use lightloom_design::inventory::InventoryNote;
use lightloom_request::{Complaints, InputError, Settings};

use crate::devices::cells::{cell, flag};
use crate::devices::listed::{Devices, unused};
use crate::devices::types::{Kind, kind};
use crate::inventory::text_of;
use crate::text::{Column, Record, Table, column};

/// The known columns: field names and titles of NetBox's table of interfaces.
const COLUMNS: [Column; 13] = [
    Column { name: "device", synonyms: &["device name", "parent", "parent device"] },
    Column { name: "name", synonyms: &["interface", "interface name"] },
    Column { name: "type", synonyms: &["interface type"] },
    column("enabled"),
    Column { name: "mgmt_only", synonyms: &["management only", "mgmt only"] },
    Column { name: "mark_connected", synonyms: &["marked connected", "connected", "occupied"] },
    column("cable"),
    Column { name: "link_peer", synonyms: &["link peers", "cable peer", "cable peers", "peer"] },
    Column { name: "connection", synonyms: &["connected endpoints"] },
    Column { name: "lag", synonyms: &["lag interface", "parent lag"] },
    column("description"),
    Column { name: "tags", synonyms: &["tag"] },
    column("reserved"),
];
/// Columns that show a cable.
const CABLES: [&str; 3] = ["cable", "link_peer", "connection"];

/// Reads the file, and gives the devices their interfaces.
pub(super) fn read(
    path: &Path,
    devices: &mut Devices,
    patterns: &Patterns,
    settings: &Settings,
) -> Result<(), InputError> {
    let table = Table::foreign(path, &text_of(path, settings)?, &COLUMNS)?;
    table.require(path, &["device", "name", "type"])?;
    if !CABLES.iter().any(|column| table.has(column)) {
        let message = format!(
            "the column is missing, so interfaces in use cannot be told from free ones; export it too (NetBox: \
             Configure Table, or all data); found {}",
            table.header_text()
        );
        return Err(table.at_header(path, message).in_field("cable"));
    }
    let mut complaints = Complaints::default();
    let by_name: BTreeMap<String, usize> = devices
        .list
        .iter()
        .enumerate()
        .filter_map(|(i, device)| Some((device.name.as_ref()?.as_str().to_owned(), i)))
        .collect();
    let mut first: BTreeMap<(usize, String), u64> = BTreeMap::new();
    let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
    let mut elsewhere = 0;
    for record in table.records(path) {
        let device = cell(&record, "device");
        let at = match (by_name.get(device), devices.others.get(device)) {
            (Some(_), Some(line)) => {
                let message = format!(
                    "found {device:?}, which is also the name of the device of line {line} of the devices, in no \
                     chosen rack; export the devices of one site"
                );
                complaints.add(record.refuse("device", message));
                continue;
            }
            (Some(&at), None) => at,
            (None, Some(_)) => {
                elsewhere += 1;
                continue;
            }
            (None, None) => {
                let message = format!(
                    "found {device:?}, which is no device of the file of devices; export both from one state"
                );
                complaints.add(record.refuse("device", message));
                continue;
            }
        };
        let Some((interface, is_known)) = complaints.take(interface(&record, patterns)) else {
            continue;
        };
        if !is_known {
            *unknown.entry(cell(&record, "type").to_owned()).or_default() += 1;
        }
        let name = interface.name.as_str().to_owned();
        if let Some(line) = first.insert((at, name), record.line()) {
            let message = format!(
                "device {device:?} already has an interface \"{}\" on line {line}",
                interface.name
            );
            complaints.add(record.refuse("name", message));
        }
        devices.list[at].interfaces.push(interface);
    }
    complaints.end()?;
    let notes = &mut devices.notes;
    if elsewhere > 0 {
        notes.push(InventoryNote::InterfacesElsewhere(elsewhere));
    }
    if !unknown.is_empty() {
        notes.push(InventoryNote::UnknownTypes(unknown.into_iter().collect()));
    }
    if !table.has("mark_connected") {
        notes.push(InventoryNote::NoMarks);
    }
    notes.extend(unused(path, &table, &COLUMNS));
    Ok(())
}

/// An interface, and whether its type is known.
fn interface(record: &Record<'_>, patterns: &Patterns) -> Result<(Interface, bool), InputError> {
    let name = InterfaceName::new(record.raw("name"));
    let name = name.map_err(|message| record.refuse("name", message))?;
    let found = kind(cell(record, "type"));
    if found == Kind::Unknown && cell(record, "type").is_empty() {
        let message = "found no type; expected one of NetBox's, such as 25gbase-x-sfp28";
        return Err(record.refuse("type", message));
    }
    let (rate, plug) = match found {
        Kind::Ethernet(rate, plug) => (Some(rate), plug),
        Kind::Other | Kind::Unknown => (None, Plug::Other),
    };
    let has_cable = CABLES.iter().any(|column| !cell(record, column).is_empty());
    let state = if has_cable || flag(record, "mark_connected", false)? {
        State::Cabled
    } else if !cell(record, "lag").is_empty() {
        State::InGroup
    } else if flag(record, "mgmt_only", false)? {
        State::Management
    } else if flag(record, "reserved", false)? {
        State::Reserved
    } else {
        let tags = cell(record, "tags").split(',');
        patterns.state(name.as_str(), tags.chain([cell(record, "description")]))
    };
    let enabled = flag(record, "enabled", true)?;
    let line = record.line();
    let cable = cell(record, "cable").to_owned();
    Ok((Interface { line, name, rate, plug, enabled, state, cable }, found != Kind::Unknown))
}

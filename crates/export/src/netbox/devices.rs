//! Device roles, switches, shelves, and the modules in their bays.

use lightloom_plant::{Plant, ThingId, ThingKind};

use crate::netbox::names::Names;
use crate::netbox::options::{NetboxOptions, Origin};
use crate::netbox::table::Table;
use crate::netbox::types::{MANUFACTURER, SWITCH_MODEL, module_model, shelf_model};

/// The file with the device roles.
pub(super) const ROLES: &str = "02-device-roles.csv";
/// The file with the switches.
pub(super) const SWITCHES: &str = "07-switches.csv";
/// The file with the shelves.
pub(super) const SHELVES: &str = "08-shelves.csv";
/// The file with the modules in the shelves.
pub(super) const MODULES: &str = "09-modules.csv";

const SHELF_ROLE: &str = "Fibre shelf";
const SPLITTER_ROLE: &str = "Optical splitter";
const PANEL_ROLE: &str = "Fibre panel";
const SWITCH_ROLE: &str = "Optical multicast ToR";

/// Nothing is installed yet.
const STATUS: &str = "planned";

/// The roles of the devices of the files.
pub(super) fn roles(plant: &Plant, options: &NetboxOptions) -> Vec<u8> {
    let mut table = Table::new(&["name", "slug", "color", "vm_role"]);
    let mut row = |name, slug, color| table.row(&[name, slug, color, "false"]);
    row(SHELF_ROLE, "fibre-shelf", "9e9e9e");
    row(SPLITTER_ROLE, "optical-splitter", "4caf50");
    if plant.things().iter().any(|thing| role(thing.kind) == PANEL_ROLE) {
        row(PANEL_ROLE, "fibre-panel", "2196f3");
    }
    if options.switches == Origin::Imported {
        row(SWITCH_ROLE, "optical-multicast-tor", "ff9800");
    }
    table.into_bytes()
}

fn role(kind: ThingKind) -> &'static str {
    match kind {
        ThingKind::Switch(_) => SWITCH_ROLE,
        ThingKind::Splitters { .. } => SPLITTER_ROLE,
        ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => PANEL_ROLE,
    }
}

/// Columns of a device in a rack.
const IN_RACK: [&str; 9] =
    ["name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"];

/// Columns of a device in a bay of another device.
const IN_BAY: [&str; 9] = [
    "name",
    "role",
    "manufacturer",
    "device_type",
    "status",
    "site",
    "rack",
    "parent",
    "device_bay",
];

/// The switches of the ToRs.
pub(super) fn switches(plant: &Plant, options: &NetboxOptions, names: &Names) -> Vec<u8> {
    let mut table = Table::located(&IN_RACK, options);
    for (id, thing) in (0..).map(ThingId).zip(plant.things()) {
        let ThingKind::Switch(_) = thing.kind else { continue };
        if !plant.is_hardware(id) {
            continue;
        }
        table.row(&[
            names.thing(id),
            SWITCH_ROLE,
            MANUFACTURER,
            SWITCH_MODEL,
            STATUS,
            names.site(thing.rack),
            plant.site().hall.rack(thing.rack).name.as_str(),
            &thing.unit.to_string(),
            "front",
        ]);
    }
    table.into_bytes()
}

/// The shelves. NetBox counts the position of a device at its lowest unit.
pub(super) fn shelves(plant: &Plant, options: &NetboxOptions, names: &Names) -> Vec<u8> {
    let mut table = Table::located(&IN_RACK, options);
    for (&(rack, _), shelf) in &names.shelves {
        table.row(&[
            &shelf.name,
            SHELF_ROLE,
            MANUFACTURER,
            &shelf_model(plant, shelf.units),
            STATUS,
            names.site(rack),
            plant.site().hall.rack(rack).name.as_str(),
            &shelf.lowest.to_string(),
            "front",
        ]);
    }
    table.into_bytes()
}

/// The modules: each in the bay of its first slot. NetBox refuses a position and a face of such a device.
pub(super) fn modules(plant: &Plant, options: &NetboxOptions, names: &Names) -> Vec<u8> {
    let mut table = Table::located(&IN_BAY, options);
    for (id, thing) in (0..).map(ThingId).zip(plant.things()) {
        let Some(slot) = thing.slot else { continue };
        let Some(shelf) = names.shelves.get(&(thing.rack, thing.unit)) else { continue };
        table.row(&[
            names.thing(id),
            role(thing.kind),
            MANUFACTURER,
            &module_model(plant, id),
            STATUS,
            names.site(thing.rack),
            plant.site().hall.rack(thing.rack).name.as_str(),
            &shelf.name,
            &slot.to_string(),
        ]);
    }
    table.into_bytes()
}

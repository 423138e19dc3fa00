//! The manufacturer, and the device types with their ports and the mappings between these.

use std::collections::BTreeMap;

use lightloom_plant::{End, Plant, Port, ThingId, ThingKind};
use lightloom_request::InputError;
use serde::Serialize;

use crate::netbox::names::{Names, slug};
use crate::netbox::options::{NetboxOptions, Origin};
use crate::netbox::ports::{MPO_POSITIONS, front_name, port_type, rear_name};
use crate::netbox::table::Table;

/// The file with the manufacturer.
pub(super) const MANUFACTURERS: &str = "01-manufacturers.csv";
/// The file with the device types.
pub(super) const FILE: &str = "03-device-types.json";

/// The manufacturer of all device types. It keeps them apart from those of other sources.
pub(super) const MANUFACTURER: &str = "lightloom";
/// The device type of switches that are not in NetBox.
pub(super) const SWITCH_MODEL: &str = "ToR switch 1U";

/// Most positions of a port (`PORT_POSITION_MAX`).
const MOST_POSITIONS: u32 = 1_024;

pub(super) fn manufacturers() -> Vec<u8> {
    let mut table = Table::new(&["name", "slug"]);
    table.row(&[MANUFACTURER, "lightloom"]);
    table.into_bytes()
}

/// A device type, with the keys of NetBox's import.
#[derive(Debug, Serialize)]
struct DeviceType {
    manufacturer: &'static str,
    model: String,
    slug: String,
    u_height: u16,
    is_full_depth: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    subdevice_role: Option<&'static str>,
    #[serde(rename = "rear-ports", skip_serializing_if = "Vec::is_empty")]
    rear_ports: Vec<PortTemplate>,
    #[serde(rename = "front-ports", skip_serializing_if = "Vec::is_empty")]
    front_ports: Vec<PortTemplate>,
    #[serde(rename = "port-mappings", skip_serializing_if = "Vec::is_empty")]
    port_mappings: Vec<Mapping>,
    #[serde(rename = "device-bays", skip_serializing_if = "Vec::is_empty")]
    device_bays: Vec<Bay>,
}

#[derive(Debug, Serialize)]
struct PortTemplate {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    positions: u16,
    label: String,
}

/// Position of a front port that is one with a position of a rear port.
#[derive(Debug, Serialize)]
struct Mapping {
    front_port: String,
    front_port_position: u16,
    rear_port: String,
    rear_port_position: u16,
}

#[derive(Debug, Serialize)]
struct Bay {
    name: String,
}

/// The device types of all things, one in a line.
pub(super) fn json(
    plant: &Plant,
    options: &NetboxOptions,
    names: &Names,
) -> Result<Vec<u8>, InputError> {
    let fan_out = plant.site().fabric.fan_out();
    if fan_out > MOST_POSITIONS {
        let message = format!(
            "a port of NetBox has at most {MOST_POSITIONS} positions; the splitters have {fan_out} outputs"
        );
        return Err(InputError::new(message));
    }
    let mut types: BTreeMap<String, DeviceType> = BTreeMap::new();
    for shelf in names.shelves.values() {
        let model = shelf_model(plant, shelf.units);
        types.entry(model).or_insert_with_key(|model| shelf_type(plant, model, shelf.units));
    }
    for (id, thing) in (0..).map(ThingId).zip(plant.things()) {
        let is_switch = matches!(thing.kind, ThingKind::Switch(_));
        if !is_switch {
            let model = module_model(plant, id);
            types.entry(model).or_insert_with_key(|model| module_type(plant, model, id));
        } else if options.switches == Origin::Imported {
            types.entry(SWITCH_MODEL.into()).or_insert_with_key(|model| empty(model, 1));
        }
    }
    let lines: Vec<String> = types
        .values()
        .map(|each| serde_json::to_string(each).expect("names and numbers are JSON"))
        .collect();
    Ok(format!("[\n{}\n]\n", lines.join(",\n")).into_bytes())
}

/// Name of the device type of a shelf.
pub(super) fn shelf_model(plant: &Plant, units: u16) -> String {
    format!("Shelf {units}U, {} slots", plant.slots_per_unit())
}

/// Name of the device type of a module. Equal modules have one device type, in all plans: that of a shuffle is named
/// by the hash of its map.
pub(super) fn module_model(plant: &Plant, id: ThingId) -> String {
    let (front, rear) = plant.ports(id);
    let lc = plant.connector(End { thing: id, port: Port::Front(1) }).name();
    match plant.thing(id).kind {
        ThingKind::Switch(_) => SWITCH_MODEL.into(),
        ThingKind::Splitters { count, shuffles: false, .. } => {
            format!("Splitter module {count} x 1:{}, {lc}", plant.site().fabric.fan_out())
        }
        ThingKind::Splitters { count, shuffles: true, .. } => {
            let splitters = format!("{count} x 1:{}", plant.site().fabric.fan_out());
            format!(
                "Splitter and shuffle module {splitters}, {lc}, map {:016x}",
                map_hash(plant, id)
            )
        }
        ThingKind::RowPanel(_) | ThingKind::FramePanel(_) => {
            format!("Panel module, {front} {lc}, {rear} MPO-12")
        }
    }
}

/// FNV-1a over the joints inside a module.
fn map_hash(plant: &Plant, id: ThingId) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let number = |port: Port| match port {
        Port::Tx(port) | Port::Rx(port) | Port::Front(port) | Port::Rear(port) => port,
    };
    let joints = plant.joints(id).into_iter();
    let numbers = joints.flat_map(|(from, to)| [number(from.port), number(to.port), to.position]);
    let bytes = numbers.flat_map(u16::to_be_bytes);
    bytes.fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

fn empty(model: &str, u_height: u16) -> DeviceType {
    DeviceType {
        manufacturer: MANUFACTURER,
        model: model.into(),
        slug: slug(&format!("{MANUFACTURER} {model}")),
        u_height,
        is_full_depth: false,
        subdevice_role: None,
        rear_ports: Vec::new(),
        front_ports: Vec::new(),
        port_mappings: Vec::new(),
        device_bays: Vec::new(),
    }
}

fn shelf_type(plant: &Plant, model: &str, units: u16) -> DeviceType {
    let bays = (1..=plant.slots_per_unit()).map(|slot| Bay { name: slot.to_string() });
    DeviceType {
        subdevice_role: Some("parent"),
        device_bays: bays.collect(),
        ..empty(model, units)
    }
}

fn module_type(plant: &Plant, model: &str, id: ThingId) -> DeviceType {
    let ports = match plant.thing(id).kind {
        ThingKind::Splitters { shuffles: false, .. } => splitter_ports(plant, id),
        _ => joined_ports(plant, id),
    };
    DeviceType {
        subdevice_role: Some("child"),
        rear_ports: ports.rear,
        front_ports: ports.front,
        port_mappings: ports.mappings,
        ..empty(model, 0)
    }
}

#[derive(Default)]
struct Ports {
    rear: Vec<PortTemplate>,
    front: Vec<PortTemplate>,
    mappings: Vec<Mapping>,
}

fn port_at(plant: &Plant, thing: ThingId, port: Port) -> &'static str {
    port_type(plant.connector(End { thing, port }))
}

/// The ports of splitters that have all of them in front: each input is a rear port with a position for each output.
fn splitter_ports(plant: &Plant, id: ThingId) -> Ports {
    let fan_out = u16::try_from(plant.site().fabric.fan_out()).unwrap_or(u16::MAX);
    let kind = port_at(plant, id, Port::Front(1));
    let mut ports = Ports::default();
    for port in 1..=plant.ports(id).0 {
        let (splitter, tap) = ((port - 1) / (fan_out + 1) + 1, (port - 1) % (fan_out + 1));
        if tap == 0 {
            let label = format!("splitter {splitter}, in");
            ports.rear.push(PortTemplate {
                name: front_name(port),
                kind,
                positions: fan_out,
                label,
            });
        } else {
            let label = format!("splitter {splitter}, out {tap}");
            ports.front.push(PortTemplate { name: front_name(port), kind, positions: 1, label });
            ports.mappings.push(Mapping {
                front_port: front_name(port),
                front_port_position: 1,
                rear_port: front_name(port - tap),
                rear_port_position: tap,
            });
        }
    }
    ports
}

/// The ports of a module that is joined from front to rear. A front port that is joined to several positions behind
/// has a position for each.
fn joined_ports(plant: &Plant, id: ThingId) -> Ports {
    let (front, rear) = plant.ports(id);
    let mut ports = Ports::default();
    for port in 1..=rear {
        let (name, kind) = (rear_name(port), port_at(plant, id, Port::Rear(port)));
        ports.rear.push(PortTemplate {
            name,
            kind,
            positions: MPO_POSITIONS,
            label: String::new(),
        });
    }
    let mut positions = vec![0; usize::from(front) + 1];
    for (from, to) in plant.joints(id) {
        let (Port::Front(front), Port::Rear(rear)) = (from.port, to.port) else { continue };
        let position: &mut u16 = &mut positions[usize::from(front)];
        *position += 1;
        ports.mappings.push(Mapping {
            front_port: front_name(front),
            front_port_position: *position,
            rear_port: rear_name(rear),
            rear_port_position: to.position,
        });
    }
    for (port, &positions) in (1..=front).zip(&positions[1..]) {
        let (name, kind) = (front_name(port), port_at(plant, id, Port::Front(port)));
        let label = match plant.thing(id).kind {
            ThingKind::Splitters { .. } => format!("splitter {port}, in"),
            _ => String::new(),
        };
        ports.front.push(PortTemplate { name, kind, positions: positions.max(1), label });
    }
    ports
}

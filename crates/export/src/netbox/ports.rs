//! Which component of which device in NetBox an end of a cable is.

use lightloom_plant::end_labels::port_label;
use lightloom_plant::{Connector, End, Plant, Port, ThingKind};

/// Positions of an MPO connector.
pub(super) const MPO_POSITIONS: u16 = Connector::MPO_FIBRES;

/// A component of a device: its kind, as the columns of cables name it, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Component {
    pub kind: &'static str,
    pub name: String,
}

const INTERFACE: &str = "dcim.interface";
const FRONT_PORT: &str = "dcim.frontport";
const REAR_PORT: &str = "dcim.rearport";

/// The component at an end of a cable.
pub(super) fn component(plant: &Plant, end: End) -> Component {
    let taps = plant.site().fabric.fan_out() + 1;
    match (plant.thing(end.thing).kind, end.port) {
        (_, Port::Tx(_)) => Component { kind: INTERFACE, name: interface(plant, end, "Tx") },
        (_, Port::Rx(_)) => Component { kind: INTERFACE, name: interface(plant, end, "Rx") },
        (ThingKind::Splitters { shuffles: false, .. }, Port::Front(port))
            if u32::from(port - 1) % taps == 0 =>
        {
            Component { kind: REAR_PORT, name: front_name(port) }
        }
        (_, Port::Front(port)) => Component { kind: FRONT_PORT, name: front_name(port) },
        (_, Port::Rear(port)) => Component { kind: REAR_PORT, name: rear_name(port) },
    }
}

/// Name of a port in front of a module: its number.
pub(super) fn front_name(port: u16) -> String {
    port.to_string()
}

/// Name of an MPO port behind a module, as labels have it.
pub(super) fn rear_name(port: u16) -> String {
    format!("M{port}")
}

/// Name of the interface of one direction of a switch's port. NetBox has one cable for each interface, and the two
/// fibres of a fabric port go to different devices.
fn interface(plant: &Plant, end: End, direction: &str) -> String {
    format!("{} {direction}", port_name(plant, end))
}

/// Name of a switch's port: the interface's name, or `Port 0` if only its number is known. The text after the first
/// `:` of a label is the port.
pub(super) fn port_name(plant: &Plant, end: End) -> String {
    let label = port_label(plant, end);
    let port = label.split_once(':').map_or(label.as_str(), |(_, port)| port);
    match port.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("Port {port}"),
        false => port.to_owned(),
    }
}

/// NetBox's type of a port.
pub(super) fn port_type(connector: Connector) -> &'static str {
    match connector {
        Connector::Mpo(_) => "mpo",
        Connector::Lc(_) if connector.is_angled() => "lc-apc",
        Connector::Lc(_) => "lc-upc",
    }
}

//! Where an end of a cable is, in cells of sheets.

use std::borrow::Cow;

use lightloom_plan::end_labels::{module_label, port_label};
use lightloom_plant::{Connector, End, Plant, Port, ThingKind};

/// Titles of the cells of [`cells`], after `near_` or `far_`.
pub(super) const COLUMNS: [&str; 10] =
    ["row", "rack", "unit", "slot", "module", "side", "port", "direction", "connector", "polish"];

/// The side of a module or switch that a port is on.
pub(super) fn side(port: Port) -> &'static str {
    match port {
        Port::Tx(_) | Port::Rx(_) | Port::Front(_) => "front",
        Port::Rear(_) => "rear",
    }
}

/// The number of a port on its side.
pub(super) fn number(port: Port) -> u16 {
    match port {
        Port::Tx(port) | Port::Rx(port) | Port::Front(port) | Port::Rear(port) => port,
    }
}

/// The direction at an end: light comes out of a `Tx`, and goes into an `Rx`.
pub(super) fn direction(is_near: bool) -> &'static str {
    if is_near { "Tx" } else { "Rx" }
}

/// Row, rack, unit, slot, module, side, port, direction, connector and polish of an end.
pub(super) fn cells<'a>(
    plant: &'a Plant,
    end: End,
    direction: &'static str,
) -> [Cow<'a, str>; COLUMNS.len()] {
    let thing = plant.thing(end.thing);
    let hall = &plant.site().hall;
    let rack = hall.rack(thing.rack);
    let connector = plant.connector(end);
    [
        hall.row_name(rack.row).into(),
        rack.name.as_str().into(),
        thing.unit.to_string().into(),
        thing.slot.map(|slot| slot.to_string()).unwrap_or_default().into(),
        module_label(plant, end.thing).into(),
        side(end.port).into(),
        number(end.port).to_string().into(),
        direction.into(),
        connector.name().into(),
        connector.polish().name().into(),
    ]
}

/// The adapter of a port: what a plug meets there.
pub(super) fn adapter(connector: Connector) -> &'static str {
    match connector {
        Connector::Lc(_) => connector.name(),
        Connector::Mpo(_) => "MPO-12/APC, key up to key down",
    }
}

/// Whether a thing is a switch.
pub(super) fn is_switch(kind: ThingKind) -> bool {
    matches!(kind, ThingKind::Switch(_))
}

/// Both labels of a cable: near / far and far / near.
pub(super) fn both_labels(plant: &Plant, ends: [End; 2]) -> [String; 2] {
    let [near, far] = ends.map(|end| port_label(plant, end));
    [format!("{near} / {far}"), format!("{far} / {near}")]
}

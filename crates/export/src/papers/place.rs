//! Where an end of a cable is, in cells of sheets.

use lightloom_plant::end_labels::{module_label, port_label};
use lightloom_plant::{Connector, End, Plant, Port, Thing, ThingKind};
use lightloom_tables::table::Cell;

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

/// What columns say of an end of a cable.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    plant: &'a Plant,
    end: End,
}

impl<'a> At<'a> {
    /// An end of a cable.
    pub(super) fn of(plant: &'a Plant, end: End) -> Self {
        Self { plant, end }
    }

    fn thing(self) -> &'a Thing {
        self.plant.thing(self.end.thing)
    }

    pub(super) fn row(self, cell: &mut Cell) {
        let hall = &self.plant.site().hall;
        cell.text(&hall.row_name(hall.rack(self.thing().rack).row));
    }

    pub(super) fn rack(self, cell: &mut Cell) {
        cell.text(self.plant.site().hall.rack(self.thing().rack).name.as_str());
    }

    pub(super) fn unit(self, cell: &mut Cell) {
        cell.show(self.thing().unit);
    }

    pub(super) fn slot(self, cell: &mut Cell) {
        cell.show_some(self.thing().slot);
    }

    pub(super) fn module(self, cell: &mut Cell) {
        cell.text(&module_label(self.plant, self.end.thing));
    }

    pub(super) fn side(self, cell: &mut Cell) {
        cell.text(side(self.end.port));
    }

    pub(super) fn port(self, cell: &mut Cell) {
        let (site, port) = (self.plant.site(), number(self.end.port));
        match self.thing().kind {
            // The logical ToRs of a switch have its ports in turn.
            ThingKind::Switch(tor) => {
                cell.show(site.placement.switch_port(&site.fabric, tor, port.into()));
            }
            _ => cell.show(port),
        }
    }

    pub(super) fn connector(self, cell: &mut Cell) {
        cell.text(self.plant.connector(self.end).name());
    }

    pub(super) fn polish(self, cell: &mut Cell) {
        cell.text(self.plant.connector(self.end).polish().name());
    }
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

//! The interfaces of switches that fibres of the fabric end at.

use lightloom_plant::{Plant, Port};

use crate::netbox::names::{Names, switch_ends};
use crate::netbox::ports::{component, port_name};
use crate::netbox::table::Table;

/// The file with the interfaces.
pub(super) const FILE: &str = "10-interfaces.csv";

/// One interface for each transmitter and each receiver that has a fibre.
pub(super) fn csv(plant: &Plant, names: &Names) -> Vec<u8> {
    let mut table = Table::new(&["device", "name", "type", "description"]);
    for end in switch_ends(plant) {
        let what = match end.port {
            Port::Tx(_) => "transmitter",
            _ => "receiver",
        };
        let description = format!("{what} of {}", port_name(plant, end));
        table.row(&[names.thing(end.thing), &component(plant, end).name, "other", &description]);
    }
    table.into_bytes()
}

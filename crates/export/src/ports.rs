//! `ports.csv`: the use of each port of each ToR.

use lightloom_plant::Plant;
use lightloom_plant::end_labels::{branch_label, feed_label};
use lightloom_tables::table::Kind::{Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_topology::hall::{Name, Rack};
use lightloom_topology::{FabricPort, TorId};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Ports;

impl Rows for Ports {
    type Row<'a> = Row;
    type Given<'a> = &'a Plant;
}

/// A port of a ToR.
pub struct Row {
    tor: TorId,
    number: u32,
    used_for: Use,
}

/// What a port is for.
enum Use {
    /// The fabric.
    Fabric(FabricPort),
    /// A port of the accelerator beside the switch, by its number.
    Accelerator(u32),
}

impl Row {
    fn rack<'a>(&self, plan: &'a Plant) -> &'a Rack {
        let site = plan.site();
        site.hall.rack(site.placement.rack(self.tor))
    }

    fn fabric(&self) -> Option<&FabricPort> {
        match &self.used_for {
            Use::Fabric(port) => Some(port),
            Use::Accelerator(_) => None,
        }
    }

    fn accelerator(&self) -> Option<u32> {
        match self.used_for {
            Use::Fabric(_) => None,
            Use::Accelerator(port) => Some(port),
        }
    }

    fn interface<'a>(&self, plan: &'a Plant) -> Option<&'a str> {
        let ports = plan.site().ports.as_ref()?;
        match self.used_for {
            Use::Fabric(_) => ports.interface(self.tor, self.number),
            Use::Accelerator(port) => ports.to_accelerator(self.tor, port),
        }
    }
}

/// Whether a plan names interfaces.
fn has_interfaces(plan: &Plant) -> bool {
    plan.site().ports.is_some()
}

type Col = Column<Ports>;

/// The columns.
pub const TABLE: Table<Ports> = Table {
    file: "ports.csv",
    about: "each port of each ToR. Port 0 also transmits, or the last fabric port only transmits. Ports to an \
            accelerator come last",
    columns: &[
        Col::new("tor", Whole, "the ToR", |_, row, cell| cell.show(row.tor)),
        Col::new("port", Whole, "the port, from 0", |_, row, cell| cell.show(row.number)),
        Col::new("name", Text, "name of the rack", |plan, row, cell| {
            cell.text(row.rack(plan).name.as_str())
        }),
        Col::new("row", Text, "row of the rack", |plan, row, cell| {
            cell.text(plan.site().hall.row(row.rack(plan).row).name.as_str());
        }),
        Col::new("unit", Whole, "rack unit of the ToR; empty if unknown", |plan, row, cell| {
            cell.show_some(row.rack(plan).tor_unit);
        }),
        Col::new(
            "transceiver",
            Whole,
            "the transceiver, by its port; empty at a port to an accelerator",
            |_, row, cell| {
                cell.show_some(row.fabric().map(|port| port.number));
            },
        ),
        Col::new(
            "tx_label",
            Text,
            "label of the feed; empty where it does not transmit",
            |plan, row, cell| {
                if row.fabric().is_some_and(|port| port.transmits) {
                    cell.text(&feed_label(&plan.site().fabric, row.tor));
                }
            },
        ),
        Col::new(
            "rx_label",
            Text,
            "label of the branch; empty where it receives nothing",
            |plan, row, cell| {
                let fabric = &plan.site().fabric;
                let branch = u32::try_from(fabric.splitter_branch(row.tor)).unwrap_or(u32::MAX);
                let hears = row.fabric().and_then(|port| port.hears);
                cell.show_some(hears.map(|sender| branch_label(fabric, sender, branch)));
            },
        ),
        Col::new("rx_from_tor", Whole, "the ToR that it hears; empty for none", |_, row, cell| {
            cell.show_some(row.fabric().and_then(|port| port.hears));
        }),
        Col::only(
            "device",
            Text,
            "name of the switch",
            "in a plan that names interfaces",
            has_interfaces,
            |plan, row, cell| {
                cell.show_some(plan.site().ports.as_ref().and_then(|ports| ports.device(row.tor)));
            },
        ),
        Col::only(
            "interface",
            Text,
            "name of the interface",
            "in a plan that names interfaces",
            has_interfaces,
            |plan, row, cell| cell.show_some(row.interface(plan)),
        ),
        Col::only(
            "tx",
            Text,
            "`lit` for the port that transmits; `off` for the others, whose transmitters are switched off or capped; \
             empty at a port to an accelerator",
            "in a plan that names interfaces",
            has_interfaces,
            |_, row, cell| {
                cell.show_some(row.fabric().map(|port| if port.transmits { "lit" } else { "off" }));
            },
        ),
        Col::only(
            "accelerator_port",
            Whole,
            "port of the accelerator beside the switch that it leads to, from 0; empty for the fabric",
            "where accelerators stand beside switches",
            |plan| plan.site().accelerator_ports > 0,
            |_, row, cell| cell.show_some(row.accelerator()),
        ),
        Col::only(
            "switch_port",
            Whole,
            "number of the port on its switch, from 0: a switch is all ToRs of a rack",
            "where switches are several logical ToRs",
            |plan| plan.site().placement.per_switch() > 1,
            |plan, row, cell| {
                let site = plan.site();
                cell.show(site.placement.switch_port(&site.fabric, row.tor, row.number));
            },
        ),
        Col::only(
            "room",
            Text,
            "room of the rack",
            "where there are several rooms",
            |plan| plan.site().hall.building().rooms.len() > 1,
            |plan, row, cell| {
                let site = plan.site();
                cell.text(
                    site.hall.room_name(site.placement.rack(row.tor)).map_or("", Name::as_str),
                );
            },
        ),
    ],
};

/// The content of the file. Port j receives from the splitter in slot j of the ToR's cassette. Ports to the accelerator
/// follow those of the fabric.
pub fn csv(plan: &Plant) -> Vec<u8> {
    let fabric = &plan.site().fabric;
    let of_tor = |tor| {
        let row = move |number, used_for| Row { tor, number, used_for };
        let of_fabric = fabric.ports(tor).map(move |port| row(port.number, Use::Fabric(port)));
        let end = fabric.end_of_ports(tor);
        let beside = (0..plan.site().accelerator_ports)
            .map(move |port| row(end + port, Use::Accelerator(port)));
        of_fabric.chain(beside)
    };
    TABLE.csv(plan, fabric.tor_ids().flat_map(of_tor))
}

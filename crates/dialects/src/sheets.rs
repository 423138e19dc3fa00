//! The sheets beside configurations: ports, servers and groups.

use lightloom_switching::config::{PortUse, SwitchConfig, SwitchPort};
use lightloom_switching::fabric::Configs;
use lightloom_switching::server::{Group, Server, ServerId};
use lightloom_tables::table::Kind::{Text, Whole};
use lightloom_tables::table::{Column, Declared, Rows, Table};
use lightloom_topology::TorId;

use crate::class::LOSSLESS;
use crate::copies::COPIES;
use crate::language::Language;

/// The rows of `switch-ports.csv`.
pub(super) struct Ports;

impl Rows for Ports {
    type Row<'a> = (TorId, &'a SwitchPort);
    type Given<'a> = (&'a Configs<'a>, &'static dyn Language);
}

type Port = Column<Ports>;

/// The ports of all switches.
pub(super) const PORTS: Table<Ports> = Table {
    file: "switch-ports.csv",
    about: "each port of each switch that the fabric, an accelerator, a server or the unicast network is at",
    columns: &[
        Port::new("tor", Whole, "the ToR", |_, (tor, _), cell| cell.show(tor)),
        Port::new("number", Whole, "the port's number in the dialect", |given, (_, port), cell| {
            cell.show(given.1.port_number(port.number));
        }),
        Port::new(
            "use",
            Text,
            "`receive`, `transmit`, `receive and transmit`, `server`, `unicast`, `accelerator` or `uplink`",
            |_, (_, port), cell| {
                cell.text(match port.used_for {
                    PortUse::Fabric { hears: Some(_), transmits: true, .. } => {
                        "receive and transmit"
                    }
                    PortUse::Fabric { hears: Some(_), .. } => "receive",
                    PortUse::Fabric { hears: None, .. } => "transmit",
                    PortUse::Server(_) => "server",
                    PortUse::Unicast => "unicast",
                    PortUse::Accelerator(_) => "accelerator",
                    PortUse::Uplink => "uplink",
                });
            },
        ),
        Port::new(
            "fabric_port",
            Whole,
            "the port's number in `ports.csv`; empty beside the fabric",
            |_, (_, port), cell| {
                if let PortUse::Fabric { port, .. } = port.used_for {
                    cell.show(port);
                }
            },
        ),
        Port::new("hears", Whole, "the ToR that it hears; empty for none", |_, (_, port), cell| {
            if let PortUse::Fabric { hears, .. } = port.used_for {
                cell.show_some(hears);
            }
        }),
        Port::new(
            "server",
            Text,
            "name of the server; empty for none",
            |given, (_, port), cell| {
                if let PortUse::Server(id) = port.used_for {
                    cell.text(&given.0.servers.all()[id.0].name);
                }
            },
        ),
        Port::new(
            "interface",
            Text,
            "name of the interface; empty if unknown",
            |_, (_, port), cell| cell.show_some(port.interface.as_ref()),
        ),
    ],
};

/// The rows of `servers.csv`.
pub(super) struct Servers;

impl Rows for Servers {
    type Row<'a> = &'a Server;
    type Given<'a> = &'a Configs<'a>;
}

type Of = Column<Servers>;

/// The servers and their addresses.
pub(super) const SERVERS: Table<Servers> = Table {
    file: "servers.csv",
    about: "each server",
    columns: &[
        Of::new("server", Text, "its name", |_, server, cell| cell.text(&server.name)),
        Of::new("tor", Whole, "its ToR", |_, server, cell| cell.show(server.tor)),
        Of::new("number", Whole, "its number at that ToR", |_, server, cell| {
            cell.show(server.number);
        }),
        Of::new("address", Text, "its IPv4 address", |configs, server, cell| {
            cell.show(configs.addresses.server(server.tor, server.number));
        }),
        Of::new(
            "added_to_group",
            Whole,
            "what it adds to the address of a group that it sends to",
            |configs, server, cell| cell.show(configs.addresses.added_to_group(server.tor)),
        ),
        Of::new(
            "interface",
            Text,
            "name of the interface of its switch; empty if unknown",
            |_, server, cell| cell.show_some(server.interface.as_ref()),
        ),
    ],
};

/// The rows of `groups.csv`.
pub(super) struct Members;

impl Rows for Members {
    type Row<'a> = (&'a Group, ServerId);
    type Given<'a> = &'a Configs<'a>;
}

type Member = Column<Members>;

/// The groups and their addresses. A member joins the address of the group plus each `added_to_group` of the servers.
pub(super) const GROUPS: Table<Members> = Table {
    file: "groups.csv",
    about: "each member of each group. It joins the address of the group plus each `added_to_group` of the servers",
    columns: &[
        Member::new("group", Text, "name of the group", |_, (group, _), cell| {
            cell.text(&group.name);
        }),
        Member::new("address", Text, "its IPv4 address", |_, (group, _), cell| {
            cell.show(group.address);
        }),
        Member::new("member", Text, "name of the server", |configs, (_, member), cell| {
            cell.text(&configs.servers.all()[member.0].name);
        }),
        Member::only(
            "transport",
            Text,
            "`rc` if accelerators serve the group, else `datagram`",
            "where accelerators stand beside switches",
            |configs| configs.project.platform().accelerator().is_some(),
            |_, (group, _), cell| cell.text(if group.is_reliable { "rc" } else { "datagram" }),
        ),
    ],
};

/// What the sheets are.
pub fn declared() -> [Declared; 5] {
    [
        PORTS.declared(),
        SERVERS.declared(),
        GROUPS.declared(),
        LOSSLESS.declared(),
        COPIES.declared(),
    ]
}

pub(super) fn ports<'a>(
    configs: &'a Configs<'a>,
    language: &'static dyn Language,
    switches: &'a [SwitchConfig],
) -> Vec<u8> {
    let of = |switch: &'a SwitchConfig| switch.ports.iter().map(|port| (switch.tor, port));
    PORTS.csv((configs, language), switches.iter().flat_map(of))
}

pub(super) fn servers(configs: &Configs<'_>) -> Vec<u8> {
    SERVERS.csv(configs, configs.servers.all())
}

pub(super) fn groups<'a>(configs: &'a Configs<'a>) -> Vec<u8> {
    let of = |group: &'a Group| group.members.iter().map(move |&member| (group, member));
    GROUPS.csv(configs, configs.servers.groups().iter().flat_map(of))
}

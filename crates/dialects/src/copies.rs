//! The copies that come back from accelerators: the sheet of their VLANs.

use lightloom_switching::config::{CopyBack, CopyTo, PortUse, SwitchConfig};
use lightloom_switching::fabric::Configs;
use lightloom_tables::table::Kind::{Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_topology::TorId;

use crate::language::Language;

/// The rows of `copies.csv`.
pub(super) struct Copies;

/// A copy of a ToR, and the server that it goes to.
pub(super) type Copy<'a> = (TorId, &'a CopyBack, Option<&'a str>);

impl Rows for Copies {
    type Row<'a> = Copy<'a>;
    type Given<'a> = &'static dyn Language;
}

type Col = Column<Copies>;

/// The copies of all switches.
pub(super) const COPIES: Table<Copies> = Table {
    file: "copies.csv",
    about: "each place that an accelerator can send a copy to. The copy comes back with the VLAN, which the switch \
            takes off",
    columns: &[
        Col::new("tor", Whole, "the ToR", |_, (tor, ..), cell| cell.show(tor)),
        Col::new("vlan", Whole, "number of the VLAN", |_, (_, copy, _), cell| cell.show(copy.vlan)),
        Col::new(
            "to",
            Text,
            "`uplink` (the unicast network, as it is), `splitter` (with one hop less), `stand-in` (wrapped for it) or \
             `server`",
            |_, (_, copy, _), cell| {
                cell.text(match copy.to {
                    CopyTo::Uplink => "uplink",
                    CopyTo::Splitter => "splitter",
                    CopyTo::StandIn => "stand-in",
                    CopyTo::Server => "server",
                });
            },
        ),
        Col::new(
            "number",
            Whole,
            "the port that it leaves by, as in `switch-ports.csv`",
            |language, (_, copy, _), cell| cell.show(language.port_number(copy.port)),
        ),
        Col::new("server", Text, "name of the server; empty for none", |_, (.., server), cell| {
            cell.show_some(*server);
        }),
    ],
};

/// The sheet. `None`: there are no accelerators, or the dialect cannot lead packets through them.
pub(super) fn sheet(
    configs: &Configs<'_>,
    language: &'static dyn Language,
    switches: &[SwitchConfig],
) -> Option<Vec<u8>> {
    if configs.project.platform().accelerator().is_none() || language.no_redirect().is_some() {
        return None;
    }
    let server = |switch: &SwitchConfig, number| {
        let port = switch.ports.iter().find(|port| port.number == number)?;
        match port.used_for {
            PortUse::Server(id) => Some(configs.servers.all()[id.0].name.as_str()),
            _ => None,
        }
    };
    let mut rows: Vec<Copy<'_>> = Vec::new();
    for switch in switches {
        rows.extend(switch.copies.iter().map(|copy| (switch.tor, copy, server(switch, copy.port))));
    }
    Some(COPIES.csv(language, rows))
}

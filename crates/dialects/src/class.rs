//! The lossless class beside configurations: the sheet of its ports, and what the manifest says of it.

use lightloom_switching::fabric::Configs;
use lightloom_switching::lossless::LARGEST_FRAME;
use lightloom_switching::unicast::{self, BufferShares, UnicastPort, Whose, pauses_at};
use lightloom_tables::table::Kind::{Decimal, Text, Whole};
use lightloom_tables::table::{Column, Rows, Table};
use lightloom_units::DataSize;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rows of `lossless.csv`.
pub(super) struct Lossless;

impl Rows for Lossless {
    type Row<'a> = &'a UnicastPort<'a>;
    type Given<'a> = &'a Configs<'a>;
}

type Port = Column<Lossless>;

/// The unicast ports of all switches.
pub(super) const LOSSLESS: Table<Lossless> = Table {
    file: "lossless.csv",
    about: "each unicast port, where the file of groups has `[lossless]`",
    columns: &[
        Port::new("tor", Whole, "its ToR", |_, port, cell| cell.show(port.tor)),
        Port::new("server", Text, "name of the server; empty for a port to the unicast network", {
            |configs, port, cell| {
                if let Whose::Server(id) = port.whose {
                    cell.text(&configs.servers.all()[id.0].name);
                }
            }
        }),
        Port::new("interface", Text, "name of the interface; empty if unknown", |_, port, cell| {
            cell.show_some(port.interface)
        }),
        Port::new("rate_bps", Whole, "its line rate; empty if unknown", |_, port, cell| {
            cell.show_some(port.link.map(|link| link.rate.as_bps()));
        }),
        Port::new(
            "cable_m",
            Decimal,
            "length of its cable in metres; empty if unknown",
            |_, port, cell| cell.show_some(port.link.map(|link| link.cable.to_metres_string())),
        ),
        Port::new(
            "needs_bytes",
            Whole,
            "bytes that can still arrive when it pauses its sender; empty if unknown",
            |_, port, cell| cell.show_some(port.headroom.map(|room| room.needs.as_bytes())),
        ),
        Port::new("cells", Whole, "cells of the buffer that these take", |_, port, cell| {
            cell.show_some(port.headroom.map(|headroom| headroom.cells));
        }),
        Port::new("headroom_bytes", Whole, "its headroom: all of these cells", |_, port, cell| {
            cell.show_some(port.headroom.map(|headroom| headroom.size.as_bytes()));
        }),
    ],
};

/// The sheet. `None`: no class is asked for.
pub(super) fn sheet(configs: &Configs<'_>) -> Option<Vec<u8>> {
    configs.lossless.as_ref()?;
    let tors = configs.project.fabric().tor_ids();
    let ports: Vec<_> = tors.flat_map(|tor| unicast::ports(configs, tor)).collect();
    Some(LOSSLESS.csv(configs, &ports))
}

/// The lossless class of the unicast ports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassManifest {
    /// Code point of its packets.
    pub dscp: u8,
    /// Priority, and number of the queue and of the priority group.
    pub priority: u8,
    /// Largest frame that headroom is counted for, in bytes.
    pub frame_bytes: u64,
    /// No packet is marked below this fill of a queue, in bytes.
    pub ecn_min_bytes: u64,
    /// All are marked above this one.
    pub ecn_max_bytes: u64,
    /// How many of a hundred are marked just below `ecn_max_bytes`.
    pub ecn_percent: u8,
    /// A port that is paused for longer is freed by its watchdog, in milliseconds.
    pub watchdog_ms: u64,
    /// Packet buffer of a switch, in bytes.
    pub buffer_bytes: u64,
    /// The most that ports of one switch have for themselves, in bytes: headroom, and what each keeps before its sender
    /// goes on.
    pub reserved_bytes: u64,
    /// The fill at which a port pauses its sender while it is alone, in bytes; at the switch that shares least.
    pub pauses_at_bytes: u64,
    /// Unicast ports whose headroom is known.
    pub ports: usize,
    /// Unicast ports without a known rate or cable: nothing is written for them.
    pub unknown: usize,
}

impl ClassManifest {
    /// What a fabric's switches are told. `None`: no class is asked for.
    pub(super) fn of(configs: &Configs<'_>) -> Option<Self> {
        let lossless = configs.lossless.as_ref()?;
        let bytes = |size: DataSize| size.as_bytes();
        let (mut reserved, mut ports, mut unknown) = (0, 0, 0);
        for tor in configs.project.fabric().tor_ids() {
            let all = unicast::ports(configs, tor);
            reserved = reserved.max(bytes(BufferShares::of(lossless, &all).reserved));
            let known = all.iter().filter(|port| port.headroom.is_some()).count();
            ports += known;
            unknown += all.len() - known;
        }
        let buffer = bytes(lossless.buffer.size);
        let shared = DataSize::from_bytes(buffer.saturating_sub(reserved));
        Some(Self {
            dscp: lossless.class.dscp,
            priority: lossless.class.priority,
            frame_bytes: bytes(LARGEST_FRAME),
            ecn_min_bytes: bytes(lossless.marking.min),
            ecn_max_bytes: bytes(lossless.marking.max),
            ecn_percent: lossless.marking.percent,
            watchdog_ms: lossless.watchdog.as_ps() / 1_000_000_000,
            buffer_bytes: buffer,
            reserved_bytes: reserved,
            pauses_at_bytes: bytes(pauses_at(shared, lossless.buffer.exponent)),
            ports,
            unknown,
        })
    }
}

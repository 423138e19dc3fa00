//! P4Runtime: multicast groups and table entries for `relay.p4`, a program for v1model, as protobuf text.
//!
//! A switch has three files, each a `p4.v1.WriteRequest`: a switch may carry out the updates of one request in any
//! order, so what must come first is a request of its own. The gate comes last.

use std::net::Ipv4Addr;

use lightloom_request::InputError;
use lightloom_routing::switch::Purpose;
use lightloom_switching::address::AddressMatch;
use lightloom_switching::config::{
    CopyBack, CopyTo, FirstStage, Ingress, Outcome, Reason, Replication, SPLITTER_VLAN, Slot,
    SwitchConfig, SwitchPort, UNICAST_PORT, UPLINK,
};
use lightloom_switching::delta::Delta;
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;

use crate::head::head;
use crate::language::{ByEnding, Changing, Language, PhaseFiles, Written};
use crate::p4runtime_changes::{Held, requests};
use crate::p4runtime_entry::{Entry, Refused};
use crate::p4runtime_logical::fits_together;
use crate::p4runtime_pipeline::{Action, Engine, Kind, Table, Type, field};
use crate::p4runtime_write::{Group, entries, fits, groups};

/// What stands behind the files.
const PROOF: &str = "accepted by finsy against relay.p4info.txt, and replayed by an interpreter of relay.p4; \
                     never compiled, and never run on a switch";

/// What the loader adds.
const LOADER: &str = "# The loader sets device_id, role and election_id. Load groups, then entries, then the gate.\n";

/// What stands behind the files of a rollout.
pub(super) const ROLLOUT_PROOF: &str = "accepted by finsy, and applied to the entries of the old plan by a program in \
                                        Python; never run on a switch";

/// The files of a phase: requests, one after another.
pub(super) const REQUESTS: PhaseFiles = PhaseFiles::Numbered("p4rt.txt");

/// How the requests of a phase are sent.
pub(super) const CHANGES_LOADER: &str = "\
# The loader sets device_id, role and election_id. Send the requests of a switch in order, each after the answer to \
the last.
# An INSERT of what is there and a DELETE of what is missing are errors: after an interruption read back, and leave \
out what is done.
";

/// The program, and what it offers to P4Runtime.
const PROGRAM: [(&str, &str); 2] = [
    ("relay.p4", include_str!("relay.p4")),
    ("relay.p4info.txt", include_str!("relay.p4info.txt")),
];

/// The endings of the files of a switch.
const FILES: [&str; 3] = ["groups.p4rt.txt", "entries.p4rt.txt", "gate.p4rt.txt"];

/// The port to the unicast network. v1model has 9 bits for a port, of which 510 and 511 are taken. The second logical
/// ToR of a switch has the number before, and so on.
const UNICAST: u32 = 500;
/// The port to the unicast network for answers and repairs of groups that an accelerator serves.
const ANSWERS: u32 = 501;

/// What happens to a replica on its way out.
const MEMBER: u16 = 1;
const SPLITTER: u16 = 2;
const STAND_IN: u16 = 3;
const FOR_SPLITTER: u16 = 4;
const FOR_STAND_IN: u16 = 5;

const PORT: Type = Type::Bits(9);
const ADDRESS: Type = Type::Bits(32);

/// Turn of the entries that admit unwrapped packets: the table that unwraps comes before, and the entry that refuses
/// all others before that.
const ADMITS: u8 = 6;

static UNWRAP: Table = Table {
    id: 0x0200_0001,
    name: "unwrap",
    fields: &[field(1, "ingress_port", Kind::Exact, PORT)],
    size: 32,
    turn: 5,
};
static GATE: Table = Table {
    id: 0x0200_0002,
    name: "gate",
    fields: &[
        field(1, "dst_addr", Kind::Ternary, ADDRESS),
        field(2, "ingress_port", Kind::Ternary, PORT),
    ],
    size: 512,
    turn: 7,
};
static FIRST: Table = Table {
    id: 0x0200_0003,
    name: "first_stage",
    fields: &[
        field(1, "ingress_port", Kind::Ternary, PORT),
        field(2, "src_addr", Kind::Ternary, ADDRESS),
        field(3, "dst_addr", Kind::Ternary, ADDRESS),
    ],
    size: 8192,
    turn: 4,
};
static SECOND: Table = Table {
    id: 0x0200_0004,
    name: "second_stage",
    fields: &[
        field(1, "outcome", Kind::Exact, Type::Bits(8)),
        field(2, "dst_addr", Kind::Ternary, ADDRESS),
    ],
    size: 16384,
    turn: 3,
};
static WRAP: Table = Table {
    id: 0x0200_0005,
    name: "wrap",
    fields: &[field(1, "egress_port", Kind::Exact, PORT)],
    size: 32,
    turn: 2,
};

static COPIES: Table = Table {
    id: 0x0200_0006,
    name: "copies",
    fields: &[
        field(1, "ingress_port", Kind::Exact, PORT),
        field(2, "vlan_id", Kind::Exact, Type::Bits(12)),
    ],
    size: 32_768,
    turn: 4,
};

static EXPECT_WRAPPED: Action =
    Action { id: 0x0100_0001, name: "expect_wrapped", parameters: &[("address", ADDRESS)] };
static OPEN: Action =
    Action { id: 0x0100_0002, name: "open", parameters: &[("stamp", Type::Bits(64))] };
static DECIDE: Action =
    Action { id: 0x0100_0003, name: "decide", parameters: &[("outcome", Type::Bits(8))] };
static REFUSE: Action = Action { id: 0x0100_0004, name: "refuse", parameters: &[] };
static REPLICATE: Action = Action {
    id: 0x0100_0005,
    name: "replicate",
    parameters: &[("multicast_group", Type::Bits(16))],
};
static WRAP_IN_VXLAN: Action = Action {
    id: 0x0100_0006,
    name: "wrap_in_vxlan",
    parameters: &[
        ("src_mac", Type::Bits(48)),
        ("dst_mac", Type::Bits(48)),
        ("src_addr", ADDRESS),
        ("dst_addr", ADDRESS),
    ],
};

static COPY_TO: Action = Action {
    id: 0x0100_0007,
    name: "copy_to",
    parameters: &[("port", PORT), ("replica", Type::Bits(16))],
};

/// v1model itself has no limits but the 16 bits of a group's number.
static ENGINE: Engine =
    Engine { port: PORT, groups: 65_535, replicas: usize::MAX, replicas_of_group: 512 };

/// The number of a port in this dialect.
fn port_number(number: u32) -> u32 {
    match number {
        UPLINK => ANSWERS,
        _ => number.checked_sub(UNICAST_PORT).map_or(number, |slot| UNICAST - slot),
    }
}

/// P4Runtime entries for a program of our own.
pub(super) struct OwnProgram;

impl Language for OwnProgram {
    fn stages(&self) -> u32 {
        2
    }

    fn endings(&self) -> &'static [&'static str] {
        &FILES
    }

    fn files(&self, switch: Written<'_>) -> Result<ByEnding, InputError> {
        files(switch.configs, switch.config).map_err(|refused| refused.of(switch.config.tor))
    }

    fn check(&self, configs: &Configs<'_>, switches: &[SwitchConfig]) -> Result<(), InputError> {
        fits_together(configs, switches, &ENGINE, &|config| {
            held(configs, config, Some(Stamp::of(config)))
        })
    }

    fn phase_files(&self) -> PhaseFiles {
        REQUESTS
    }

    fn phase_proof(&self) -> &'static str {
        ROLLOUT_PROOF
    }

    fn changes(&self, switch: Changing<'_>) -> Result<Vec<String>, InputError> {
        changes(switch.plans, switch.delta).map_err(|refused| refused.in_phase(&switch))
    }

    fn port_number(&self, number: u32) -> u32 {
        port_number(number)
    }

    fn shared(&self) -> &'static [(&'static str, &'static str)] {
        &PROGRAM
    }
}

/// The files of a switch, by ending of their names.
fn files(
    configs: &Configs<'_>,
    config: &SwitchConfig,
) -> Result<Vec<(&'static str, String)>, Refused> {
    ports_fit(config)?;
    let head = head("#", configs, config, PROOF) + LOADER;
    let (mut tables, gates) = (tables(configs, config), gates(configs, config, Stamp::of(config)));
    let wanted = wanted(config);
    let [groups_file, entries_file, gate_file] = FILES;
    let written = vec![
        (groups_file, groups(&head, &ENGINE, &wanted)?),
        (entries_file, entries(&head, &tables)?),
        (gate_file, entries(&head, &gates)?),
    ];
    tables.extend(gates);
    fits(&tables)?;
    Ok(written)
}

/// The requests of a phase on a switch, in order.
fn changes([old, new]: [&Configs<'_>; 2], delta: &Delta) -> Result<Vec<String>, Refused> {
    ports_fit(&delta.after)?;
    let before = held(old, &delta.before, delta.gate.before);
    let after = held(new, &delta.after, delta.gate.after);
    let head = head("#", new, &delta.after, ROLLOUT_PROOF) + CHANGES_LOADER;
    requests(&head, &ENGINE, [&before, &after], delta.gate.stays_closed())
}

/// What a switch holds with its gate open under this stamp, or closed.
fn held(configs: &Configs<'_>, config: &SwitchConfig, stamp: Option<Stamp>) -> Held {
    let gates = stamp.map_or_else(Vec::new, |stamp| gates(configs, config, stamp));
    let entries = tables(configs, config).into_iter().chain(gates).collect();
    Held { groups: wanted(config), entries }
}

/// Numbers from that of the unicast port on stand for something else.
fn ports_fit(config: &SwitchConfig) -> Result<(), Refused> {
    let first = UNICAST + 1 - config.slot.of;
    let is_over = |port: &SwitchPort| (first..UPLINK).contains(&port.number);
    if config.ports.iter().any(is_over) {
        let (place, what) = ("v1model beside the unicast port", "ports");
        let (found, most) = (config.ports.len(), first as usize - 1);
        return Err(Refused::Size { place, what, found, most });
    }
    Ok(())
}

fn wanted(config: &SwitchConfig) -> Vec<Group> {
    config.replications().iter().map(|replication| group(config, replication)).collect()
}

/// What an entry is for, as the switch keeps it.
pub(super) fn named(reason: Reason) -> &'static str {
    match reason {
        Reason::Origin => "origin",
        Reason::Spoofed => "spoofed",
        Reason::StandIn => "stand-in",
        Reason::Unwrapped => "unwrapped",
        Reason::Answers => "answers",
        Reason::Untagged => "untagged",
        Reason::Fabric(Purpose::OwnCopy) => "own-copy",
        Reason::Fabric(Purpose::NoSource) => "no-source",
        Reason::Fabric(Purpose::Filter) => "filter",
        Reason::Fabric(Purpose::Repair) => "repair",
        Reason::Fabric(Purpose::Relay) => "relay",
        Reason::Fabric(Purpose::Delivery) => "delivery",
    }
}

/// A MAC address of a ToR's own: a locally administered one that ends with its IPv4 address.
pub(super) fn mac(address: Ipv4Addr) -> u64 {
    0x0200_0000_0000 | u64::from(address.to_bits())
}

/// The value and the mask of a match on an address.
pub(super) fn bits(address: AddressMatch) -> (u64, u64) {
    (address.value().to_bits().into(), address.mask().to_bits().into())
}

fn on_address(entry: Entry, field: &'static str, address: AddressMatch) -> Entry {
    let (value, mask) = bits(address);
    entry.masked(field, value, mask)
}

fn tables(configs: &Configs<'_>, config: &SwitchConfig) -> Vec<Entry> {
    let mut tables = Vec::new();
    if let Some(port) = config.unicast_port() {
        let entry = Entry::new(&UNWRAP, &EXPECT_WRAPPED).is("ingress_port", port_number(port));
        tables.push(entry.with(config.address.to_bits()));
        if let Some((_, to)) = config.stand_in {
            let entry = Entry::new(&WRAP, &WRAP_IN_VXLAN).is("egress_port", port_number(port));
            let entry = entry.with(mac(config.address)).with(mac(to));
            tables.push(entry.with(config.address.to_bits()).with(to.to_bits()));
        }
    }
    tables.extend(config.first.iter().map(|stage| first(config.slot, stage)));
    tables.extend(config.replications().iter().map(|replication| second(configs, replication)));
    let back = |port: u32| config.copies.iter().map(move |copy| copy_back(port, copy));
    tables.extend(config.accelerator_ports().flat_map(back));
    tables
}

/// The entry for a copy that comes back from the accelerator by a port.
fn copy_back(from: u32, copy: &CopyBack) -> Entry {
    let replica = match copy.to {
        CopyTo::Uplink | CopyTo::Server => MEMBER,
        CopyTo::Splitter => SPLITTER,
        CopyTo::StandIn => STAND_IN,
    };
    let entry = Entry::new(&COPIES, &COPY_TO).is("ingress_port", port_number(from));
    let entry = entry.is("vlan_id", u64::from(copy.vlan));
    entry.with(port_number(copy.port)).with(u64::from(replica))
}

/// The entries that open the gate: one, or one for each port of a logical ToR. Copies from an accelerator may have
/// other destinations than groups, so each of its ports has one.
fn gates(configs: &Configs<'_>, config: &SwitchConfig, stamp: Stamp) -> Vec<Entry> {
    let gate = || {
        let entry = Entry::new(&GATE, &OPEN).with(stamp.as_u64()).priority(1);
        on_address(entry, "dst_addr", configs.addresses.groups().all())
    };
    if config.slot.is_alone() {
        let back = |port: u32| {
            let entry = Entry::new(&GATE, &OPEN).with(stamp.as_u64()).priority(2);
            entry.masked("ingress_port", port_number(port).into(), 0x1ff)
        };
        return config.accelerator_ports().map(back).chain([gate()]).collect();
    }
    let at =
        |port: &SwitchPort| gate().masked("ingress_port", port_number(port.number).into(), 0x1ff);
    config.ports.iter().map(at).collect()
}

fn first(slot: Slot, stage: &FirstStage) -> Entry {
    let entry = match slot.code(stage.outcome) {
        Some(number) => Entry::new(&FIRST, &DECIDE).with(number),
        None => Entry::new(&FIRST, &REFUSE).stops(),
    };
    let entry = match stage.ingress {
        Ingress::Any => entry,
        Ingress::Port(port) => entry.masked("ingress_port", port_number(port).into(), 0x1ff),
    };
    let entry = on_address(entry, "src_addr", stage.source);
    let entry = on_address(entry, "dst_addr", stage.destination);
    let entry = match stage.reason {
        Reason::StandIn => entry.turn(ADMITS),
        _ => entry,
    };
    entry.priority(stage.priority.into()).metadata(named(stage.reason).as_bytes())
}

fn second(configs: &Configs<'_>, replication: &Replication) -> Entry {
    let entry = Entry::new(&SECOND, &REPLICATE).is("outcome", replication.code());
    let entry = entry.with(replication.number());
    match replication.destination {
        Some(group) => on_address(entry, "dst_addr", group).priority(20),
        None => on_address(entry, "dst_addr", configs.addresses.groups().all()).priority(10),
    }
}

fn group(config: &SwitchConfig, replication: &Replication) -> Group {
    let instance = match replication.vlan() {
        Some(SPLITTER_VLAN) => FOR_SPLITTER,
        Some(_) => FOR_STAND_IN,
        None => MEMBER,
    };
    let members = replication.members.iter().map(|&port| (port, instance));
    let beside = match replication.beside() {
        // The transmit port is the one that hairpins come in by.
        Outcome::Relay | Outcome::Hairpin => config.transmit_port().map(|port| (port, SPLITTER)),
        Outcome::Wrap => config.unicast_port().map(|port| (port, STAND_IN)),
        Outcome::Deliver | Outcome::Redirect | Outcome::Drop => None,
    };
    let replicas = members.chain(beside);
    let replicas = replicas.map(|(port, instance)| (port_number(port).into(), instance));
    Group { id: replication.number(), replicas: replicas.collect() }
}

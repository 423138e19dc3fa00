//! P4Runtime for SONiC's published pipeline: `tor.p4` of sonic-net/sonic-pins, version 5.0.0, by masked destination.
//!
//! Its table `acl_ingress_mirror_and_redirect_table` matches receive port and destination, and chooses a multicast
//! group. It is one stage: it has an entry for each entry of the first stage and each group.
//! Its table `acl_ingress_table` matches the protocol and the source address, and drops what must not come in.

use lightloom_request::InputError;
use lightloom_switching::address::AddressMatch;
use lightloom_switching::config::{
    FirstStage, Ingress, Outcome, PortUse, Reason, Replication, SwitchConfig,
};
use lightloom_switching::delta::Delta;
use lightloom_switching::encoding::Encoding;
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;

use crate::head::head;
use crate::language::{ByEnding, Changing, Language, PhaseFiles, Written};
use crate::not_expressed::{NotExpressed, lacking};
use crate::p4runtime::{CHANGES_LOADER, REQUESTS, ROLLOUT_PROOF, bits, mac, named};
use crate::p4runtime_changes::{Held, requests};
use crate::p4runtime_entry::{Entry, Refused, Value};
use crate::p4runtime_logical::fits_together;
use crate::p4runtime_pipeline::{Action, Engine, Kind, Table, Type, field};
use crate::p4runtime_write::{Group, entries, fits, groups};

/// What stands behind the files.
const PROOF: &str = "written from sonic-net/sonic-pins, sai_p4/instantiations/google/tor.p4 5.0.0; accepted by finsy \
                     against the part of its p4info that is used; never run on a switch";

/// What the loader adds, and what differs from the plan.
const LOADER: &str = "\
# The loader sets device_id, role and election_id. Load closed, then interfaces, groups, entries, and then the gate.
# Ports are named by their numbers in switch-ports.csv; set them as P4Runtime ids of the interfaces.
# Differs: every copy loses one hop, also to servers; a copy to a server needs two hops left.
# Differs: copies leave with the MAC address of the ToR as their source.
# Differs: a server that sends to a group that it belongs to may hear itself.
# Differs: what no entry redirects is left to the routes; ipv4_multicast_table must have no entry for the groups.
# Not known: whether a switch sends a copy out of the port that it came in on; relays need it at the transmit port.
";

/// The endings of the files of a switch.
const FILES: [&str; 5] = [
    "closed.p4rt.txt",
    "interfaces.p4rt.txt",
    "groups.p4rt.txt",
    "entries.p4rt.txt",
    "gate.p4rt.txt",
];

/// Turn of the entries that drop what is sent to groups. They are all that keeps a closed gate closed, so they come
/// before the entries that redirect, and go after them.
const CLOSES: u8 = 0;

const ADDRESS: Type = Type::Bits(32);
const FLAG: Type = Type::Bits(1);

static ADMISSION: Table = Table {
    id: 33_554_688,
    name: "acl_ingress_table",
    fields: &[
        field(2, "is_ipv4", Kind::Optional, FLAG),
        field(6, "src_ip", Kind::Ternary, ADDRESS),
        field(7, "dst_ip", Kind::Ternary, ADDRESS),
        field(13, "ip_protocol", Kind::Ternary, Type::Bits(8)),
        field(17, "in_port", Kind::Optional, Type::Name),
    ],
    size: 255,
    turn: 5,
};
static REDIRECT: Table = Table {
    id: 33_554_699,
    name: "acl_ingress_mirror_and_redirect_table",
    fields: &[
        field(1, "in_port", Kind::Optional, Type::Name),
        field(3, "is_ipv4", Kind::Optional, FLAG),
        field(10, "dst_ip", Kind::Ternary, ADDRESS),
    ],
    size: 511,
    turn: 4,
};
static INTERFACES: Table = Table {
    id: 33_554_508,
    name: "multicast_router_interface_table",
    fields: &[
        field(1, "multicast_replica_port", Kind::Exact, Type::Name),
        field(2, "multicast_replica_instance", Kind::Exact, Type::Bits(16)),
    ],
    size: 1024,
    turn: 0,
};

static FORWARD: Action = Action { id: 16_777_475, name: "acl_forward", parameters: &[] };
static DROP: Action = Action { id: 16_777_481, name: "acl_drop", parameters: &[] };
static TO_GROUP: Action = Action {
    id: 16_777_491,
    name: "redirect_to_ipmc_group",
    parameters: &[("multicast_group_id", Type::Bits(16))],
};
static SET_SOURCE: Action = Action {
    id: 16_777_248,
    name: "multicast_set_src_mac",
    parameters: &[("src_mac", Type::Bits(48))],
};

/// The platform properties of the published p4info.
static ENGINE: Engine =
    Engine { port: Type::Name, groups: 512, replicas: 3968, replicas_of_group: 128 };

/// The instance of every replica.
const INSTANCE: u16 = 1;

const UDP: u64 = 17;

/// Hops that a packet needs beside those of the plan: a copy to a server loses one too.
const MORE_HOPS: u32 = 1;

/// Checks what the pipeline cannot be told at all.
///
/// # Errors
/// [`InputError`] for another encoding than the masked destination, and for a plan with stand-ins.
fn check(configs: &Configs<'_>, switches: &[SwitchConfig]) -> Result<(), InputError> {
    if configs.encoding != Encoding::MaskedDestination {
        let message = format!(
            "found {}; SONiC's acl_ingress_mirror_and_redirect_table matches no source address; \
             take {}",
            configs.encoding,
            Encoding::MaskedDestination
        );
        return Err(InputError::new(message).in_option("encoding"));
    }
    let Some(switch) = switches.iter().find(|switch| switch.unicast_port().is_some()) else {
        return Ok(());
    };
    Err(InputError::new(format!(
        "ToR {} has a stand-in or is one; SONiC's pipeline cannot wrap one copy of a multicast group: \
         its tunnels are next hops for unicast",
        switch.tor
    )))
}

/// P4Runtime entries for SONiC's published pipeline.
pub(super) struct SonicPipeline;

impl Language for SonicPipeline {
    fn stages(&self) -> u32 {
        1
    }

    fn endings(&self) -> &'static [&'static str] {
        &FILES
    }

    fn files(&self, switch: Written<'_>) -> Result<ByEnding, InputError> {
        files(switch.configs, switch.config).map_err(|refused| refused.of(switch.config.tor))
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

    fn lacks(&self, _configs: &Configs<'_>, switches: &[SwitchConfig]) -> Vec<NotExpressed> {
        lacks(switches.len())
    }

    fn no_redirect(&self) -> Option<&'static str> {
        Some(
            "the part of the published table that is used matches no VLAN, and a copy that comes back names its port \
             by it",
        )
    }

    fn check(&self, configs: &Configs<'_>, switches: &[SwitchConfig]) -> Result<(), InputError> {
        check(configs, switches)?;
        fits_together(configs, switches, &ENGINE, &|config| {
            held(configs, config, Some(Stamp::of(config)))
        })
    }

    fn more_hops(&self) -> u32 {
        MORE_HOPS
    }
}

/// The files of a switch, by ending of their names.
fn files(
    configs: &Configs<'_>,
    config: &SwitchConfig,
) -> Result<Vec<(&'static str, String)>, Refused> {
    let stamp = Stamp::of(config);
    let head = head("#", configs, config, PROOF) + LOADER;
    let config = &config.without_accelerator();
    let (wanted, interfaces) = (wanted(config), interfaces(config));
    let (closed, gate) = (refused(configs, config), admitted(configs, config, stamp));
    let redirected = redirected(configs, config);
    let admissions = closed.len() + gate.len();
    // One stage in place of two: its size is that of their product.
    let head = format!(
        "{head}# Uses {} of {} entries of {}, {admissions} of {} of {}, {} of {} multicast groups.\n",
        redirected.len(),
        REDIRECT.size,
        REDIRECT.name,
        ADMISSION.size,
        ADMISSION.name,
        wanted.len(),
        ENGINE.groups,
    );
    let [closed_file, interfaces_file, groups_file, entries_file, gate_file] = FILES;
    let written = vec![
        (closed_file, entries(&head, &closed)?),
        (interfaces_file, entries(&head, &interfaces)?),
        (groups_file, groups(&head, &ENGINE, &wanted)?),
        (entries_file, entries(&head, &redirected)?),
        (gate_file, entries(&head, &gate)?),
    ];
    fits(&[closed, redirected, gate].concat())?;
    Ok(written)
}

/// The requests of a phase on a switch, in order.
fn changes([old, new]: [&Configs<'_>; 2], delta: &Delta) -> Result<Vec<String>, Refused> {
    let before = held(old, &delta.before, delta.gate.before);
    let after = held(new, &delta.after, delta.gate.after);
    let head = head("#", new, &delta.after, ROLLOUT_PROOF) + CHANGES_LOADER;
    requests(&head, &ENGINE, [&before, &after], delta.gate.stays_closed())
}

/// What a switch holds with its gate open under this stamp, or closed.
fn held(configs: &Configs<'_>, config: &SwitchConfig, stamp: Option<Stamp>) -> Held {
    if config.has_no_rules() {
        return Held::default();
    }
    let config = &config.without_accelerator();
    let gate = stamp.map(|stamp| admitted(configs, config, stamp));
    let entries = interfaces(config).into_iter().chain(refused(configs, config));
    let entries = entries.chain(redirected(configs, config)).chain(gate.into_iter().flatten());
    Held { groups: wanted(config), entries: entries.collect() }
}

fn wanted(config: &SwitchConfig) -> Vec<Group> {
    let group = |replication: &Replication| {
        let ports = ports(config, replication).into_iter();
        Group { id: replication.number(), replicas: ports.map(|port| (port, INSTANCE)).collect() }
    };
    config.replications().iter().map(group).collect()
}

fn interfaces(config: &SwitchConfig) -> Vec<Entry> {
    (config.ports.iter())
        .filter(|port| port.transmits() || matches!(port.used_for, PortUse::Server(_)))
        .map(|port| {
            Entry::new(&INTERFACES, &SET_SOURCE)
                .is("multicast_replica_port", name(port.number))
                .is("multicast_replica_instance", u64::from(INSTANCE))
                .with(mac(config.address))
        })
        .collect()
}

fn redirected(configs: &Configs<'_>, config: &SwitchConfig) -> Vec<Entry> {
    let replications = config.replications();
    config.first.iter().flat_map(|stage| redirects(configs, stage, &replications)).collect()
}

/// The name of a port.
fn name(port: u32) -> Value {
    Value::Name(port.to_string())
}

/// The ports that copies leave by.
fn ports(config: &SwitchConfig, replication: &Replication) -> Vec<Value> {
    let relays = matches!(replication.outcome, Outcome::Relay | Outcome::Hairpin);
    let splitter = config.transmit_port().filter(|_| relays);
    replication.members.iter().copied().chain(splitter).map(name).collect()
}

fn admission(action: &'static Action, source: AddressMatch, destination: AddressMatch) -> Entry {
    let ((source, source_mask), (to, to_mask)) = (bits(source), bits(destination));
    let entry = Entry::new(&ADMISSION, action).is("is_ipv4", 1_u64);
    entry.masked("src_ip", source, source_mask).masked("dst_ip", to, to_mask)
}

/// The entries that drop what servers must not send, and all else to groups while the gate is shut.
fn refused(configs: &Configs<'_>, config: &SwitchConfig) -> Vec<Entry> {
    let all = configs.addresses.groups().all();
    let drop = || admission(&DROP, AddressMatch::ANY, all).stops();
    let all_else = at_own_ports(config, &drop().priority(10));
    let servers = config.first.iter().filter(|stage| stage.reason == Reason::Spoofed);
    let spoofed = servers.filter_map(|stage| match stage.ingress {
        Ingress::Port(port) => {
            let entry = drop().is("in_port", name(port)).priority(30);
            Some(entry.metadata(named(Reason::Spoofed).as_bytes()))
        }
        Ingress::Any => None,
    });
    spoofed.chain(all_else).map(|entry| entry.turn(CLOSES)).collect()
}

/// The gate: what servers may send, and UDP from servers that comes in from the fabric. The last entry has the stamp.
fn admitted(configs: &Configs<'_>, config: &SwitchConfig, stamp: Stamp) -> Vec<Entry> {
    let (servers, all) = (configs.addresses.servers().all(), configs.addresses.groups().all());
    let origins = config.first.iter().filter(|stage| stage.reason == Reason::Origin);
    let origins = origins.filter_map(|stage| match stage.ingress {
        Ingress::Port(port) => {
            let entry = admission(&FORWARD, stage.source, stage.destination);
            let entry = entry.masked("ip_protocol", UDP, 0xff).is("in_port", name(port));
            Some(entry.priority(40).metadata(named(Reason::Origin).as_bytes()))
        }
        Ingress::Any => None,
    });
    let stamp = stamp.as_u64().to_be_bytes();
    let fabric = admission(&FORWARD, servers, all).masked("ip_protocol", UDP, 0xff);
    origins.chain(at_own_ports(config, &fabric.priority(20).metadata(&stamp))).collect()
}

/// An entry for any port, as one for each port of a logical ToR: the switch has ports of others.
fn at_own_ports(config: &SwitchConfig, entry: &Entry) -> Vec<Entry> {
    if config.slot.is_alone() {
        return vec![entry.clone()];
    }
    config.ports.iter().map(|port| entry.clone().is("in_port", name(port.number))).collect()
}

/// The entries for one entry of the first stage: one a group, and one for all groups without members at this ToR. That
/// one is there even if it sends nothing, so that no entry with a lower priority decides.
fn redirects(
    configs: &Configs<'_>,
    stage: &FirstStage,
    replications: &[Replication],
) -> Vec<Entry> {
    let all = configs.addresses.groups().all();
    let entry = |action, destination: AddressMatch, place| {
        let ((value, mask), (group, group_mask)) = (bits(stage.destination), bits(destination));
        let entry = Entry::new(&REDIRECT, action).is("is_ipv4", 1_u64);
        // Both matches agree where both look: they start with the range of groups.
        let entry = entry.masked("dst_ip", value | group, mask | group_mask);
        let entry = match stage.ingress {
            Ingress::Any => entry,
            Ingress::Port(port) => entry.is("in_port", name(port)),
        };
        let entry = entry.priority(2 * u32::from(stage.priority) + place);
        entry.metadata(named(stage.reason).as_bytes())
    };
    let of_outcome = replications.iter().filter(|found| found.outcome == stage.outcome);
    let mut found: Vec<Entry> = of_outcome
        .map(|replication| match replication.destination {
            Some(group) => entry(&TO_GROUP, group, 1).with(replication.number()),
            None => entry(&TO_GROUP, all, 0).with(replication.number()),
        })
        .collect();
    if !replications.iter().any(|other| other.outcome == stage.outcome && other.group.is_none()) {
        found.push(entry(&FORWARD, all, 0).stops());
    }
    found
}

/// What SONiC's published pipeline does otherwise.
fn lacks(all: usize) -> Vec<NotExpressed> {
    vec![
        lacking(
            "hops of deliveries",
            "every copy loses one hop, also to a server",
            "servers send with one hop more: see time_to_live",
            all,
        ),
        lacking(
            "senders that are members",
            "the program does not spare the port that a packet came in on",
            "servers disregard what they sent themselves",
            all,
        ),
        lacking(
            "drops",
            "packets that are not redirected follow the routes",
            "keep ipv4_multicast_table without entries for the groups",
            all,
        ),
        lacking(
            "source MAC address",
            "multicast copies get the address of the ToR",
            "nothing: the IPv4 source address stays",
            all,
        ),
    ]
}

//! OpenFlow 1.3: flows and groups in the text form of `ovs-ofctl`.
//!
//! Table 0 is the gate: it lets UDP to groups through only while its flow is there. Table 1 is the first stage. It
//! writes what becomes of a packet into the metadata. Table 2 is the second stage. Table 3 has the copies that come
//! back from an accelerator: it is all that packets from there meet, so none goes back to it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lightloom_request::InputError;
use lightloom_routing::switch::Purpose;
use lightloom_switching::address::AddressMatch;
use lightloom_switching::config::{
    CopyBack, CopyTo, FirstStage, Ingress, Outcome, PortUse, Reason, Replication, Slot,
    SwitchConfig,
};
use lightloom_switching::delta::Delta;
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;

use crate::head::head;
use crate::language::{ByEnding, Changing, Language, PhaseFiles, Written};

/// What stands behind the files.
const PROOF: &str = "proved on Open vSwitch 3.1, with all sources and groups of test fabrics";

/// The endings of the files of a switch.
const FILES: [&str; 3] = ["flows", "groups", "gate"];

/// OpenFlow 1.3.
pub(super) struct OpenFlow;

impl Language for OpenFlow {
    fn stages(&self) -> u32 {
        2
    }

    fn endings(&self) -> &'static [&'static str] {
        &FILES
    }

    fn files(&self, switch: Written<'_>) -> Result<ByEnding, InputError> {
        Ok(files(switch.configs, switch.config))
    }

    fn phase_files(&self) -> PhaseFiles {
        PhaseFiles::One("bundle")
    }

    fn phase_proof(&self) -> &'static str {
        PROOF
    }

    fn changes(&self, switch: Changing<'_>) -> Result<Vec<String>, InputError> {
        Ok(changes(switch.plans, switch.delta).into_iter().collect())
    }
}

/// The files of a switch, by ending of their names.
fn files(configs: &Configs<'_>, config: &SwitchConfig) -> Vec<(&'static str, String)> {
    let head = head("#", configs, config, PROOF);
    let text = |lines: Vec<String>| head.clone() + &lines.join("\n") + "\n";
    vec![
        ("flows", text(flows(configs, config))),
        ("groups", text(groups(config))),
        ("gate", text(gates(configs, config, Stamp::of(config)))),
    ]
}

/// The table of the first stage.
pub const FIRST_STAGE: u64 = 1;

/// The cookies of the flows of each reason, so that counters can be added up by them.
const COOKIES: [(Reason, u64, &str); 12] = [
    (Reason::Origin, 0x10, "admitted from servers"),
    (Reason::Spoofed, 0x11, "refused from servers"),
    (Reason::StandIn, 0x12, "unwrapped as a stand-in"),
    (Reason::Unwrapped, 0x13, "refused from the unicast network"),
    (Reason::Answers, 0x14, "answers and repairs for the accelerator"),
    (Reason::Untagged, 0x15, "refused from the accelerator"),
    (Reason::Fabric(Purpose::OwnCopy), 0x20, "own copies dropped"),
    (Reason::Fabric(Purpose::NoSource), 0x21, "dropped without a source"),
    (Reason::Fabric(Purpose::Filter), 0x22, "decided by filters"),
    (Reason::Fabric(Purpose::Repair), 0x23, "decided by repairs"),
    (Reason::Fabric(Purpose::Relay), 0x24, "relayed as planned"),
    (Reason::Fabric(Purpose::Delivery), 0x25, "delivered only"),
];

/// The cookie of the flows of a reason.
pub fn cookie(reason: Reason) -> u64 {
    let found = COOKIES.iter().find(|(of, ..)| *of == reason);
    found.map_or(0, |(_, cookie, _)| *cookie)
}

/// What the flows of a cookie are for.
pub fn reason_of(cookie: u64) -> Option<&'static str> {
    COOKIES.iter().find(|(_, of, _)| *of == cookie).map(|(_, _, about)| *about)
}

/// The groups that a switch uses, one line each.
fn groups(config: &SwitchConfig) -> Vec<String> {
    config.replications().iter().map(|replication| group(config, replication)).collect()
}

fn group(config: &SwitchConfig, replication: &Replication) -> String {
    let mut line = format!("group_id={},type=all", replication.number());
    // Bit 12 says that there is a VLAN at all.
    let tag = replication
        .vlan()
        .map(|vlan| format!("push_vlan:0x8100,set_field:{}->vlan_vid,", 0x1000 | u32::from(vlan)));
    let tag = tag.unwrap_or_default();
    for member in &replication.members {
        // Writing to a string does not fail.
        let _ = write!(line, ",bucket=actions={tag}output:{member}");
    }
    match replication.beside() {
        Outcome::Relay => {
            if let Some(port) = config.transmit_port() {
                let _ = write!(line, ",bucket=actions=dec_ttl,output:{port}");
            }
        }
        Outcome::Hairpin => line += ",bucket=actions=dec_ttl,in_port",
        Outcome::Wrap => {
            if let (Some((_, address)), Some(port)) = (config.stand_in, config.unicast_port()) {
                let _ = write!(line, ",bucket=actions=set_field:{address}->tun_dst,output:{port}");
            }
        }
        Outcome::Deliver | Outcome::Redirect | Outcome::Drop => {}
    }
    line
}

/// The changes of a phase on a switch, in the form of `ovs-ofctl bundle`: all of them are made at once. A change that
/// is already made does no harm. `None`: nothing changes there.
fn changes([old, new]: [&Configs<'_>; 2], delta: &Delta) -> Option<String> {
    let before = match delta.before.has_no_rules() {
        // The switch may be new, and have none of our lines.
        true => Held::default(),
        false => Held::of(old, &delta.before, delta.gate.before),
    };
    let after = Held::of(new, &delta.after, delta.gate.after);
    let mut lines = Vec::new();
    for (id, group) in &after.groups {
        if before.groups.get(id) != Some(group) {
            lines.push(format!("group add_or_mod {group}"));
        }
    }
    for (key, flow) in &after.flows {
        if before.flows.get(key) != Some(flow) {
            lines.push(format!("flow add {flow}"));
        }
    }
    for key in before.flows.keys().filter(|key| !after.flows.contains_key(*key)) {
        lines.push(format!("flow delete_strict {key}"));
    }
    for id in before.groups.keys().filter(|id| !after.groups.contains_key(id)) {
        lines.push(format!("group delete group_id={id}"));
    }
    if lines.is_empty() {
        return None;
    }
    Some(head("#", new, &delta.after, PROOF) + &lines.join("\n") + "\n")
}

/// All lines that a switch has: flows by table, priority and match, and groups by number.
#[derive(Default)]
struct Held {
    flows: BTreeMap<String, String>,
    groups: BTreeMap<u64, String>,
}

impl Held {
    fn of(configs: &Configs<'_>, config: &SwitchConfig, stamp: Option<Stamp>) -> Self {
        let gates = stamp.map_or_else(Vec::new, |stamp| gates(configs, config, stamp));
        let flows = flows(configs, config).into_iter().chain(gates);
        let groups = config.replications();
        Self {
            flows: flows.map(|flow| (key(&flow).to_owned(), flow)).collect(),
            groups: groups.iter().map(|one| (one.number(), group(config, one))).collect(),
        }
    }
}

/// What tells a flow from others of a switch: its line without cookie and actions.
fn key(flow: &str) -> &str {
    let (matched, _) = flow.split_once(",actions=").unwrap_or((flow, ""));
    let is_cookie = |(first, _): &(&str, &str)| first.starts_with("cookie=");
    matched.split_once(',').filter(is_cookie).map_or(matched, |(_, key)| key)
}

/// The flows of a switch, without the gate. A switch without rules drops everything.
fn flows(configs: &Configs<'_>, config: &SwitchConfig) -> Vec<String> {
    let mut lines = vec!["table=0,priority=0,actions=drop".to_owned()];
    if config.has_no_rules() {
        return lines;
    }
    for port in &config.ports {
        if matches!(port.used_for, PortUse::Fabric { hears: Some(_), .. }) {
            let number = port.number;
            lines.push(format!(
                "table=0,priority=200,in_port={number},dl_type=0x88cc,actions=CONTROLLER:65535"
            ));
        }
    }
    lines.push("table=1,priority=0,actions=drop".to_owned());
    lines.extend(config.first.iter().map(|entry| first(config.slot, entry)));
    lines.push("table=2,priority=0,actions=drop".to_owned());
    lines.extend(config.replications().iter().map(|replication| second(configs, replication)));
    if !config.copies.is_empty() {
        lines.push("table=3,priority=0,actions=drop".to_owned());
    }
    lines.extend(config.copies.iter().map(|copy| copy_back(config, copy)));
    lines
}

/// The flow for a copy that comes back from the accelerator.
fn copy_back(config: &SwitchConfig, copy: &CopyBack) -> String {
    let (vlan, port) = (copy.vlan, copy.port);
    let action = match copy.to {
        CopyTo::Uplink | CopyTo::Server => String::new(),
        CopyTo::Splitter => "dec_ttl,".to_owned(),
        CopyTo::StandIn => config
            .stand_in
            .map_or_else(String::new, |(_, address)| format!("set_field:{address}->tun_dst,")),
    };
    format!("table=3,priority=10,ip,dl_vlan={vlan},actions=pop_vlan,{action}output:{port}")
}

/// The flows that open the gate: one, or one for each port of a logical ToR. Their cookie is the stamp of its rules.
fn gates(configs: &Configs<'_>, config: &SwitchConfig, stamp: Stamp) -> Vec<String> {
    let all = matched(configs.addresses.groups().all(), "nw_dst");
    let gate = |port: &str| {
        format!("cookie={stamp},table=0,priority=100{port},udp{all},actions=goto_table:1")
    };
    if config.slot.is_alone() {
        let back = |port: u32| {
            format!("cookie={stamp},table=0,priority=160,in_port={port},actions=goto_table:3")
        };
        return config.accelerator_ports().map(back).chain([gate("")]).collect();
    }
    config.ports.iter().map(|port| gate(&format!(",in_port={}", port.number))).collect()
}

fn first(slot: Slot, entry: &FirstStage) -> String {
    let actions = slot.code(entry.outcome);
    let actions =
        actions.map_or("drop".to_owned(), |number| format!("write_metadata:{number},goto_table:2"));
    format!("cookie={:#x},{},actions={actions}", cookie(entry.reason), first_key(entry))
}

fn first_key(entry: &FirstStage) -> String {
    let port = match entry.ingress {
        Ingress::Any => String::new(),
        Ingress::Port(port) => format!(",in_port={port}"),
    };
    format!(
        "table=1,priority={}{port},udp{}{}",
        entry.priority,
        matched(entry.source, "nw_src"),
        matched(entry.destination, "nw_dst"),
    )
}

fn second(configs: &Configs<'_>, replication: &Replication) -> String {
    format!("{},actions=group:{}", second_key(configs, replication), replication.number())
}

fn second_key(configs: &Configs<'_>, replication: &Replication) -> String {
    let outcome = replication.code();
    let (priority, to) = match replication.destination {
        Some(group) => (20, group),
        None => (10, configs.addresses.groups().all()),
    };
    format!("table=2,priority={priority},metadata={outcome},ip{}", matched(to, "nw_dst"))
}

/// A match on an address. Empty if every address fits.
fn matched(address: AddressMatch, field: &str) -> String {
    if address.is_any() { String::new() } else { format!(",{field}={address}") }
}

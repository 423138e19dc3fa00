//! Arista EOS: settings of ports, and the relay as flows of DirectFlow, which match sources.
//!
//! Nothing of it was ever run. DirectFlow has one table, so relay entries meet every group.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lightloom_request::InputError;
use lightloom_switching::address::AddressMatch;
use lightloom_switching::config::{Ingress, Outcome, PortUse, SwitchConfig};
use lightloom_switching::fabric::Configs;
use lightloom_switching::ports::{Light, PortFec, PortSettings};
use lightloom_switching::single::{self, Single};
use lightloom_switching::stamp::Stamp;
use lightloom_switching::unicast::Whose;

use super::block::interface_text;
use super::class;
use super::gate;
use super::lacks::turns;
use crate::head::head;
use crate::names::{about, command, interface};
use crate::not_expressed::NotExpressed;

/// Endings of the files of a switch.
pub(super) const FILES: [&str; 3] = ["eos", "1.gate", "2.gate"];

/// What stands behind the files.
const PROOF: &str =
    "never run: written from an introduction to DirectFlow, pyavd 6.4 and public configurations";
/// The VLAN of the fabric ports. It exists on each ToR by itself. The second logical ToR of a switch has the next one,
/// and so on.
const VLAN: u32 = 3_901;

/// The VLAN of the fabric ports of a ToR.
pub(super) fn vlan(config: &SwitchConfig) -> u32 {
    VLAN + config.slot.index
}
/// Broadcast and unknown unicast that a fabric port takes, in percent of its rate.
const STORM_PERCENT: &str = "0.01";
/// Kinds of packets that no fabric port forwards without an entry: IPv4, IPv6, ARP.
const REST: [&str; 3] = ["ip", "0x86dd", "0x0806"];

/// How the files of a gate are loaded.
const GATE_LOADER: [&str; 2] = [
    "! Step 1 of 2: flows decide. The lists of the ports still drop what is sent to groups.\n",
    "! Step 2 of 2: load it when the switch lists all flows as programmed. The lists let groups through.\n",
];

/// The files of a switch, by ending of their names. The gate is closed until those of the gate are loaded, in order.
///
/// # Errors
/// [`InputError`] if an interface has no name or one that is not a word, or if a command of the model is not one line.
pub(super) fn files(
    configs: &Configs<'_>,
    config: &SwitchConfig,
    lacks: &[NotExpressed],
) -> Result<Vec<(&'static str, String)>, InputError> {
    let head = head("!", configs, config, PROOF);
    let mut text = head.clone();
    let everywhere = everywhere(configs, config);
    let config = &config.without_accelerator();
    for NotExpressed { what, why, instead, .. } in lacks {
        // Writing to a string does not fail.
        let _ = writeln!(text, "! not expressed: {what}: {why}; {instead}");
    }
    text += &everywhere;
    for (name, lines) in interfaces(configs, config, false)? {
        text += &interface_text(name, &lines);
    }
    text += &class::everywhere_text(configs, config.tor);
    text += &class::uplinks_text(configs, config.tor)?;
    text += &gate::closed(config.slot);
    text.extend(flows(configs, config)?.iter().map(Flow::text));
    let [first, second] = gate::steps(config, true)?;
    let step = |at: usize, lines: String| head.clone() + GATE_LOADER[at] + &lines;
    let [own, flows_on, lists_open] = FILES;
    Ok(vec![(own, text), (flows_on, step(0, first)), (lists_open, step(1, second))])
}

/// Settings of the whole switch. The name of the VLAN has the stamp of the plan.
pub(super) fn everywhere(configs: &Configs<'_>, config: &SwitchConfig) -> String {
    let (lists, vlan, stamp) = (gate::lists(configs), vlan(config), Stamp::of(config));
    format!(
        "lldp run\n!\nvlan {vlan}\n   name lightloom-{stamp}\n!\nno ip igmp snooping vlan {vlan}\nno spanning-tree \
            vlan-id {vlan}\n!\n\
         {lists}"
    )
}

/// The lines of each interface, by its name, while the gate is open or closed. The lists come first and the light last:
/// a port is never up without them.
pub(super) fn interfaces<'a>(
    configs: &Configs<'_>,
    config: &'a SwitchConfig,
    is_open: bool,
) -> Result<Vec<(&'a str, Vec<String>)>, InputError> {
    let mut interfaces = Vec::new();
    for port in &config.ports {
        let Some(settings) = PortSettings::of(configs.project, port) else { continue };
        let mut lines = vec![format!("description {}", about(configs, port))];
        lines.extend(gate::port_lines(port, is_open));
        lines.extend(self::lines(&settings, vlan(config))?);
        if let PortUse::Server(id) = port.used_for {
            lines.extend(class::server_lines(configs, config.tor, Whose::Server(id)));
        }
        lines.push("no shutdown".to_owned());
        interfaces.push((interface("EOS", config.tor, port)?, lines));
    }
    Ok(interfaces)
}

/// The settings of a port, one command each.
fn lines(settings: &PortSettings, vlan: u32) -> Result<Vec<String>, InputError> {
    let mut lines = Vec::new();
    let mut say = |line: &str| lines.push(line.to_owned());
    if settings.lldp {
        say("lldp transmit");
        say("lldp receive");
    }
    if settings.light == Light::TwoWay {
        return Ok(lines);
    }
    match settings.fec {
        Some(PortFec::None) => say("no error-correction encoding"),
        Some(PortFec::ReedSolomon) => say("error-correction encoding reed-solomon"),
        // The code of the module is not that of the port.
        Some(PortFec::Module) | None => {}
    }
    if !settings.pause {
        say("flowcontrol send off");
        say("flowcontrol receive off");
        say("no priority-flow-control");
    }
    if !settings.lacp {
        say("no channel-group");
    }
    say("switchport mode access");
    say(&format!("switchport access vlan {vlan}"));
    if !settings.learning {
        say("no switchport mac address learning");
    }
    if !settings.spanning_tree {
        say("spanning-tree bpdufilter enable");
    }
    if settings.storm_control {
        say(&format!("storm-control broadcast level {STORM_PERCENT}"));
        say(&format!("storm-control unknown-unicast level {STORM_PERCENT}"));
    }
    for (field, text) in [
        ("fault_signalling_command", &settings.fault_signalling_command),
        ("unidirectional_command", &settings.unidirectional_command),
    ] {
        if let Some(text) = text {
            say(command(field, text)?);
        }
    }
    Ok(lines)
}

/// A flow of DirectFlow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flow {
    priority: u32,
    matches: Vec<String>,
    actions: Vec<String>,
}

impl Flow {
    /// Its name. Flows with the same priority and match have the same one, whatever they do.
    pub(super) fn name(&self) -> String {
        let key = format!("{} {}", self.priority, self.matches.join("; "));
        format!("lightloom-{}-{:016x}", self.priority, key_hash(&key))
    }

    /// Its block, within that of DirectFlow.
    pub(super) fn text(&self) -> String {
        let mut text = format!("   !\n   flow {}\n      priority {}\n", self.name(), self.priority);
        let matches = self.matches.iter().map(|line| ("match", line));
        for (what, line) in matches.chain(self.actions.iter().map(|line| ("action", line))) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "      {what} {line}");
        }
        text
    }
}

/// A number of 64 bits that tells keys of one switch from each other (FNV-1a).
fn key_hash(key: &str) -> u64 {
    key.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The relay as flows, by falling priority.
pub(super) fn flows(configs: &Configs<'_>, config: &SwitchConfig) -> Result<Vec<Flow>, InputError> {
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    let mut rest = Vec::new();
    for port in &config.ports {
        if let Some(settings) = PortSettings::of(configs.project, port) {
            let name = interface("EOS", config.tor, port)?;
            names.insert(port.number, name);
            if settings.light.is_one_way() {
                rest.extend(REST.map(|kind| Flow {
                    priority: 1,
                    matches: vec![format!("input interface {name}"), format!("ethertype {kind}")],
                    actions: vec!["drop".to_owned()],
                }));
            }
        }
    }
    let mut flows = Vec::new();
    for entry in single::table(config) {
        let mut matches = Vec::new();
        if let Ingress::Port(port) = entry.ingress {
            // Ports to the unicast network have no flows: tunnels are not expressed.
            let Some(name) = names.get(&port) else { continue };
            matches.push(format!("input interface {name}"));
        }
        matches.push("ethertype ip".to_owned());
        matches.push("ip protocol 17".to_owned());
        matches.extend(matched("source", entry.source));
        matches.extend(matched("destination", entry.destination));
        let actions = actions(configs, config, &entry, &names);
        flows.push(Flow { priority: entry.priority, matches, actions });
    }
    flows.extend(rest);
    let names: BTreeSet<String> = flows.iter().map(Flow::name).collect();
    if names.len() < flows.len() {
        let tor = config.tor;
        let message =
            format!("two flows of ToR {tor} would have the same name; rename an interface");
        return Err(InputError::new(message));
    }
    Ok(flows)
}

fn matched(what: &str, address: AddressMatch) -> Option<String> {
    if address.is_any() {
        return None;
    }
    Some(match address.prefix_length() {
        Some(32) => format!("{what} ip {}", address.value()),
        Some(length) => format!("{what} ip {}/{length}", address.value()),
        None => format!("{what} ip {} {}", address.value(), address.mask()),
    })
}

/// Where packets of an entry go.
fn actions(
    configs: &Configs<'_>,
    config: &SwitchConfig,
    entry: &Single,
    names: &BTreeMap<u32, &str>,
) -> Vec<String> {
    let mut ports: Vec<u32> = Vec::new();
    if let Some(replication) = &entry.replication {
        // A server does not hear itself.
        let others =
            replication.members.iter().filter(|&&port| Ingress::Port(port) != entry.ingress);
        ports.extend(others);
        let sends = match replication.outcome {
            Outcome::Relay => true,
            Outcome::Hairpin => turns(configs),
            Outcome::Deliver | Outcome::Wrap | Outcome::Redirect | Outcome::Drop => false,
        };
        ports.extend(config.transmit_port().filter(|_| sends));
    }
    let named = ports.iter().filter_map(|port| names.get(port));
    let outputs: Vec<String> = named.map(|name| format!("output interface {name}")).collect();
    if outputs.is_empty() { vec!["drop".to_owned()] } else { outputs }
}

//! Arista EOS: the lossless class of the unicast ports, as far as its general syntax goes.

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::fabric::Configs;
use lightloom_switching::lossless::{CONTROL, Lossless};
use lightloom_switching::unicast::{UnicastPort, Whose, ports};
use lightloom_topology::TorId;

use super::block::interface_text;
use crate::names::unicast_interface;
use crate::not_expressed::{NotExpressed, lacking};

/// A command, and the one that takes it back.
type Undone = (String, String);

/// The commands of the whole switch. None where it has no port of the class.
fn everywhere(configs: &Configs<'_>, tor: TorId) -> Vec<Undone> {
    let Some(lossless) = &configs.lossless else { return Vec::new() };
    if ports(configs, tor).iter().all(|port| port.headroom.is_none()) {
        return Vec::new();
    }
    let map = |dscp: u8, priority: u8| {
        let map = format!("qos map dscp {dscp}");
        (format!("{map} to traffic-class {priority}"), format!("no {map}"))
    };
    let watchdog = "priority-flow-control pause watchdog";
    let ms = lossless.watchdog.as_ps() / 1_000_000_000;
    let after = format!("{}.{:03}", ms / 1_000, ms % 1_000);
    let told = |what: &str, value: &str| {
        (format!("{watchdog} {what} {value}"), format!("no {watchdog} {what}"))
    };
    vec![
        map(lossless.class.dscp, lossless.class.priority),
        map(CONTROL.dscp, CONTROL.priority),
        told("default timeout", &after),
        told("default recovery-time", &after),
        told("action", "drop"),
    ]
}

/// The commands of the whole switch, as text.
pub(super) fn everywhere_text(configs: &Configs<'_>, tor: TorId) -> String {
    let lines: String =
        everywhere(configs, tor).iter().map(|(line, _)| format!("{line}\n")).collect();
    if lines.is_empty() { lines } else { format!("!\n{lines}") }
}

/// What changes in the commands of the whole switch.
pub(super) fn changes_everywhere([old, new]: [&Configs<'_>; 2], tor: TorId) -> String {
    let (had, has) = (everywhere(old, tor), everywhere(new, tor));
    if had == has {
        return String::new();
    }
    let gone = had.iter().filter(|old| !has.contains(old));
    let gone: String = gone.map(|(_, undo)| format!("{undo}\n")).collect();
    let lines: String = has.iter().map(|(line, _)| format!("{line}\n")).collect();
    format!("!\n{gone}{lines}")
}

/// The commands of a port of the class.
fn at_port(lossless: &Lossless) -> [Undone; 3] {
    let priority = format!("priority-flow-control priority {}", lossless.class.priority);
    let on = "priority-flow-control";
    [
        ("qos trust dscp".to_owned(), "no qos trust".to_owned()),
        (format!("{on} on"), format!("no {on}")),
        (format!("{priority} no-drop"), format!("no {priority}")),
    ]
}

/// The lines of the port of a server. None where its link is not known.
pub(super) fn server_lines(configs: &Configs<'_>, tor: TorId, whose: Whose) -> Vec<String> {
    let all = ports(configs, tor);
    let port = all.iter().find(|port| port.whose == whose && port.headroom.is_some());
    match (port, &configs.lossless) {
        (Some(_), Some(lossless)) => at_port(lossless).map(|(line, _)| line).to_vec(),
        _ => Vec::new(),
    }
}

/// The ports to the unicast network that have the class, by name, with their lines.
fn uplinks<'a>(
    configs: &'a Configs<'_>,
    tor: TorId,
) -> Result<Vec<(&'a str, Vec<Undone>)>, InputError> {
    let Some(lossless) = &configs.lossless else { return Ok(Vec::new()) };
    let is_known = |port: &UnicastPort<'_>| port.whose == Whose::Network && port.headroom.is_some();
    let known = ports(configs, tor).into_iter().filter(is_known);
    known.map(|port| Ok((unicast_interface("EOS", &port)?, at_port(lossless).to_vec()))).collect()
}

/// The blocks of the ports to the unicast network.
pub(super) fn uplinks_text(configs: &Configs<'_>, tor: TorId) -> Result<String, InputError> {
    let blocks = uplinks(configs, tor)?;
    Ok(blocks.iter().map(|(name, lines)| interface_text(name, &said(lines))).collect())
}

fn said(lines: &[Undone]) -> Vec<String> {
    lines.iter().map(|(line, _)| line.clone()).collect()
}

/// What changes at the ports to the unicast network. None of them is ever shut down: other traffic uses them, too.
pub(super) fn uplink_changes(
    [old, new]: [&Configs<'_>; 2],
    before: &SwitchConfig,
    after: &SwitchConfig,
) -> Result<String, InputError> {
    let had = if before.has_no_rules() { Vec::new() } else { uplinks(old, before.tor)? };
    let has = if after.has_no_rules() { Vec::new() } else { uplinks(new, after.tor)? };
    let mut text = String::new();
    for (name, lines) in had.iter().filter(|old| !has.contains(old)) {
        // The last line is taken back first.
        let undo: Vec<String> = lines.iter().rev().map(|(_, undo)| undo.clone()).collect();
        text += &interface_text(name, &undo);
    }
    for (name, lines) in has.iter().filter(|new| !had.contains(new)) {
        text += &interface_text(name, &said(lines));
    }
    Ok(text)
}

/// What EOS has no general syntax for.
pub(super) fn lacks(switches: usize) -> [NotExpressed; 2] {
    [
        lacking(
            "headroom",
            "EOS has no general syntax for the buffer; what there is depends on the chip",
            "set what lossless.csv says by the commands of the platform",
            switches,
        ),
        lacking(
            "marks",
            "queues are named by the platform (tx-queue or uc-tx-queue)",
            "give the queue of the class random-detect ecn with the thresholds of configs.json",
            switches,
        ),
    ]
}

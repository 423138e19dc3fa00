//! Arista EOS: what changes in a phase of a rollout, for a configuration session.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::delta::Delta;
use lightloom_switching::fabric::Configs;
use lightloom_switching::stamp::Stamp;

use super::eos::{Flow, ONLY_MULTICAST, VLAN, everywhere, flows, interface_text, interfaces};
use super::head::head;

/// What stands behind the files of a rollout.
pub(super) const PROOF: &str = "never run: the lines are those of the configurations, and no and default before them; a \
                                program in Python applies them to the old ones and finds the new ones";

/// How a file is loaded.
const LOADER: &str = "\
! Load it in a session: configure session lightloom, these lines, commit.
! EOS does not say in which order a session changes flows. Packets may meet old and new flows together while it commits,
! so some may be lost or arrive twice then, although the phases are in an order in which none does.
";

/// The lines of a phase on a switch. `None`: nothing changes there.
///
/// # Errors
/// [`InputError`] as for configurations.
pub(super) fn changes(
    [old, new]: [&Configs<'_>; 2],
    delta: &Delta,
) -> Result<Option<String>, InputError> {
    let (before, after) = (&delta.before, &delta.after);
    let (comes, goes) = (before.has_no_rules(), after.has_no_rules());
    let mut text = String::new();
    if delta.gate.changes() && delta.gate.after.is_none() {
        text += "directflow\n   shutdown\n";
    }
    if comes {
        text += &everywhere(Stamp::of(after));
        text += "!\ndirectflow\n   shutdown\n";
    }
    text += &flow_lines(flows(old, before)?, &flows(new, after)?);
    text += &port_lines([old, new], [before, after])?;
    if goes {
        text += &format!(
            "!\nno mac access-list {ONLY_MULTICAST}\nspanning-tree vlan-id {VLAN}\nip igmp snooping vlan {VLAN}\nno vlan {VLAN}\n"
        );
    }
    if let Some(stamp) = delta.gate.after.filter(|_| delta.gate.changes()) {
        text += &format!("!\nvlan {VLAN}\n   name lightloom-{stamp}\n");
        if delta.gate.before.is_none() {
            text += "!\ndirectflow\n   no shutdown\n";
        }
    }
    if text.is_empty() {
        return Ok(None);
    }
    Ok(Some(head("!", new, after, PROOF) + LOADER + &text))
}

/// New flows come before old ones go. A flow that gets other actions goes first, because its lines add up otherwise.
fn flow_lines(before: Vec<Flow>, after: &[Flow]) -> String {
    let had: BTreeMap<String, Flow> = before.into_iter().map(|flow| (flow.name(), flow)).collect();
    let has: BTreeMap<String, &Flow> = after.iter().map(|flow| (flow.name(), flow)).collect();
    let mut lines = String::new();
    for flow in after {
        let name = flow.name();
        match had.get(&name) {
            Some(old) if old == flow => continue,
            Some(_) => lines += &format!("   no flow {name}\n"),
            None => {}
        }
        lines += &flow.text();
    }
    for name in had.keys().filter(|name| !has.contains_key(*name)) {
        lines += &format!("   no flow {name}\n");
    }
    if lines.is_empty() { lines } else { format!("!\ndirectflow\n{lines}") }
}

/// A port that gets other lines is set back first. One that is not used any more is shut down.
fn port_lines(
    [old, new]: [&Configs<'_>; 2],
    [before, after]: [&SwitchConfig; 2],
) -> Result<String, InputError> {
    let had: BTreeMap<&str, Vec<String>> = interfaces(old, before)?.into_iter().collect();
    let has: BTreeMap<&str, Vec<String>> = interfaces(new, after)?.into_iter().collect();
    let mut text = String::new();
    for (name, lines) in &has {
        match had.get(name) {
            Some(old) if old == lines => continue,
            Some(_) => text += &format!("!\ndefault interface {name}\n"),
            None => {}
        }
        text += &interface_text(name, lines);
    }
    for name in had.keys().filter(|name| !has.contains_key(*name)) {
        text += &format!("!\ndefault interface {name}\n");
        text += &interface_text(name, &["shutdown".to_owned()]);
    }
    Ok(text)
}

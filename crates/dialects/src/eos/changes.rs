//! Arista EOS: what changes in a phase of a rollout, for a configuration session.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_switching::config::SwitchConfig;
use lightloom_switching::delta::Delta;
use lightloom_switching::fabric::Configs;

use super::block::interface_text;
use super::class;
use super::files::{Flow, everywhere, flows, interfaces, vlan};
use super::gate;
use crate::head::head;

/// What stands behind the files of a rollout.
pub(super) const PROOF: &str = "never run: the lines are those of the configurations, and no and default before them; \
                                a program in Python applies them to the old ones and finds the new ones";

/// How a file is loaded.
const LOADER: &str = "\
! Load it in a session of its own: configure session lightloom, these lines, commit.
! EOS does not say in which order a session changes flows. Packets may meet old and new flows together while it commits,
! so some may be lost or arrive twice then, although the phases are in an order in which none does.
";

/// The lines of a phase on a switch, one text a session, in order. Empty if nothing changes there.
///
/// # Errors
/// [`InputError`] as for configurations.
pub(super) fn changes(
    configs: [&Configs<'_>; 2],
    delta: &Delta,
) -> Result<Vec<String>, InputError> {
    let [_, new] = configs;
    let (was_open, is_open) = (delta.gate.before.is_some(), delta.gate.after.is_some());
    let told = &delta.after;
    let delta = &delta.without_accelerator();
    let mut sessions = vec![settings(configs, delta, told)?];
    if was_open != is_open {
        sessions.extend(gate::steps(&delta.after, is_open)?);
    }
    if let (Some(stamp), true) = (delta.gate.after, delta.gate.changes()) {
        // The stamp says that the rules are in force, so it comes last.
        if let Some(last) = sessions.last_mut() {
            *last += &format!("!\nvlan {}\n   name lightloom-{stamp}\n", vlan(&delta.after));
        }
    }
    sessions.retain(|lines| !lines.is_empty());
    let head = head("!", new, told, PROOF) + LOADER;
    let most = sessions.len();
    let told = (1..).zip(sessions).map(|(number, lines): (usize, _)| {
        format!("{head}! Session {number} of {most} of this switch in this phase.\n{lines}")
    });
    Ok(told.collect())
}

/// What changes beside the gate. `told` is all that the switch is told after, with its stamp.
fn settings(
    [old, new]: [&Configs<'_>; 2],
    delta: &Delta,
    told: &SwitchConfig,
) -> Result<String, InputError> {
    let (before, after) = (&delta.before, &delta.after);
    let mut text = String::new();
    let lists = gate::lists(new);
    if before.has_no_rules() {
        text += &everywhere(new, told);
        text += &gate::flows(false);
    } else if !after.has_no_rules() && gate::lists(old) != lists {
        text += &format!("!\n{}!\n{lists}", gate::no_lists());
    }
    text += &flow_lines(flows(old, before)?, &flows(new, after)?);
    text += &port_lines([old, new], delta)?;
    // A new switch gets all commands of the class. A switch that leaves keeps them: its ports are shut down.
    if !after.has_no_rules() {
        text += &if before.has_no_rules() {
            class::everywhere_text(new, after.tor)
        } else {
            class::changes_everywhere([old, new], after.tor)
        };
    }
    text += &class::uplink_changes([old, new], before, after)?;
    if after.has_no_rules() {
        let (lists, vlan) = (gate::no_lists(), vlan(after));
        text += &format!(
            "!\n{lists}spanning-tree vlan-id {vlan}\nip igmp snooping vlan {vlan}\nno vlan {vlan}\n"
        );
    }
    Ok(text)
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
fn port_lines([old, new]: [&Configs<'_>; 2], delta: &Delta) -> Result<String, InputError> {
    // The steps of the gate come after, where it changes.
    let is_open = delta.gate.before.is_some();
    let had: BTreeMap<&str, Vec<String>> =
        interfaces(old, &delta.before, is_open)?.into_iter().collect();
    let has: BTreeMap<&str, Vec<String>> =
        interfaces(new, &delta.after, is_open)?.into_iter().collect();
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

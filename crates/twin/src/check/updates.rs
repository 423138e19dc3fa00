//! Checks of changes of tables while data flow.

use lightloom_setup::Setup;
use lightloom_setup::{Data, Egress, Ingress, LightStop, Reliable, Service, Updated};
use lightloom_topology::electrical::NodeId;

use super::{LATEST, SetupError};
use crate::packet::GroupId;
use crate::wires::Wires;

const WHAT: &str = "update";

/// Checks all updates.
pub(super) fn check(setup: &Setup<'_>, wires: &Wires<'_>) -> Result<(), SetupError> {
    for (number, update) in setup.multicast.updates.iter().enumerate() {
        if update.at > LATEST {
            return Err(refuse(number, "at", "at most 2^63 ps"));
        }
        match &update.what {
            Updated::Rule(rule) => super::multicast::rule(setup, wires, (WHAT, number), rule)?,
            &Updated::Light { group, source, stop } => {
                light(setup, wires, number, (group, source, stop))?;
            }
            &Updated::StandIn { group, source, stand_in } => {
                stand_ins(setup, number, (group, source, stand_in))?;
            }
        }
    }
    Ok(())
}

fn refuse(number: usize, field: &'static str, expected: &'static str) -> SetupError {
    SetupError::Value { what: WHAT, number, field, expected }
}

/// The sender has a tree in the group.
fn has_tree(
    setup: &Setup<'_>,
    number: usize,
    (group, source): (GroupId, NodeId),
) -> Result<(), SetupError> {
    super::multicast::group(setup, WHAT, number, group)?;
    let service = &setup.multicast.groups[group.0 as usize].service;
    let has_tree = match service {
        Service::Reliable(Reliable { data: Data::Light { trees, .. }, .. }) => {
            trees.iter().any(|tree| tree.source == source)
        }
        _ => false,
    };
    if !has_tree {
        let expected = "a reliable group over light with a tree for its source";
        return Err(refuse(number, "group", expected));
    }
    Ok(())
}

/// The stand-in is a switch with hosts, and not that of the source.
fn stand_ins(
    setup: &Setup<'_>,
    number: usize,
    (group, source, stand_in): (GroupId, NodeId, Option<NodeId>),
) -> Result<(), SetupError> {
    has_tree(setup, number, (group, source))?;
    let Some(at) = stand_in else { return Ok(()) };
    super::multicast::switch(setup, WHAT, number, at)?;
    let ports = setup.network.ports(at);
    let has_hosts = ports.iter().any(|port| setup.network.is_host(port.peer));
    if !has_hosts || ports.iter().any(|port| port.peer == source) {
        return Err(refuse(number, "stand_in", "a switch with hosts, and not that of its source"));
    }
    Ok(())
}

/// The sender has a tree in the group, and the splitters end and begin at the switch.
fn light(
    setup: &Setup<'_>,
    wires: &Wires<'_>,
    number: usize,
    (group, source, stop): (GroupId, NodeId, LightStop),
) -> Result<(), SetupError> {
    has_tree(setup, number, (group, source))?;
    let LightStop { at, accept, relay } = stop;
    super::multicast::switch(setup, WHAT, number, at)?;
    let ends = accept.is_none_or(|way| wires.port_in(at, Ingress::Splitter(way)).is_some());
    let begins = relay.is_none_or(|way| wires.port_out(at, Egress::Splitter(way)).is_some());
    if !ends || !begins {
        return Err(refuse(number, "stop", "splitters that end and begin at its switch"));
    }
    if setup.network.ports(at).iter().all(|port| !setup.network.is_host(port.peer)) {
        return Err(refuse(number, "stop", "a switch with hosts"));
    }
    let own = setup.network.ports(source).first().map(|port| port.peer);
    if Some(at) == own && accept.is_some() {
        return Err(refuse(number, "stop", "no way in at the switch of its source"));
    }
    Ok(())
}

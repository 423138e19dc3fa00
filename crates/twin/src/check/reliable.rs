//! Checks of reliable groups.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_setup::Setup;
use lightloom_setup::{Change, Data, Egress, Ingress, LightStop, LightTree, Reliable, Service};
use lightloom_topology::electrical::NodeId;

use super::{LATEST, SetupError, host};
use crate::packet::Class;
use crate::wires::Wires;

const WHAT: &str = "group";

/// Checks all reliable groups.
pub(super) fn check(setup: &Setup<'_>, wires: &Wires<'_>) -> Result<(), SetupError> {
    let casts = setup.multicast.casts_of_groups();
    for ((number, group), casts) in setup.multicast.groups.iter().enumerate().zip(&casts) {
        let Service::Reliable(service) = &group.service else { continue };
        if group.members.len() < 2 {
            return Err(refuse(number, "members", "at least two"));
        }
        if !group.members.contains(&service.leader) {
            return Err(refuse(number, "leader", "one of its members"));
        }
        if service.start > LATEST {
            return Err(refuse(number, "start", "at most 2^63 ps"));
        }
        let sources = sources(setup, number, (service, casts))?;
        if let Data::Light { trees, .. } = &service.data {
            let mut lit = BTreeMap::new();
            for tree in trees {
                light(setup, wires, number, tree)?;
                if lit.insert(tree.source, ()).is_some() {
                    return Err(refuse(number, "trees", "one for each host that sends"));
                }
            }
            if sources.iter().any(|source| !lit.contains_key(source)) {
                return Err(refuse(number, "trees", "one for each host that sends"));
            }
        }
    }
    Ok(())
}

fn refuse(number: usize, field: &'static str, expected: &'static str) -> SetupError {
    SetupError::Value { what: WHAT, number, field, expected }
}

/// The hosts that send to a group: each is a member when it does, and so is the leader at all times.
fn sources(
    setup: &Setup<'_>,
    number: usize,
    (service, casts): (&Reliable, &[u32]),
) -> Result<BTreeSet<NodeId>, SetupError> {
    let group = &setup.multicast.groups[number];
    let mut members: BTreeSet<NodeId> = group.members.iter().copied().collect();
    let mut changes = service.changes.clone();
    changes.sort_by_key(|change| change.at);
    for change in &changes {
        host(setup, WHAT, number, change.host)?;
        if !change.joins && change.host == service.leader {
            return Err(refuse(number, "changes", "none by which the leader leaves"));
        }
    }
    let mut changes = changes.iter().peekable();
    let mut sources = BTreeSet::new();
    for cast in casts.iter().map(|&place| &setup.multicast.casts[place as usize]) {
        while let Some(change) = changes.next_if(|change| change.at <= cast.start) {
            let is_new = match change.joins {
                true => members.insert(change.host),
                false => members.remove(&change.host),
            };
            if !is_new {
                return Err(refuse(number, "changes", "of each host in turns: in and out"));
            }
        }
        if !members.contains(&cast.from) {
            return Err(refuse(number, "casts", "from hosts that are members then"));
        }
        if members.len() < 2 {
            return Err(refuse(number, "changes", "at least two members at any time"));
        }
        if cast.class == Class::CONTROL {
            return Err(refuse(number, "class", "one of data"));
        }
        sources.insert(cast.from);
    }
    match changes.next() {
        None => Ok(sources),
        Some(&Change { at, host, .. }) => Err(SetupError::LateChange { group: number, host, at }),
    }
}

/// The stops of a tree are switches, with splitters that end and begin there.
fn light(
    setup: &Setup<'_>,
    wires: &Wires<'_>,
    number: usize,
    tree: &LightTree,
) -> Result<(), SetupError> {
    host(setup, WHAT, number, tree.source)?;
    let mut seen = BTreeSet::new();
    for &LightStop { at, accept, relay } in &tree.stops {
        super::multicast::switch(setup, WHAT, number, at)?;
        let ends = accept.is_none_or(|way| wires.port_in(at, Ingress::Splitter(way)).is_some());
        let begins = relay.is_none_or(|way| wires.port_out(at, Egress::Splitter(way)).is_some());
        if !ends || !begins || !seen.insert(at) {
            let expected = "each switch once, with splitters that end and begin there";
            return Err(refuse(number, "trees", expected));
        }
        if setup.network.ports(at).iter().all(|port| !setup.network.is_host(port.peer)) {
            return Err(refuse(number, "trees", "switches with hosts"));
        }
    }
    let own = setup.network.ports(tree.source).first().map(|port| port.peer);
    let first = tree.stops.first();
    if first.is_none_or(|stop| Some(stop.at) != own || stop.accept.is_some()) {
        return Err(refuse(
            number,
            "trees",
            "the source's own switch first, which accepts no light",
        ));
    }
    let others = &tree.stops[1..];
    if others.iter().any(|stop| stop.accept.is_none() != (Some(stop.at) == tree.stand_in)) {
        return Err(refuse(number, "trees", "a way in for each other switch but the stand-in"));
    }
    if tree.stand_in.is_some_and(|at| others.iter().all(|stop| stop.at != at)) {
        return Err(refuse(number, "trees", "the stand-in among the switches after the first"));
    }
    if tree.stand_in.is_some() && tree.stops[0].relay.is_some() {
        return Err(refuse(
            number,
            "trees",
            "no splitter of the source's own switch beside a stand-in",
        ));
    }
    Ok(())
}

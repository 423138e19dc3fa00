//! Checks of splitters, groups, rules and messages to groups.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_setup::Setup;
use lightloom_setup::{Egress, Ingress, Multicast, Rewrite, Rule};
use lightloom_topology::electrical::NodeId;

use super::{LARGEST, LATEST, LONGEST, MOST_MESSAGES, SLOWEST, SetupError, host, is_loss};
use crate::packet::{Dest, GroupId};
use crate::wires::Wires;

/// Checks all that is sent to more than one receiver; the wires with the splitters.
pub(super) fn check<'a>(setup: &Setup<'a>) -> Result<Wires<'a>, SetupError> {
    let multicast = &setup.multicast;
    splitters(setup)?;
    let wires = Wires::new(setup.network, &multicast.splitters);
    for splitter in wires.splitters() {
        let receivers = wires.branches(splitter).iter().map(|((node, _), _)| *node);
        for node in receivers.chain([wires.transmitter(splitter).0]) {
            // The highest number is kept free.
            if wires.transmitters(node).max(wires.receivers(node)) == u16::MAX {
                return Err(SetupError::TooMany { what: "ports of a switch", most: 65_534 });
            }
        }
    }
    dead(multicast)?;
    groups(setup)?;
    rules(setup, &wires)?;
    casts(setup)?;
    admission(setup)?;
    Ok(wires)
}

fn splitters(setup: &Setup<'_>) -> Result<(), SetupError> {
    const WHAT: &str = "splitter";
    for (number, splitter) in setup.multicast.splitters.iter().enumerate() {
        let refuse =
            |field, expected| Err(SetupError::Value { what: WHAT, number, field, expected });
        switch(setup, WHAT, number, splitter.from)?;
        if splitter.rate < SLOWEST {
            return refuse("rate", "at least 1 kb/s");
        }
        if splitter.branches.is_empty() {
            return refuse("branches", "at least one");
        }
        if splitter.loss.is_some_and(|loss| !is_loss(loss.rate)) {
            return refuse("loss", "0 to 1");
        }
        let mut ends = BTreeSet::new();
        for branch in &splitter.branches {
            switch(setup, WHAT, number, branch.to)?;
            if !ends.insert(branch.to) {
                return Err(twice(WHAT, number, "switch", branch.to.0));
            }
            if branch.delay.as_ps() == 0 || branch.delay > LONGEST {
                return refuse("delay", "more than 0 s, and at most 2^60 ps");
            }
            if branch.loss.is_some_and(|loss| !is_loss(loss.rate)) {
                return refuse("loss", "0 to 1");
            }
        }
    }
    Ok(())
}

fn dead(multicast: &Multicast) -> Result<(), SetupError> {
    const WHAT: &str = "dead splitter";
    for (number, dead) in multicast.dead.iter().enumerate() {
        let named = |named, found: u32| {
            Err(SetupError::NoSuch { what: WHAT, number, named, found: found.into() })
        };
        let Some(splitter) = multicast.splitters.get(dead.splitter as usize) else {
            return named("splitter", dead.splitter);
        };
        if let Some(branch) = dead.branch
            && splitter.branches.len() <= branch as usize
        {
            return named("branch", branch);
        }
    }
    Ok(())
}

fn groups(setup: &Setup<'_>) -> Result<(), SetupError> {
    const WHAT: &str = "group";
    let groups = &setup.multicast.groups;
    if groups.len() > Dest::MOST_GROUPS {
        return Err(SetupError::TooMany { what: "groups", most: Dest::MOST_GROUPS });
    }
    for (number, group) in groups.iter().enumerate() {
        let mut members = BTreeSet::new();
        for &member in &group.members {
            host(setup, WHAT, number, member)?;
            if !members.insert(member) {
                return Err(twice(WHAT, number, "host", member.0));
            }
        }
    }
    Ok(())
}

fn rules(setup: &Setup<'_>, wires: &Wires<'_>) -> Result<(), SetupError> {
    const WHAT: &str = "rule";
    let mut seen = BTreeSet::new();
    for (number, said) in setup.multicast.rules.iter().enumerate() {
        rule(setup, wires, (WHAT, number), said)?;
        if !seen.insert((said.at, said.group, said.source)) {
            return Err(twice(WHAT, number, "group", said.group.0));
        }
    }
    Ok(())
}

/// All that a rule names exists.
pub(super) fn rule(
    setup: &Setup<'_>,
    wires: &Wires<'_>,
    (what, number): (&'static str, usize),
    rule: &Rule,
) -> Result<(), SetupError> {
    switch(setup, what, number, rule.at)?;
    group(setup, what, number, rule.group)?;
    if let Some(source) = rule.source {
        host(setup, what, number, source)?;
    }
    let no_port = |port| SetupError::NoPort { what, number, node: rule.at, port };
    let no_splitter = |splitter: u32| SetupError::NoSuch {
        what,
        number,
        named: "splitter of its switch",
        found: splitter.into(),
    };
    if let Some(way) = rule.accept
        && wires.port_in(rule.at, way).is_none()
    {
        return Err(match way {
            Ingress::Link(port) => no_port(port),
            Ingress::Splitter(splitter) => no_splitter(splitter),
        });
    }
    for &(way, rewrite) in &rule.ways {
        if wires.port_out(rule.at, way).is_none() {
            return Err(match way {
                Egress::Link(port) => no_port(port),
                Egress::Splitter(splitter) => no_splitter(splitter),
            });
        }
        let Rewrite::ToHost(node) = rewrite else { continue };
        if !setup.multicast.groups[rule.group.0 as usize].members.contains(&node) {
            let (named, found) = ("member", node.0.into());
            return Err(SetupError::NoSuch { what, number, named, found });
        }
    }
    Ok(())
}

fn casts(setup: &Setup<'_>) -> Result<(), SetupError> {
    const WHAT: &str = "cast";
    let mut classes = BTreeMap::new();
    for (number, cast) in setup.multicast.casts.iter().enumerate() {
        let refuse =
            |field, expected| Err(SetupError::Value { what: WHAT, number, field, expected });
        host(setup, WHAT, number, cast.from)?;
        group(setup, WHAT, number, cast.to)?;
        // Every packet is told from every other by its sequence number.
        let packets = cast.size.as_bytes().div_ceil(setup.params.wire.mtu.into());
        if cast.size.as_bytes() > LARGEST || packets > 1 << 23 {
            return refuse("size", "at most 2^23 packets");
        }
        if cast.start > LATEST {
            return refuse("start", "at most 2^63 ps");
        }
        let (class, casts) = classes.entry(cast.to).or_insert((cast.class, 0));
        *casts += 1;
        if *casts > MOST_MESSAGES {
            let (what, most) = ("messages to one group", MOST_MESSAGES);
            return Err(SetupError::TooMany { what, most });
        }
        // An endpoint takes turns with others of its class.
        if *class != cast.class {
            return refuse("class", "that of the first cast to its group");
        }
    }
    Ok(())
}

/// The controller is a host, and packets name every message.
fn admission(setup: &Setup<'_>) -> Result<(), SetupError> {
    let Some(admission) = &setup.multicast.admission else { return Ok(()) };
    host(setup, "admission", 0, admission.controller)?;
    if setup.multicast.casts.len() > MOST_MESSAGES {
        let (what, most) = ("messages to groups that are admitted", MOST_MESSAGES);
        return Err(SetupError::TooMany { what, most });
    }
    Ok(())
}

pub(super) fn group(
    setup: &Setup<'_>,
    what: &'static str,
    number: usize,
    group: GroupId,
) -> Result<(), SetupError> {
    if (group.0 as usize) < setup.multicast.groups.len() {
        return Ok(());
    }
    Err(SetupError::NoSuch { what, number, named: "group", found: group.0.into() })
}

pub(super) fn switch(
    setup: &Setup<'_>,
    what: &'static str,
    number: usize,
    node: NodeId,
) -> Result<(), SetupError> {
    let is_switch = node.index() < setup.network.nodes() && !setup.network.is_host(node);
    if is_switch { Ok(()) } else { Err(SetupError::NoSwitch { what, number, node }) }
}

fn twice(what: &'static str, number: usize, named: &'static str, found: u32) -> SetupError {
    SetupError::Twice { what, number, named, found: found.into() }
}

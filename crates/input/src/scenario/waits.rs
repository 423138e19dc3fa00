//! `after` where messages to groups are concerned: a flow waits for one, or one waits for others.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Flow, FlowId, first_ring};

use crate::rows::{Document, Row};
use crate::scenario::connection::{Named, named};
use crate::scenario::groups::Groups;
use crate::scenario::network::Nodes;

/// Reads what waits for messages to groups, and for what these wait. `flows` are all flows, those that `[[flow]]` lists
/// first.
pub(super) fn read(
    document: &Document<'_>,
    nodes: &Nodes,
    flows: &mut [Flow],
    groups: &mut Groups,
) -> Result<(), InputError> {
    let root = document.root();
    let (listed, said) = (root.tables("flow")?, root.tables("multicast")?);
    let names = names(&said)?;
    for (number, row) in listed.iter().enumerate() {
        let from = flows[number].from;
        for named in named(row)? {
            let Named::Multicast(name) = named else { continue };
            let cast = one(row, name, &names, groups)?;
            hears(row, (name, cast), from, nodes, groups)?;
            flows[number].after.push(id(flows.len(), cast));
        }
    }
    for (row, casts) in said.iter().zip(groups.of_row.clone()) {
        for named in named(row)? {
            for place in casts.clone() {
                let from = groups.multicast.casts[place].from;
                let before = match named {
                    Named::Flow(number) => arrives(row, number, from, nodes, flows)?,
                    Named::Multicast(name) => {
                        let cast = one(row, name, &names, groups)?;
                        hears(row, (name, cast), from, nodes, groups)?;
                        id(flows.len(), cast)
                    }
                };
                groups.multicast.casts[place].after.push(before);
            }
        }
    }
    let Some(number) = first_ring(flows, &groups.multicast) else { return Ok(()) };
    let of_cast = |cast: usize| groups.of_row.iter().position(|casts| casts.contains(&cast));
    let row = match number.checked_sub(flows.len()) {
        None => listed.get(number),
        Some(cast) => of_cast(cast).and_then(|row| said.get(row)),
    };
    let message = "waits for itself, by way of messages that wait for each other or go one after the other on a \
                   connection or in a group; leave one of them out";
    Err(row.unwrap_or(&root).refuse("after", message))
}

/// The rows of `[[multicast]]` that have names.
fn names<'a>(said: &'a [Row<'_>]) -> Result<BTreeMap<&'a str, usize>, InputError> {
    let mut names = BTreeMap::new();
    for (number, row) in said.iter().enumerate() {
        let Some(name) = row.text("name")? else { continue };
        if name.trim().is_empty() {
            let message = "found an empty name; give one such as \"broadcast\"";
            return Err(row.refuse("name", message));
        }
        if names.insert(name, number).is_some() {
            let message = format!("found {name:?}, which another [[multicast]] has; take another");
            return Err(row.refuse("name", message));
        }
    }
    Ok(names)
}

/// The number of a message to a group among all messages.
fn id(flows: usize, cast: usize) -> FlowId {
    FlowId(u32::try_from(flows + cast).unwrap_or(u32::MAX))
}

/// The place of the message to a group that a row names.
fn one(
    row: &Row<'_>,
    name: &str,
    names: &BTreeMap<&str, usize>,
    groups: &Groups,
) -> Result<usize, InputError> {
    let Some(&found) = names.get(name) else {
        let known: Vec<&str> = names.keys().copied().take(8).collect();
        let message = match known.as_slice() {
            [] => format!("found {name:?}, and no [[multicast]] has a name; give it one"),
            known => format!("found {name:?}; the named [[multicast]] are {}", known.join(", ")),
        };
        return Err(row.refuse("after", message));
    };
    let casts = groups.of_row[found].clone();
    if casts.len() != 1 {
        let message = format!(
            "found {name:?}, which is {} messages, one to each group of its row; name one to a single group",
            casts.len()
        );
        return Err(row.refuse("after", message));
    }
    Ok(casts.start)
}

/// Refuses a message to a group of whose arrival the host that waits cannot know.
fn hears(
    row: &Row<'_>,
    (name, cast): (&str, usize),
    from: NodeId,
    nodes: &Nodes,
    groups: &Groups,
) -> Result<(), InputError> {
    if groups.multicast.hears(cast, from) {
        return Ok(());
    }
    let own = groups.multicast.casts[cast].from == from;
    let from = nodes.network.name(from);
    let message = match own {
        true => format!(
            "found {name:?}, datagrams that {from:?} sends itself; a sender of datagrams does not learn of their \
                arrival"
        ),
        false => format!(
            "found {name:?}, which {from:?} does not receive; a host hands on what it receives, and this message is \
             from {from:?}"
        ),
    };
    Err(row.refuse("after", message))
}

/// A flow for which a message to a group waits.
fn arrives(
    row: &Row<'_>,
    number: u32,
    from: NodeId,
    nodes: &Nodes,
    flows: &[Flow],
) -> Result<FlowId, InputError> {
    let name = |host| nodes.network.name(host);
    let Some(before) = flows.get(number as usize) else {
        let message = format!("found {number}; there are {} flows, numbered from 0", flows.len());
        return Err(row.refuse("after", message));
    };
    if before.to != from {
        let message = format!(
            "found {number}, a flow to {:?}; a host hands on what it receives, and this message is from {:?}",
            name(before.to),
            name(from)
        );
        return Err(row.refuse("after", message));
    }
    Ok(FlowId(number))
}

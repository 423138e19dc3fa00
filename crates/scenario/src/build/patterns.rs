//! Patterns of messages that all begin at one time: who sends to whom.

use std::collections::BTreeSet;

use lightloom_request::InputError;
use lightloom_request::spelling::{nearest, unknown};
use lightloom_topology::electrical::NodeId;

use crate::build::context::Context;
use crate::build::random::{Purpose, below, stream};
use crate::said::{Members, Node, Pattern, Place, Row as _, Senders, TrafficRow};

/// Senders with their receivers.
type Pairs = Vec<(NodeId, NodeId)>;

/// Refuses fields that a pattern does not have.
pub(super) fn check_fields(
    row: &TrafficRow,
    pattern: Pattern,
    place: Place,
) -> Result<(), InputError> {
    let known = TrafficRow::SECTION.names_of(pattern.name());
    let foreign = TrafficRow::SECTION.names().into_iter().filter(|name| !known.contains(name));
    match foreign.into_iter().find(|field| row.has(field)) {
        Some(field) => {
            let meant = nearest(field, known.iter().copied());
            Err(place.refuse(field, unknown("field", meant, &known)))
        }
        None => Ok(()),
    }
}

/// The hosts of a pattern, in the order in which they are listed.
pub(super) fn hosts(
    row: &TrafficRow,
    place: Place,
    context: &Context,
) -> Result<Vec<NodeId>, InputError> {
    let hosts = match &row.hosts {
        None | Some(Members::All) => (0..context.nodes.network.hosts()).map(NodeId::at).collect(),
        Some(Members::Listed(listed)) => each_once(listed, (place, "hosts"), context)?,
    };
    if hosts.len() < 2 {
        let message = format!("found {}; a pattern needs at least two hosts", hosts.len());
        return Err(place.refuse("hosts", message));
    }
    Ok(hosts)
}

/// Hosts of a list that has none of them twice.
pub(super) fn each_once(
    listed: &[Node],
    (place, field): (Place, &'static str),
    context: &Context,
) -> Result<Vec<NodeId>, InputError> {
    let host = |said| context.nodes.host_of(place, field, said);
    let hosts = listed.iter().map(host).collect::<Result<Vec<_>, _>>()?;
    let mut seen = BTreeSet::new();
    match hosts.iter().find(|&&host| !seen.insert(host)) {
        None => Ok(hosts),
        Some(&host) => {
            let name = context.nodes.network.name(host);
            Err(place.refuse(field, format!("found the host {name:?} twice; list it once")))
        }
    }
}

/// Stride: host i of the pattern sends to host i + `offset` (default: half of the hosts).
pub(super) fn stride(
    row: &TrafficRow,
    place: Place,
    hosts: &[NodeId],
    (context, before): (&Context, usize),
) -> Result<Pairs, InputError> {
    let number = hosts.len();
    context.check_flows(place, "pattern", before, number as f64)?;
    let offset = match row.offset {
        None => number / 2,
        Some(said) => usize::try_from(said % number as u64).unwrap_or(0),
    };
    if offset == 0 {
        let message = format!(
            "found a multiple of the {number} hosts, so that each would send to itself; give 1 to {}",
            number - 1
        );
        return Err(place.refuse("offset", message));
    }
    Ok((0..number).map(|i| (hosts[i], hosts[(i + offset) % number])).collect())
}

/// Each host sends to each other. The first messages of all hosts are there first: host i begins with host i + 1.
pub(super) fn all_to_all(
    place: Place,
    hosts: &[NodeId],
    (context, before): (&Context, usize),
) -> Result<Pairs, InputError> {
    let number = hosts.len();
    context.check_flows(place, "pattern", before, number as f64 * (number - 1) as f64)?;
    let of_round = |round| (0..number).map(move |i| (hosts[i], hosts[(i + round) % number]));
    Ok((1..number).flat_map(of_round).collect())
}

/// Permutation: all hosts form one random cycle (Sattolo's algorithm), so no host sends to itself.
pub(super) fn permutation(
    (place, number): (Place, u64),
    hosts: &[NodeId],
    (context, before): (&Context, usize),
) -> Result<Pairs, InputError> {
    context.check_flows(place, "pattern", before, hosts.len() as f64)?;
    let mut random = stream(context.run.seed, Purpose::Permutation, number, 0);
    let mut to = hosts.to_vec();
    for i in (1..to.len()).rev() {
        to.swap(i, below(&mut random, i));
    }
    Ok(hosts.iter().copied().zip(to).collect())
}

/// Incast: `senders` send to one host. `senders` is a number of random hosts of the pattern, or a list.
pub(super) fn incast(
    row: &TrafficRow,
    (place, number): (Place, u64),
    hosts: &[NodeId],
    (context, before): (&Context, usize),
) -> Result<Pairs, InputError> {
    let to = context.nodes.host(place, "to", row.to.as_ref())?;
    let check_flows = |more: usize| context.check_flows(place, "senders", before, more as f64);
    let senders = match &row.senders {
        None => return Err(place.missing("senders", "16, or a list of hosts")),
        Some(Senders::Listed(_)) if row.hosts.is_some() => {
            let message = "is given together with a list of senders; give a number of senders";
            return Err(place.refuse("hosts", message));
        }
        Some(Senders::Listed(listed)) => {
            check_flows(listed.len())?;
            let host = |said| context.nodes.host_of(place, "senders", said);
            listed.iter().map(host).collect::<Result<Vec<_>, _>>()?
        }
        Some(Senders::Drawn(wanted)) => {
            let others: Vec<NodeId> = hosts.iter().copied().filter(|&host| host != to).collect();
            let wanted = place.within("senders", *wanted, (1, others.len() as u64))?;
            let wanted = usize::try_from(wanted).unwrap_or(others.len());
            check_flows(wanted)?;
            drawn(context, number, others, wanted)
        }
    };
    if senders.contains(&to) {
        return Err(place.refuse("senders", "found the host of to in the list; remove it"));
    }
    if senders.is_empty() {
        return Err(place.refuse("senders", "found an empty list; name at least one host"));
    }
    Ok(senders.into_iter().map(|from| (from, to)).collect())
}

/// Random ones of these hosts, in the order of their numbers.
fn drawn(context: &Context, number: u64, mut others: Vec<NodeId>, wanted: usize) -> Vec<NodeId> {
    let mut random = stream(context.run.seed, Purpose::Senders, number, 0);
    for i in 0..wanted {
        let other = i + below(&mut random, others.len() - i);
        others.swap(i, other);
    }
    others.truncate(wanted);
    others.sort_unstable();
    others
}

//! Patterns of messages that all begin at one time: who sends to whom.

use lightloom_request::InputError;
use lightloom_request::spelling::{nearest, unknown};
use lightloom_topology::electrical::NodeId;

use crate::build::context::Context;
use crate::build::random::{Purpose, below, stream};
use crate::said::{Pattern, Place, Row as _, Senders, TrafficRow};

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

/// Stride: host i sends to host i + `offset` (default: half of the hosts).
pub(super) fn stride(
    row: &TrafficRow,
    place: Place,
    context: &Context,
    before: usize,
) -> Result<Pairs, InputError> {
    let hosts = context.nodes.network.hosts();
    context.check_flows(place, "pattern", before, hosts as f64)?;
    let offset = match row.offset {
        None => hosts / 2,
        Some(said) => usize::try_from(said % hosts as u64).unwrap_or(0),
    };
    if offset == 0 {
        let message = format!(
            "found a multiple of the {hosts} hosts, so that each would send to itself; give 1 to {}",
            hosts - 1
        );
        return Err(place.refuse("offset", message));
    }
    Ok((0..hosts).map(|i| (NodeId::at(i), NodeId::at((i + offset) % hosts))).collect())
}

/// Permutation: all hosts form one random cycle (Sattolo's algorithm), so no host sends to itself.
pub(super) fn permutation(
    (place, number): (Place, u64),
    context: &Context,
    before: usize,
) -> Result<Pairs, InputError> {
    let hosts = context.nodes.network.hosts();
    context.check_flows(place, "pattern", before, hosts as f64)?;
    let mut random = stream(context.run.seed, Purpose::Permutation, number, 0);
    let mut to: Vec<usize> = (0..hosts).collect();
    for i in (1..hosts).rev() {
        to.swap(i, below(&mut random, i));
    }
    Ok(to.into_iter().enumerate().map(|(i, to)| (NodeId::at(i), NodeId::at(to))).collect())
}

/// Incast: `senders` send to one host. `senders` is a number of random hosts, or a list.
pub(super) fn incast(
    row: &TrafficRow,
    (place, number): (Place, u64),
    context: &Context,
    before: usize,
) -> Result<Pairs, InputError> {
    let to = context.nodes.host(place, "to", row.to.as_ref())?;
    let check_flows = |more: usize| context.check_flows(place, "senders", before, more as f64);
    let senders = match &row.senders {
        None => return Err(place.missing("senders", "16, or a list of hosts")),
        Some(Senders::Listed(listed)) => {
            check_flows(listed.len())?;
            let host = |said| context.nodes.host_of(place, "senders", said);
            listed.iter().map(host).collect::<Result<Vec<_>, _>>()?
        }
        Some(Senders::Drawn(wanted)) => {
            let hosts = context.nodes.network.hosts();
            let wanted = place.within("senders", *wanted, (1, hosts as u64 - 1))?;
            let wanted = usize::try_from(wanted).unwrap_or(hosts - 1);
            check_flows(wanted)?;
            drawn(context, number, to, wanted)
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

/// Random hosts other than `to`, in the order of their numbers.
fn drawn(context: &Context, number: u64, to: NodeId, wanted: usize) -> Vec<NodeId> {
    let hosts = context.nodes.network.hosts();
    let mut random = stream(context.run.seed, Purpose::Senders, number, 0);
    let mut others: Vec<NodeId> = (0..hosts).map(NodeId::at).filter(|&host| host != to).collect();
    for i in 0..wanted {
        let other = i + below(&mut random, others.len() - i);
        others.swap(i, other);
    }
    others.truncate(wanted);
    others.sort_unstable();
    others
}

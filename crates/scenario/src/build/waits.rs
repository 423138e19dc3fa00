//! `after` where messages to groups are concerned: a flow waits for one, or one waits for others.

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Computation, Flow, FlowId, Multicast, first_ring};

use crate::build::casts::Casts;
use crate::build::computations::Computations;
use crate::build::flows::Traffic;
use crate::build::sent::Sent;
use crate::said::{Awaited, FlowRow, MulticastRow, Place, Row as _};

/// Enters what waits for messages to groups and for computations, and what these wait for; the computations.
pub(super) fn enter(
    (traffic, awaited, computations): (&mut Traffic, &[(Sent, usize)], &mut Computations),
    casts: &Casts,
    multicast: &mut Multicast,
    network: &Network,
) -> Result<Vec<Computation>, InputError> {
    let flows = &mut traffic.flows;
    for &(waits, cast) in awaited {
        let id = id(flows.len(), cast);
        match waits {
            Sent::Flow(number) => flows[number].after.push(id),
            Sent::Cast(place) => multicast.casts[place].after.push(id),
            Sent::Computation(place) => computations.all[place].after.push(id),
        }
    }
    for (number, names) in &traffic.awaited {
        let (place, from) = (FlowRow::place_of(*number), flows[*number].from);
        for name in names {
            let cast = one(place, name, casts)?;
            hears(place, (name, cast), from, network, multicast)?;
            let id = id(flows.len(), cast);
            flows[*number].after.push(id);
        }
    }
    for (number, (awaited, of_row)) in casts.awaited.iter().zip(&casts.of_row).enumerate() {
        let row = MulticastRow::place_of(number);
        for awaited in awaited {
            for place in of_row.clone() {
                let from = multicast.casts[place].from;
                let before = match awaited {
                    Awaited::Flow(number) => arrives(row, *number, from, network, flows)?,
                    Awaited::Multicast(name) => {
                        let cast = one(row, name, casts)?;
                        hears(row, (name, cast), from, network, multicast)?;
                        id(flows.len(), cast)
                    }
                };
                multicast.casts[place].after.push(before);
            }
        }
    }
    let computations = std::mem::take(computations).entered(traffic, multicast);
    let flows = &traffic.flows;
    let Some(number) = first_ring(flows, &computations, multicast) else {
        return Ok(computations);
    };
    let place = match number.checked_sub(flows.len()) {
        None if number < traffic.listed => FlowRow::place_of(number),
        None => Place::ROOT,
        Some(cast) => casts.place_of(cast),
    };
    let message = "waits for itself, by way of messages that wait for each other or go one after the other on a \
                   connection or in a group; leave one of them out";
    Err(place.refuse("after", message))
}

/// The number of a message to a group among all messages.
fn id(flows: usize, cast: usize) -> FlowId {
    FlowId(u32::try_from(flows + cast).unwrap_or(u32::MAX))
}

/// The place of the message to a group that a row names.
fn one(place: Place, name: &str, casts: &Casts) -> Result<usize, InputError> {
    let Some(&found) = casts.names.get(name) else {
        let known: Vec<&str> = casts.names.keys().map(String::as_str).take(8).collect();
        let message = match known.as_slice() {
            [] => format!("found {name:?}, and no [[multicast]] has a name; give it one"),
            known => format!("found {name:?}; the named [[multicast]] are {}", known.join(", ")),
        };
        return Err(place.refuse("after", message));
    };
    let found = casts.of_row[found].clone();
    if found.len() != 1 {
        let message = format!(
            "found {name:?}, which is {} messages, one to each group of its row; name one to a single group",
            found.len()
        );
        return Err(place.refuse("after", message));
    }
    Ok(found.start)
}

/// Refuses a message to a group of whose arrival the host that waits cannot know.
fn hears(
    place: Place,
    (name, cast): (&str, usize),
    from: NodeId,
    network: &Network,
    multicast: &Multicast,
) -> Result<(), InputError> {
    if multicast.hears(cast, from) {
        return Ok(());
    }
    let own = multicast.casts[cast].from == from;
    let from = network.name(from);
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
    Err(place.refuse("after", message))
}

/// A flow for which a message to a group waits.
fn arrives(
    place: Place,
    number: u32,
    from: NodeId,
    network: &Network,
    flows: &[Flow],
) -> Result<FlowId, InputError> {
    let Some(before) = flows.get(number as usize) else {
        let message = format!("found {number}; there are {} flows, numbered from 0", flows.len());
        return Err(place.refuse("after", message));
    };
    if before.to != from && before.from != from {
        let message = format!(
            "found {number}, a flow from {:?} to {:?}; a host waits for what it receives or sends, and this message is \
             from {:?}",
            network.name(before.from),
            network.name(before.to),
            network.name(from)
        );
        return Err(place.refuse("after", message));
    }
    Ok(FlowId(number))
}

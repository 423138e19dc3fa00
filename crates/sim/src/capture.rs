//! Links whose packets are captured.
//!
//! A link is named by its nodes: `A>B` is what A sends to B, `A<>B` what goes both ways. A branch of a splitter is
//! named as a link is. Nodes are named as in scenarios: by name, and hosts by number too.

use std::path::PathBuf;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Simulation, Way};
use lightloom_units::BitRate;

/// A file, and the link whose packets it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// The file.
    pub file: PathBuf,
    /// The link.
    pub link: String,
}

/// A way that is captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tap {
    /// Its name, which no other way has.
    pub name: String,
    /// The way.
    pub way: Way,
    /// Its rate.
    pub rate: BitRate,
}

/// Between the nodes of a link, both ways.
const BOTH: &str = "<>";
/// The same, one way.
const ONE: &str = ">";
/// The most names that a refusal lists.
const MOST_LISTED: usize = 8;

/// The ways that a link names: several where links are parallel.
///
/// # Errors
/// [`InputError`] if there is no such link. It says which there are.
pub fn taps(simulation: &Simulation<'_>, link: &str) -> Result<Vec<Tap>, InputError> {
    let refuse = |message: String| InputError::new(message).in_part("pcap", link);
    let network = simulation.network;
    let (a, b, both) = ends(network, link).map_err(refuse)?;
    let mut found = ways(simulation, a, b).map_err(refuse)?;
    if both {
        found.extend(ways(simulation, b, a).map_err(refuse)?);
    }
    Ok(found)
}

/// The nodes of a link, and whether both directions are meant. Names may hold signs of their own: the first
/// place at which both sides are nodes counts.
fn ends(network: &Network, link: &str) -> Result<(NodeId, NodeId, bool), String> {
    let mut unknown = None;
    for (sign, both) in [(BOTH, true), (ONE, false)] {
        for (place, _) in link.match_indices(sign) {
            let sides = [&link[..place], &link[place + sign.len()..]].map(str::trim);
            match sides.map(|side| node(network, side)) {
                [Some(a), Some(b)] => return Ok((a, b, both)),
                [None, _] => unknown = unknown.or(Some(sides[0])),
                [_, None] => unknown = unknown.or(Some(sides[1])),
            }
        }
    }
    let hosts = network.hosts();
    let host = network.name(NodeId::at(0));
    let Some(unknown) = unknown else {
        let peer = network.name(network.ports(NodeId::at(0))[0].peer);
        return Err(format!(
            "expected two nodes: \"{host}>{peer}\" is what the first sends to the second, \"{host}<>{peer}\" \
             what goes both ways"
        ));
    };
    Err(format!(
        "found no node {unknown:?}; name a host by its number, 0 to {}, or a node by its name, such as {host:?}",
        hosts - 1
    ))
}

/// A node by its name, or a host by its number.
fn node(network: &Network, said: &str) -> Option<NodeId> {
    let mut nodes = (0..network.nodes()).map(NodeId::at);
    let named = nodes.find(|&node| network.name(node) == said);
    named.or_else(|| {
        let is_plain = said.bytes().all(|byte| byte.is_ascii_digit());
        let number =
            said.parse().ok().filter(|&number: &usize| is_plain && number < network.hosts());
        number.map(NodeId::at)
    })
}

/// The ways from one node to another.
fn ways(simulation: &Simulation<'_>, from: NodeId, to: NodeId) -> Result<Vec<Tap>, String> {
    let network = simulation.network;
    let name = |node| network.name(node);
    let found: Vec<Way> = simulation.ways_into(to).filter(|way| way.from == from).collect();
    if found.is_empty() {
        let mut others: Vec<String> = Vec::new();
        for other in simulation.ways_into(to).map(|way| name(way.from)) {
            if !others.contains(&other) {
                others.push(other);
            }
        }
        let more = others.len().saturating_sub(MOST_LISTED);
        others.truncate(MOST_LISTED);
        let others: Vec<String> = others.iter().map(|other| format!("{other:?}")).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Err(format!(
            "found no link or branch from {:?} to {:?}; those to it come from {}{more}",
            name(from),
            name(to),
            others.join(", ")
        ));
    }
    let is_one = found.len() == 1;
    let tap = |way: Way| {
        let name = format!("{}>{}", name(from), name(to));
        Tap {
            name: if is_one { name } else { format!("{name} port {}", way.out) },
            rate: simulation.rate(&way),
            way,
        }
    };
    Ok(found.into_iter().map(tap).collect())
}

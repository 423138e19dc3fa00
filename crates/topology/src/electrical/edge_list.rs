//! A network from anybody's list of links.

use std::collections::BTreeMap;

use lightloom_units::{BitRate, Span};

use super::names::Names;
use super::routes::NextHops;
use super::{Network, NetworkError};

/// A link: its two nodes, counted over hosts and then switches, the rate of each direction, and the
/// propagation delay.
pub type Link = (usize, usize, BitRate, Span);

/// Makes a network of any shape, several links between two switches among them. Ports of a node are
/// numbered in the order of the links. Names are taken as they are.
///
/// # Errors
/// [`NetworkError`] when two nodes share a name, hosts are not 2 to 2^20, there are more than 2^22
/// links, a link names no node, joins a node to itself or two hosts, or has a rate or delay of 0, a
/// host has other than one link, a switch more than 65,535, the network falls into parts, or the
/// next hops make more than 2^26 entries.
pub fn edge_list(
    hosts: &[String],
    switches: &[String],
    links: &[Link],
) -> Result<Network, NetworkError> {
    let names: Vec<String> = hosts.iter().chain(switches).cloned().collect();
    let mut seen = BTreeMap::new();
    for (second, name) in names.iter().enumerate() {
        if let Some(first) = seen.insert(name, second) {
            return Err(NetworkError::DuplicateName { name: name.clone(), first, second });
        }
    }
    Network::new(hosts.len(), Names::Given(names), links, NextHops::listed)
}

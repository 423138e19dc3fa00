//! A network from the user's list of links.

use std::collections::BTreeMap;

use crate::electrical::error::NetworkError;
use crate::electrical::forwarding::Forwarding;
use crate::electrical::link::Link;
use crate::electrical::names::Names;
use crate::electrical::network::Network;

/// Makes a network of any shape. Several links between two switches are allowed. Ports of a node
/// are numbered in the order of the links. Names are not checked.
///
/// # Errors
/// [`NetworkError`] if two nodes share a name, if hosts are not 2 to 2^20, if there are more than
/// 2^22 links, if a link names an unknown node, joins a node to itself or two hosts, or has a rate
/// or delay of 0, if a host does not have exactly one link, if a switch has more than 65,535 links,
/// if the network is not connected, or if the next hops have more than 2^26 entries.
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
    Network::new(hosts.len(), Names::Given(names), links, Forwarding::listed)
}

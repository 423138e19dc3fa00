//! The reason why a description is not a network.

use crate::electrical::limits::{MAX_HOSTS, MAX_LINKS, MAX_PORTS, MAX_TABLE};

/// The reason why a description is not a network. Nodes are named; `link` is the position in the
/// list of links.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The number of hosts is outside the range that can be simulated.
    #[error("found {0} hosts; a network has 2 to {MAX_HOSTS} hosts")]
    Hosts(u64),
    /// Too many links.
    #[error("found {0} links; a network has at most {MAX_LINKS} links")]
    Links(u64),
    /// A fat tree needs as many ports down as up, and pods of at least two edge switches.
    #[error("found a fat tree of {0}-port switches; they have an even number of ports, 4 to 128")]
    FatTreePorts(u32),
    /// Leaves without a spine between them.
    #[error("found 0 spines for {leaves} leaves; more than one leaf needs at least 1 spine")]
    NoSpines {
        /// The leaves.
        leaves: u32,
    },
    /// A switch with one uplink needs at least two downlinks to join anything.
    #[error("found a multicast core of {0}-port switches; they have at least 3 ports")]
    CorePorts(u32),
    /// Two nodes have the same name.
    #[error("the name {name:?} is given to two nodes; give each host and switch a unique name")]
    DuplicateName {
        /// The name.
        name: String,
        /// The first node of that name, counted over hosts and then switches.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A link names a node that does not exist.
    #[error("link {link} names node {node}, but the network has {nodes} nodes, numbered from 0")]
    NoSuchNode {
        /// The link.
        link: usize,
        /// The node that the link names.
        node: usize,
        /// Hosts and switches.
        nodes: usize,
    },
    /// A link has both ends on one node.
    #[error("found a link from {node} to itself; a link joins two nodes")]
    SelfLoop {
        /// The link.
        link: usize,
        /// The node.
        node: String,
    },
    /// A link without a rate.
    #[error("found a rate of 0 on the link between {from} and {to}; a rate is at least 1 bps")]
    ZeroRate {
        /// The link.
        link: usize,
        /// One end.
        from: String,
        /// The other end.
        to: String,
    },
    /// A link without delay would leave a simulator no time between cause and effect.
    #[error("found a delay of 0 on the link between {from} and {to}; a delay is at least 1 ps")]
    ZeroDelay {
        /// The link.
        link: usize,
        /// One end.
        from: String,
        /// The other end.
        to: String,
    },
    /// A link between two hosts.
    #[error("found a link between the hosts {from} and {to}; a host is linked to a switch")]
    HostToHost {
        /// The link.
        link: usize,
        /// One host.
        from: String,
        /// The other host.
        to: String,
    },
    /// A host has no link, or more than one.
    #[error("found {links} links at the host {host}; a host has exactly 1 link")]
    HostLinks {
        /// The host.
        host: String,
        /// Its links.
        links: usize,
    },
    /// A switch has more links than ports can be numbered.
    #[error("found {ports} links at {switch}; a switch has at most {MAX_PORTS} ports")]
    TooManyPorts {
        /// The switch.
        switch: String,
        /// Its links.
        ports: usize,
    },
    /// The network is not connected.
    #[error(
        "there is no way from {from} to {node}; all hosts and switches must be joined by links"
    )]
    Unreachable {
        /// The first unreached node.
        node: String,
        /// Where the search started: the first host.
        from: String,
    },
    /// The table of next hops is too large.
    #[error(
        "the next hops of {switches} switches towards the {targets} switches with hosts make more \
         than {MAX_TABLE} entries; use fewer switches, or a fat tree or a leaf-spine network, \
         which need no table"
    )]
    Table {
        /// All switches.
        switches: usize,
        /// Switches with hosts.
        targets: usize,
    },
}

//! Electrical networks: hosts, packet switches and the links between them.
//!
//! A [`Network`] is an undirected multigraph whose nodes are hosts and switches. Every host has one
//! link, to a switch, so hosts carry nothing for others. [`FatTree`], [`LeafSpine`] and
//! [`MulticastCore`] make regular networks, whose next hops are computed; [`edge_list`] makes any
//! other, whose next hops are tabulated. Nothing here queues or sends a packet.

mod edge_list;
mod error;
mod fat_tree;
mod id;
mod leaf_spine;
mod multicast_core;
mod names;
mod network;
mod routes;
mod subtrees;
mod table;
mod wiring;

pub use edge_list::{Link, edge_list};
pub use error::NetworkError;
pub use fat_tree::FatTree;
pub use id::{NodeId, PortId};
pub use leaf_spine::LeafSpine;
pub use multicast_core::MulticastCore;
pub use network::Network;
pub use routes::Routes;
pub use wiring::Port;

/// The most hosts that a network may have: 2^20.
pub const MAX_HOSTS: u32 = 1 << 20;

/// The most links that a network may have: 2^22, some 200 MB of ports.
pub const MAX_LINKS: u32 = 1 << 22;

/// The most ports that a node may have: 65,535, so that their number fits 16 bits.
pub const MAX_PORTS: u16 = u16::MAX;

/// The most entries that a table of next hops may have: 2^26, some 500 MB. An entry is a pair of a
/// switch and a switch with hosts, or a port of a list that no range expresses.
pub const MAX_TABLE: usize = 1 << 26;

//! Electrical networks: hosts, packet switches and the links between them.
//!
//! A [`Network`] is an undirected multigraph whose nodes are hosts and switches. Every host has one
//! link to a switch, so hosts forward nothing. [`FatTree`], [`LeafSpine`] and [`MulticastCore`]
//! make regular networks, whose next hops are computed. [`edge_list`] makes any other network,
//! whose next hops are in a table. This module neither queues nor sends packets.

mod edge_list;
mod error;
mod fat_tree;
mod id;
mod leaf_spine;
mod multicast_core;
mod names;
mod network;
mod next_hops;
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
pub use next_hops::NextHops;
pub use wiring::Port;

/// The largest number of hosts in a network: 2^20.
pub const MAX_HOSTS: u32 = 1 << 20;

/// The largest number of links in a network: 2^22, some 200 MB of ports.
pub const MAX_LINKS: u32 = 1 << 22;

/// The largest number of ports of a node: 65,535, so that it fits 16 bits.
pub const MAX_PORTS: u16 = u16::MAX;

/// The largest number of entries in a table of next hops: 2^26, some 500 MB. An entry is a pair of
/// a switch and a switch with hosts, or a port in a list that is not a range.
pub const MAX_TABLE: usize = 1 << 26;

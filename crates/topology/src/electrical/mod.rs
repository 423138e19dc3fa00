//! Electrical networks: hosts, packet switches and the links between them.
//!
//! A [`Network`] is an undirected multigraph whose nodes are hosts and switches. Every host has one
//! link to a switch, so hosts forward nothing. [`FatTree`], [`LeafSpine`] and [`MulticastCore`]
//! make regular networks, whose next hops are computed. [`edge_list`] makes any other network,
//! whose next hops are in a table. [`CircuitCore`] joins switches by circuits that are there at
//! times. This module neither queues nor sends packets.

mod circuits;
mod detours;
mod edge_list;
mod error;
mod fat_tree;
mod forwarding;
mod id;
mod leaf_spine;
mod limits;
mod link;
mod multicast_core;
mod names;
mod network;
mod next_hops;
mod subtrees;
mod table;
mod wiring;

pub use circuits::CircuitCore;
pub use detours::Detours;
pub use edge_list::edge_list;
pub use error::NetworkError;
pub use fat_tree::{FatTree, LargestGroup};
pub use id::{NodeId, PortId};
pub use leaf_spine::LeafSpine;
pub use limits::{MAX_HOSTS, MAX_LINKS, MAX_PORTS, MAX_TABLE};
pub use link::Link;
pub use multicast_core::MulticastCore;
pub use network::Network;
pub use next_hops::NextHops;
pub use wiring::Port;

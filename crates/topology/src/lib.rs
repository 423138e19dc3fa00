//! The fabric and its hall.
//!
//! A fabric is a directed multigraph in which **cassettes are vertices and ToRs are edges**
//! ([`Fabric`]). [`family`] makes fabrics. [`hall`] has the places of racks and trays and the ways
//! of fibres between them. [`electrical`] has networks of packet switches. This crate routes no
//! packet, reads no file and has no prices.

pub mod electrical;
pub mod fabric;
pub mod family;
pub mod hall;
mod heard;
mod id;
mod ports;
pub mod search;
pub mod seat;
mod transmit_port;

pub use fabric::{Fabric, FabricError};
pub use id::{CassetteId, EntranceId, JunctionId, RackId, RoomId, RowId, TorId, WayId};
pub use ports::FabricPort;
pub use transmit_port::{TRANSMIT_PORT, TransmitPort};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Devices and interfaces of a hall: which units are occupied, and which
//! interface is which fabric port.
//!
//! Reading files is not done here: crate `input` does it.

pub mod assign;
mod document;
pub mod given;
pub mod occupied;
pub mod ports;
pub mod rule;
pub mod tor_ports;

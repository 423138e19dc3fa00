//! Devices and interfaces of a hall: which device is the ToR of a rack, which units are occupied, and which
//! interface is which fabric port.
//!
//! Reading files is not done here: crate `input` does it.

pub mod assign;
pub mod device;
mod document;
pub mod name;
pub mod occupied;
pub mod ports;
pub mod rule;
pub mod tor_ports;
pub mod tors;

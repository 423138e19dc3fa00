//! Devices and interfaces that an inventory lists, which device of a rack is its ToR, which units are occupied, and
//! which interfaces the ports of a ToR have.
//!
//! Reading files is not done here: crate `input` does it.

pub mod device;
pub mod name;
pub mod occupied;
pub mod patterns;
pub mod port_rule;
pub mod tor_ports;
pub mod tors;

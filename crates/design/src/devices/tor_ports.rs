//! The interfaces of one ToR.

use lightloom_topology::hall::Name;

use crate::devices::name::InterfaceName;

/// The fabric ports of one ToR, and those that lead to its accelerator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TorPorts {
    /// Name of the device. `None`: no inventory names it.
    pub device: Option<Name>,
    /// The interface of each port, port 0 first. Port 0 also transmits. A port without a fibre keeps its interface.
    pub interfaces: Vec<InterfaceName>,
    /// The interfaces that lead to the accelerator beside the switch, its port 0 first. Empty: there is none.
    pub accelerator: Vec<InterfaceName>,
}

//! The interfaces of one ToR.

use lightloom_topology::hall::Name;

use lightloom_design::devices::name::InterfaceName;

/// The fabric ports of one ToR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TorPorts {
    /// Name of the device. `None`: no inventory names it.
    pub device: Option<Name>,
    /// The interface of each port, port 0 first. Port 0 also transmits. A port without a fibre keeps its interface.
    pub interfaces: Vec<InterfaceName>,
}

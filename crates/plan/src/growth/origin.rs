//! The plan that another plan grew or shrank from.

use lightloom_design::design::RouterChoice;
use lightloom_design::family::FabricSpec;
use lightloom_topology::RackId;

use lightloom_design::devices::tor_ports::TorPorts;

/// What a plan grew or shrank from. Hall, optics and prices are those of the plan itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The fabric before.
    pub fabric: FabricSpec,
    /// The router before.
    pub router: RouterChoice,
    /// The rack of each ToR before, in the hall of the plan.
    pub racks: Vec<RackId>,
    /// The rack of each cassette before.
    pub shelves: Vec<RackId>,
    /// The interfaces of the fabric ports before, ToR 0 first. Empty: ports had only numbers.
    pub ports: Vec<TorPorts>,
}

//! What operations are run on.

use lightloom_request::Memory;
use lightloom_scenario::build::Nodes;
use lightloom_scenario::scenario::Parameters;
use lightloom_units::BitRate;

/// A network with its parameters.
#[derive(Debug)]
pub struct Ground {
    /// The network.
    pub nodes: Nodes,
    /// Rate of its hosts.
    pub rate: BitRate,
    /// Parameters of hosts and switches.
    pub parameters: Parameters,
    /// Seed of orders, marks and path choice.
    pub seed: u64,
    /// Why nothing goes over light. `None`: it does.
    pub dark: Option<String>,
    /// The memory that the runs may take.
    pub memory: Memory,
}

//! What operations are run on.

use lightloom_request::Memory;
use lightloom_scenario::build::ScenarioBuilder;
use lightloom_units::{BitRate, Instant};

/// A network with its parameters, and what else runs on it.
#[derive(Debug)]
pub struct Ground {
    /// A scenario without any message.
    pub alone: ScenarioBuilder,
    /// The same with the messages of others. `None`: there are none.
    pub beside: Option<ScenarioBuilder>,
    /// When operations begin. Groups register from the beginning on.
    pub begin: Instant,
    /// Rate of the fastest host.
    pub rate: BitRate,
    /// Why light cannot be used. `None`: it can.
    pub dark: Option<String>,
    /// The memory that the runs may take.
    pub memory: Memory,
}

impl Ground {
    /// Number of hosts.
    pub fn hosts(&self) -> usize {
        self.alone.nodes().hosts()
    }
}

//! What a comparison is asked for.

use lightloom::designs::CompareOptions;
use pyo3::prelude::*;

/// Ports of a core switch, circuit switches, and the row of their ports.
#[derive(FromPyObject)]
pub(crate) struct Compared(Option<u64>, Option<u64>, Option<String>);

impl From<Compared> for CompareOptions {
    fn from(Compared(core_ports, circuit_switches, circuit_port): Compared) -> Self {
        Self { core_ports, circuit_switches, circuit_port }
    }
}

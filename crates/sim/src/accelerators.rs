//! What a report says of accelerators beside switches.

use lightloom_scenario::scenario::Scenario;
use lightloom_twin::{AcceleratorOutcome, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Number of accelerators in [`AcceleratorsReport::most`].
const LISTED: usize = 10;

/// The accelerators beside switches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AcceleratorsReport {
    /// Number of switches with one.
    pub switches: usize,
    /// Packets that they took: data, answers and registrations.
    pub packets: u64,
    /// Packets that they sent back.
    pub copies: u64,
    /// Those that sent longest, at most ten.
    pub most: Vec<AcceleratorReport>,
}

/// An accelerator beside a switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AcceleratorReport {
    /// The switch.
    pub switch: String,
    /// Packets that it took.
    pub packets: u64,
    /// Packets that it sent back.
    pub copies: u64,
    /// How long it sent at its whole rate, in picoseconds.
    pub sending_ps: u64,
    /// The most bytes, of data or of answers, that waited for it in its switch.
    pub most_waiting_bytes: u64,
}

impl AcceleratorsReport {
    /// The accelerators of a run. `None`: it has none.
    pub(crate) fn new(scenario: &Scenario, outcome: &Outcome) -> Option<Self> {
        let all = &outcome.accelerators;
        let mut most: Vec<_> = all.iter().filter(|(_, done)| done.packets > 0).collect();
        // Of equal ones the first of the network.
        most.sort_by_key(|(_, done)| std::cmp::Reverse(done.sending));
        most.truncate(LISTED);
        let report = |&&(node, done): &&(_, AcceleratorOutcome)| AcceleratorReport {
            switch: scenario.network.name(node),
            packets: done.packets,
            copies: done.copies,
            sending_ps: done.sending.as_ps(),
            most_waiting_bytes: done.most_waiting.as_bytes(),
        };
        (!all.is_empty()).then(|| Self {
            switches: all.len(),
            packets: all.iter().map(|(_, done)| done.packets).sum(),
            copies: all.iter().map(|(_, done)| done.copies).sum(),
            most: most.iter().map(report).collect(),
        })
    }
}

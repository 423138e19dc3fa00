//! What one phase of a rollout changes on one switch.

use crate::config::SwitchConfig;
use crate::stamp::Stamp;

/// The gate of a switch before and after a phase. An open gate has the stamp of the rules that the switch carries.
/// `None`: the gate is closed, so the switch relays and delivers nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// Before the phase.
    pub before: Option<Stamp>,
    /// After the phase.
    pub after: Option<Stamp>,
}

impl Gate {
    /// A gate that stays as it is.
    pub fn stays(stamp: Option<Stamp>) -> Self {
        Self { before: stamp, after: stamp }
    }

    /// Whether the phase changes the gate.
    pub fn changes(self) -> bool {
        self.before != self.after
    }

    /// Whether no packet passes during the phase.
    pub fn stays_closed(self) -> bool {
        self.before.is_none() && self.after.is_none()
    }
}

/// What one phase changes on one switch. A dialect writes all that it says of a switch before and after, and compares:
/// what it says beside the tables is then not forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// The gate.
    pub gate: Gate,
    /// The configuration before the phase.
    pub before: SwitchConfig,
    /// The configuration after the phase.
    pub after: SwitchConfig,
}

impl Delta {
    /// What leads from one configuration of a switch to another.
    pub fn between(old: &SwitchConfig, new: &SwitchConfig, gate: Gate) -> Self {
        Self { gate, before: old.clone(), after: new.clone() }
    }

    /// The same for a dialect that cannot lead packets through an accelerator.
    #[must_use]
    pub fn without_accelerator(&self) -> Self {
        Self {
            gate: self.gate,
            before: self.before.without_accelerator(),
            after: self.after.without_accelerator(),
        }
    }

    /// Whether it changes neither tables nor the gate.
    pub fn is_nothing(&self) -> bool {
        let (before, after) = (&self.before, &self.after);
        // The ports beside the members of a group come from the configuration.
        let beside = |config: &SwitchConfig| (config.transmit_port(), config.stand_in);
        before.first == after.first
            && before.second == after.second
            && before.copies == after.copies
            && beside(before) == beside(after)
            && !self.gate.changes()
    }
}

//! What failures darken, as drawings take it: where they are, and over which fibres nothing arrives.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_routing::failure::{PartKind, broken_parts};
use lightloom_topology::TorId;
use serde::Serialize;

use crate::failure_set::FailureSet;
use crate::project::Project;

/// The fibres that failures darken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DarkReport {
    /// The failures, in their standard form.
    pub failed: Vec<String>,
    /// For each ToR at which a part is broken, the parts.
    pub at: BTreeMap<TorId, Vec<PartReport>>,
    /// Branches over which nothing arrives, from whom to whom, ascending. The branches to a ToR
    /// without power and to a broken receiver are among them.
    pub branches: Vec<(TorId, TorId)>,
    /// ToRs whose transmitter is off, so that the fibre to its splitter is dark too; ascending.
    pub feeds: Vec<TorId>,
}

/// A part at a ToR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PartReport {
    /// The relay as the paper has it: its transmitter is dead.
    Relay,
    /// Its transmitter.
    Tx,
    /// Its splitter, alone or with the whole housing.
    Splitter,
    /// One of its receivers.
    Rx,
    /// All of it.
    Tor,
}

impl From<PartKind> for PartReport {
    fn from(part: PartKind) -> Self {
        match part {
            PartKind::Relay => Self::Relay,
            PartKind::Transmitter => Self::Tx,
            PartKind::Splitter => Self::Splitter,
            PartKind::Receiver => Self::Rx,
            PartKind::Tor => Self::Tor,
        }
    }
}

impl Project {
    /// What failures darken, whatever the rules are.
    ///
    /// # Errors
    /// [`InputError`] when a failure is not one of this fabric.
    pub fn dark(&self, failed: &FailureSet) -> Result<DarkReport, InputError> {
        let damage = failed.damage_of(&self.fabric)?;
        let at = broken_parts(&self.fabric, &failed.failures).into_iter();
        let reports = |parts: Vec<PartKind>| parts.into_iter().map(PartReport::from).collect();
        let at = at.map(|(tor, parts)| (tor, reports(parts))).collect();
        Ok(DarkReport {
            failed: failed.names(),
            at,
            branches: damage.dead_branches().into_iter().collect(),
            feeds: damage.transmitters_off().collect(),
        })
    }
}

//! What failures darken: where they are, and over which fibres nothing arrives. For drawings.

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_routing::failure::Failure;
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failures::FailureSet;
use crate::project::Project;

/// The fibres that failures darken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

impl Project {
    /// What failures darken, whatever the rules are.
    ///
    /// # Errors
    /// [`InputError`] when a failure is not one of this fabric.
    pub fn dark(&self, failed: &FailureSet) -> Result<DarkReport, InputError> {
        let damage = failed.damage(self)?;
        let mut at: BTreeMap<TorId, Vec<PartReport>> = BTreeMap::new();
        let mut broken = |tor: TorId, part: PartReport| at.entry(tor).or_default().push(part);
        for &failure in &failed.failures {
            match failure {
                Failure::Relay(tor) => broken(tor, PartReport::Relay),
                Failure::Transmitter(tor) => broken(tor, PartReport::Tx),
                Failure::Splitter(tor) => broken(tor, PartReport::Splitter),
                Failure::Receiver { tor, .. } => broken(tor, PartReport::Rx),
                Failure::Tor(tor) => broken(tor, PartReport::Tor),
                Failure::Cassette(cassette) => {
                    for &tor in self.fabric.transmitters(cassette) {
                        broken(tor, PartReport::Splitter);
                    }
                }
                // It is a fibre between two ToRs, and at neither.
                Failure::Branch { .. } => {}
            }
        }
        Ok(DarkReport {
            failed: failed.names(),
            at,
            branches: damage.dead_branches().into_iter().collect(),
            feeds: damage.transmitters_off().collect(),
        })
    }
}

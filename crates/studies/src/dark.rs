//! Dark fibres after failures, for drawings: the places of the failures, and the fibres over which nothing
//! arrives.

use std::collections::BTreeMap;

use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::project::Project;
use lightloom_request::InputError;
use lightloom_routing::failure::{PartKind, broken_parts};
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Fibres that are dark after failures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DarkReport {
    /// The failures in standard form.
    pub failed: Vec<String>,
    /// For each ToR with failed parts, the kinds of these parts.
    pub at: BTreeMap<TorId, Vec<PartReport>>,
    /// Branches over which nothing arrives, as (transmitter, receiver), ascending. They include the branches
    /// to ToRs without power and to failed receivers.
    pub branches: Vec<(TorId, TorId)>,
    /// ToRs whose transmitter is off, ascending. The fibre to their splitter is dark too.
    pub feeds: Vec<TorId>,
}

/// Kind of a failed part at a ToR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PartReport {
    /// The relay in the paper's sense: its transmitter is dead.
    Relay,
    /// Its transmitter.
    Tx,
    /// Its splitter, alone or with the whole cassette.
    Splitter,
    /// One of its receivers.
    Rx,
    /// The whole ToR.
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

/// The fibres that are dark after failures, for any rules.
///
/// # Errors
/// [`InputError`] if a failure names a part that this fabric does not have.
pub fn dark(project: &Project, failed: &FailureSet) -> Result<DarkReport, InputError> {
    let damage = failed.damage_of(project.fabric())?;
    let at = broken_parts(project.fabric(), &failed.failures).into_iter();
    let reports = |parts: Vec<PartKind>| parts.into_iter().map(PartReport::from).collect();
    let at = at.map(|(tor, parts)| (tor, reports(parts))).collect();
    Ok(DarkReport {
        failed: failed.names(),
        at,
        branches: damage.dead_branches().into_iter().collect(),
        feeds: damage.transmitters_off().collect(),
    })
}

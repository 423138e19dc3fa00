//! What the tables of a switch model hold, and what its ports can do.

use serde::{Deserialize, Serialize};

use crate::parts::row::RowError;

/// Largest number of entries or groups of a table.
const MOST: u32 = 100_000_000;

/// The forwarding pipeline of a switch model. `None`: the data sheet is silent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pipeline {
    /// Entries that match with a mask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ternary_entries: Option<u32>,
    /// Entries that match exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_entries: Option<u32>,
    /// Replication groups: sets of ports that a packet is copied to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multicast_groups: Option<u32>,
    /// Number of tables in a row that decide about a multicast packet: 1 or 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages: Option<u32>,
    /// Whether a multicast packet may leave by the port that it came in on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hairpin: Option<bool>,
}

impl Pipeline {
    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn check(&self) -> Result<(), RowError> {
        for (field, size) in [
            ("ternary_entries", self.ternary_entries),
            ("exact_entries", self.exact_entries),
            ("multicast_groups", self.multicast_groups),
        ] {
            if let Some(size) = size.filter(|size| !(1..=MOST).contains(size)) {
                return Err(RowError::new(field, format!("found {size}; expected 1 to {MOST}")));
            }
        }
        if let Some(stages) = self.stages.filter(|stages| !(1..=2).contains(stages)) {
            return Err(RowError::new("stages", format!("found {stages}; expected 1 or 2")));
        }
        Ok(())
    }
}

//! Decisions of the reader of an inventory where the file was ambiguous.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A decision that reports must mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InventoryNote {
    /// The file has no positions: racks of a row are placed side by side, in the order of their names.
    ByName,
    /// The locations of the file are taken as rows. Holds their number.
    LocationsAreRows(usize),
    /// The user gave no status, and some racks are not active. Holds each status with its number of racks.
    Statuses(Vec<(String, usize)>),
}

impl fmt::Display for InventoryNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByName => f.write_str(
                "The inventory gives no positions: the racks of each row stand side by side, in the \
                 natural order of their names.",
            ),
            Self::LocationsAreRows(rows) => {
                write!(f, "Each of the {rows} location(s) is taken for a row of one room.")
            }
            Self::Statuses(counts) => {
                let counts: Vec<String> = counts
                    .iter()
                    .map(|(status, racks)| {
                        let status = if status.is_empty() { "without a status" } else { status };
                        format!("{racks} {status}")
                    })
                    .collect();
                write!(
                    f,
                    "No status was asked for, so racks of every status can take a ToR: {}. --status \
                     chooses among them.",
                    counts.join(", ")
                )
            }
        }
    }
}

/// The inventory in a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InventoryReport {
    /// Decisions where the file was ambiguous, one sentence each.
    pub notes: Vec<String>,
    /// Titles of the ignored columns, in file order.
    pub ignored_columns: Vec<String>,
}

impl InventoryReport {
    /// Sentences for people, one per line.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let columns = self.ignored_columns.join(", ");
        let ignored = format!("Columns of the inventory that are not used: {columns}.");
        let ignored = (!self.ignored_columns.is_empty()).then_some(ignored);
        self.notes.iter().cloned().chain(ignored)
    }
}

//! What the reader of an inventory decided where the file left it open.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A decision that the answer must tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InventoryNote {
    /// The file has no positions: the racks of each row stand side by side, by name.
    ByName,
    /// The locations of the file are taken for rows; how many.
    LocationsAreRows(usize),
    /// No status was asked for, and not all racks are active: each status with its racks.
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

/// What an answer says of the inventory it is based on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InventoryReport {
    /// Decisions where the file left it open, a sentence each.
    pub notes: Vec<String>,
    /// Titles of the columns that nothing was read from, in the order of the file.
    pub ignored_columns: Vec<String>,
}

impl InventoryReport {
    /// Sentences for people, a line each.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let columns = self.ignored_columns.join(", ");
        let ignored = format!("Columns of the inventory that are not used: {columns}.");
        let ignored = (!self.ignored_columns.is_empty()).then_some(ignored);
        self.notes.iter().cloned().chain(ignored)
    }
}

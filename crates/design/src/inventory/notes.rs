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
    /// Devices that are not in the chosen racks.
    DevicesElsewhere {
        /// Number of devices in no rack.
        without_rack: usize,
        /// Number of devices in racks that the filters leave out, or at other sites.
        left_out: usize,
    },
    /// Number of interfaces of such devices.
    InterfacesElsewhere(usize),
    /// Number of devices whose height the file does not give. Each is taken for one unit high.
    OneUnitHigh(usize),
    /// Unknown types of interfaces, each with its number of interfaces.
    UnknownTypes(Vec<(String, usize)>),
    /// The file of interfaces has no column for those that are marked as connected.
    NoMarks,
    /// Number of fabric ports whose interfaces are switched off, and the rack and name of the first one.
    Disabled(usize, String, String),
    /// Number of marks of the old plan, of what was built otherwise, which the new plan does not have.
    MarksNotKept(usize),
    /// A port does not keep the interface of the old plan.
    PortMoved {
        /// Number of the ToR.
        tor: u32,
        /// Number of its port.
        port: u32,
        /// The interface of the old plan.
        from: String,
        /// The interface of this plan.
        to: String,
        /// Why it is another one.
        why: String,
    },
    /// Columns of a file of devices or interfaces that are not used.
    Unused(String, Vec<String>),
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
            Self::DevicesElsewhere { without_rack, left_out } => write!(
                f,
                "Devices that are not used: {without_rack} in no rack, {left_out} in racks that are left out or at \
                 other sites."
            ),
            Self::InterfacesElsewhere(count) => {
                write!(f, "Interfaces of devices that are not used: {count}.")
            }
            Self::OneUnitHigh(count) => write!(
                f,
                "The height of {count} device(s) is not given: each is taken for one unit high (column u_height)."
            ),
            Self::UnknownTypes(types) => {
                let types: Vec<String> =
                    types.iter().map(|(kind, count)| format!("{kind:?} ({count})")).collect();
                write!(f, "Interfaces of unknown types are not assigned: {}.", types.join(", "))
            }
            Self::NoMarks => f.write_str(
                "The interfaces have no column mark_connected: only a cable shows that one is in use.",
            ),
            Self::Disabled(count, rack, name) => write!(
                f,
                "{count} fabric port(s) are on interfaces that are switched off, such as {name} in rack {rack}; \
                 switch them on."
            ),
            Self::MarksNotKept(count) => write!(
                f,
                "The old plan has {count} mark(s) of what was built otherwise. The new plan does not have them: tell \
                 them again."
            ),
            Self::PortMoved { tor, port, from, to, why } => {
                write!(f, "Port {port} of ToR {tor} moves from {from} to {to}: {why}.")
            }
            Self::Unused(file, columns) => {
                write!(f, "Columns of {file} that are not used: {}.", columns.join(", "))
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

//! The racks that an inventory lists, checked.

mod natural;
mod notes;

use std::path::PathBuf;

use lightloom_topology::hall::Name;
use lightloom_units::Length;

pub use natural::natural_key;
pub use notes::{InventoryNote, InventoryReport};

/// The racks that an inventory lists and the filters let through.
#[derive(Debug, Clone)]
pub struct Inventory {
    pub file: PathBuf,
    pub racks: Vec<ListedRack>,
    /// What was decided where the file left it open.
    pub notes: Vec<InventoryNote>,
    /// Titles of the columns that nothing was read from, in the order of the file.
    pub ignored_columns: Vec<String>,
}

/// One rack as listed.
#[derive(Debug, Clone)]
pub struct ListedRack {
    pub line: u64,
    pub name: Name,
    /// None where only coordinates are given.
    pub row: Option<Name>,
    pub spot: Spot,
    /// Height in rack units, where the inventory gives it.
    pub units: Option<u16>,
    pub tor_unit: Option<u16>,
}

/// Where a rack stands, as far as the inventory says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The n-th place along its row, from 1.
    Position(u32),
    /// Measured from the hall's corner.
    At {
        /// Along the rows.
        x: Length,
        /// Across the rows.
        y: Length,
    },
    /// Somewhere in its row: racks follow each other by name.
    Unknown,
}

impl Inventory {
    /// Notes of what the racks themselves show.
    pub fn place_notes(&self, locations_are_rows: bool) -> Vec<InventoryNote> {
        let mut notes = Vec::new();
        if locations_are_rows {
            let rows: std::collections::BTreeSet<_> =
                self.racks.iter().map(|rack| &rack.row).collect();
            notes.push(InventoryNote::LocationsAreRows(rows.len()));
        }
        if self.racks.iter().any(|rack| rack.spot == Spot::Unknown) {
            notes.push(InventoryNote::ByName);
        }
        notes
    }
}

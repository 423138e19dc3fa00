//! Checked inventories of racks.

mod natural;
mod notes;

use std::path::PathBuf;

use lightloom_topology::RoomId;
use lightloom_topology::hall::Name;
use lightloom_units::Length;

pub use natural::natural_key;
pub use notes::{InventoryNote, InventoryReport};

/// The racks of an inventory that pass the filters.
#[derive(Debug, Clone)]
pub struct Inventory {
    /// Path of the inventory's file.
    pub file: PathBuf,
    /// The racks, in file order.
    pub racks: Vec<ListedRack>,
    /// Decisions of the reader where the file was ambiguous.
    pub notes: Vec<InventoryNote>,
    /// Titles of the ignored columns, in file order.
    pub ignored_columns: Vec<String>,
}

impl Inventory {
    /// Whether the places of all racks are given as coordinates.
    pub fn is_measured(&self) -> bool {
        self.racks.iter().all(|rack| matches!(rack.spot, Spot::At { .. }))
    }
}

/// One rack of the inventory.
#[derive(Debug, Clone)]
pub struct ListedRack {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// Name of the rack.
    pub name: Name,
    /// Its room: a position among the rooms of the building file, 0 without one.
    pub room: RoomId,
    /// Name of the row. `None`: the file gives only coordinates.
    pub row: Option<Name>,
    /// Place of the rack.
    pub spot: Spot,
    /// Height in rack units. `None`: the inventory does not give it.
    pub units: Option<u16>,
    /// Rack unit of the ToR, counted from 1. `None`: the inventory does not give it.
    pub tor_unit: Option<u16>,
}

/// Place of a rack, as far as the inventory gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// Place in its row, counted from 1.
    Position(u32),
    /// Coordinates from the hall's corner.
    At {
        /// Distance along the rows.
        x: Length,
        /// Distance across the rows.
        y: Length,
    },
    /// Unknown. Racks of a row are placed in the order of their names.
    Unknown,
}

impl Inventory {
    /// Notes that follow from the places of the racks.
    pub fn place_notes(&self, locations_are_rows: bool) -> Vec<InventoryNote> {
        let mut notes = Vec::new();
        if locations_are_rows {
            let rows: std::collections::BTreeSet<_> =
                self.racks.iter().map(|rack| (rack.room, &rack.row)).collect();
            notes.push(InventoryNote::LocationsAreRows(rows.len()));
        }
        if self.racks.iter().any(|rack| rack.spot == Spot::Unknown) {
            notes.push(InventoryNote::ByName);
        }
        notes
    }
}

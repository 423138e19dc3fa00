//! Rows of racks.

use lightloom_units::Length;

use crate::hall::name::Name;
use crate::id::RoomId;

/// A row of racks under one tray.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name of the row.
    pub name: Name,
    /// The y of its tray.
    pub y: Length,
    /// Its room.
    pub room: RoomId,
}

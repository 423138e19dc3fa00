//! The hall: rooms with racks in rows, trays, the ways between rooms, and the lengths of fibres between
//! racks.
//!
//! Coordinates are metres from one corner of a room: x along the rows, y across them. A tray runs along every
//! row, above it or below the floor. Cross-aisle trays at given x join the rows. A fibre leaves its rack to the
//! tray, runs only along trays, and goes into the other rack. Between rooms it goes through entrances and ways.

mod building;
mod check;
mod error;
mod fill;
mod given;
mod housing;
mod joints;
mod links;
mod name;
mod pathway;
mod placement;
mod racks;
mod routes;
mod row;
mod rules;
mod trays;

pub use building::{Address, Building, Entrance, PathwayKind, Room, TrayLevel, Way, WayEnd};
pub use error::{BuildingFault, BuildingPart, HallError};
pub use fill::{Peak, Stretch, TrayFill};
pub use given::{GivenFibre, GivenModule, GivenPanel, GivenSocket, GivenTrunk, GivenTrunks};
pub use housing::{Cabling, Housing, Shuffle};
pub use name::{Alike, Name, NameError};
pub use pathway::{CrossSection, Existing, Pathway};
pub use placement::{Placement, PlacementError};
pub use racks::{Hall, Rack, RackRole, unit_height};
pub use routes::{Place, Route};
pub use row::Row;
pub use rules::{CableSpace, HallRules, THICKEST};
pub use trays::{CrossAisle, TrayId, TrayRun};

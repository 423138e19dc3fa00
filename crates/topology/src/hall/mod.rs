//! The hall: racks in rows, trays above them, and the lengths of fibres between racks.
//!
//! Coordinates are metres from one corner: x along the rows, y across them. A tray runs above every
//! row. Cross-aisle trays at given x join the rows. A fibre leaves its rack upwards, runs only
//! along trays, and comes down into the other rack.

mod fill;
mod housing;
mod name;
mod placement;
mod racks;
mod routes;

pub use fill::{Peak, Stretch, THICKEST, TrayFill};
pub use housing::{Cabling, Housing, Shuffle};
pub use name::{Name, NameError};
pub use placement::{Placement, PlacementError};
pub use racks::{CableSpace, Hall, HallError, HallRules, Rack, RackRole, Row, unit_height};
pub use routes::{Place, Route, TrayId, TrayRun};

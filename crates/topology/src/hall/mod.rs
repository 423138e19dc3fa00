//! The hall: racks in rows, trays above them, and how long a fibre between two of them is.
//!
//! The frame is metres from one corner: x along the rows, y across them. A tray runs above every
//! row, and cross-aisle trays at given x join the rows. A fibre leaves its rack upwards, runs along
//! trays only, and comes down into the other rack.

mod fill;
mod housing;
mod name;
mod placement;
mod racks;
mod routes;

pub use fill::TrayFill;
pub use housing::Housing;
pub use name::{Name, NameError};
pub use placement::{Placement, PlacementError};
pub use racks::{CableSpace, Hall, HallError, HallRules, Rack, Row};
pub use routes::{Place, Route, TrayId, TrayRun};

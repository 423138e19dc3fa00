//! Placement: in which rack each ToR stands, so that its cords cost least.
//!
//! The splitters of senders stand with their ToRs, so a placement is a quadratic assignment: each branch is a flow, and
//! the cost of two racks is the price of the stock length between them. With splitters at receivers the shelf of a
//! cassette moves with its receivers; the file `shelves.rs` has that layout. With splitters in
//! frames each ToR has a cost of its own in each rack (`frames.rs`). `lightloom_qap` searches all of them. The planner
//! lays and prices what was found again, and a placement that is no cheaper is not taken.

mod costs;
mod frames;
mod ground;
mod moves;
mod question;
mod report;
mod shelves;
mod standing;

pub use costs::{CordReport, RackCosts, cords, moved_cords, rack_costs};
pub use moves::Placing;
pub use question::{Problem, Racks, chosen};
pub use report::{PlaceFigures, PlaceObjective, PlaceReport, PlaceRow};

//! Growth and shrinking of a plan: racks for new ToRs, the cords that move, the stages, and reports.
//!
//! The edges are chosen, and every state is proved, in `lightloom_routing::growth`.

pub mod asked;
mod before;
pub mod cords;
pub mod cost;
mod frames;
mod named_ports;
pub mod origin;
mod pins;
mod racks;
mod reach;
pub mod report;
pub mod staging;
mod trunks;

pub use asked::{GrowOptions, ShrinkOptions};
pub use origin::Origin;

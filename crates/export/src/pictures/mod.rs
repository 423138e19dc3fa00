//! Pictures in SVG: the floor plan and the elevations of racks, on sheets of A3. Lengths are in millimetres on paper.

pub mod elevations;
pub mod floor_plan;
mod labels;
mod millimetres;
mod racks;
mod sheet;
mod trays;

pub use sheet::{Sheet, drawings, svg};

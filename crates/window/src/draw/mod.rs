//! Drawing: cameras, places of things, and pictures of many lines.

pub mod camera;
pub mod cross;
pub mod dense;
pub mod fabric_places;
pub mod marks;
pub mod still;
pub mod svg;
pub mod twin_places;

//! The families of fabrics. Each is one file here and one line of `families!` in `spec.rs`.
//!
//! A family says how its fabric is read from the settings, what it is, and how it is built.

mod asked;
mod custom;
mod kautz;
mod of;
mod shufflecast;
mod spec;

pub use asked::{Edges, ReadEdges};
pub use custom::Custom;
pub use kautz::Kautz;
pub use spec::FabricSpec;

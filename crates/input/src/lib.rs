//! Readers: designs, inventories, catalogues, plan folders, scenario files and results of runs.
//!
//! Every error names the file, the line and the field. User files are read here and in no other crate.
//!
//! Nothing here computes an answer: no routing, no lengths, no light.

pub mod again;
mod arrow_file;
pub mod as_built;
pub mod building;
pub mod catalogue;
pub mod devices;
pub mod edges;
pub mod groups;
pub mod inventory;
pub mod kind;
pub mod machine;
pub mod open;
pub mod placing;
pub mod plan_folder;
pub mod rates;
pub mod results;
pub mod rows;
pub mod scenario;
pub mod settings;
pub mod text;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

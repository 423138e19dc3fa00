//! Everything that is read: designs, inventories, catalogues, plan folders, scenarios and results.
//!
//! Every refusal names file, line and field. Nothing here computes an answer.

pub mod again;
pub mod catalogue;
pub mod edges;
pub mod inventory;
pub mod open;
pub mod placing;
pub mod plan_folder;
pub mod results;
pub mod rows;
pub mod scenario;
pub mod settings;
pub mod text;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

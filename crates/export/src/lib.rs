//! Everything that is written: sheets, plan folders, design files, results.
//!
//! The bytes are the same for the same plan or run. [`folder`] puts files on disk all at once or not at all.
//! Nothing here decides anything, and nothing here reads a user's file.

pub mod bom;
pub mod cables;
pub mod design;
#[cfg(feature = "folders")]
pub mod folder;
pub mod plan;
pub mod ports;
pub mod pull_sheet;
pub mod reference;
pub mod results;
pub mod rules;
pub mod schema;
mod sheet;

pub use sheet::neutralised;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Writers: the sheets of a plan folder, design files, results of runs, schemas and the reference page.
//!
//! Equal plans and runs give equal bytes. [`output`] writes a file, or all files of a folder, in one step or not at
//! all.
//!
//! Nothing here decides or computes an answer, and nothing here reads user files.

pub mod acceptance;
pub mod as_built;
pub mod bom;
pub mod cables;
pub mod curves;
pub mod design;
pub mod design_edit;
pub mod growth;
mod hash;
pub mod netbox;
#[cfg(feature = "folders")]
pub mod output;
pub mod page;
pub mod papers;
pub mod pictures;
pub mod plan;
pub mod ports;
pub mod pull_sheet;
pub mod reference;
pub mod report;
pub mod results;
pub mod rules;
pub mod scenario_rows;
pub mod schema;
pub mod shown;
mod strokes;
pub mod trace;

pub use lightloom_tables::sheet::neutralised;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

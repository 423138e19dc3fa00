//! The typed scenario of a run of the twin, the run, and its outcome as reports.
//!
//! Nothing here reads or writes a file.

pub mod ending;
pub mod files;
pub mod ideal;
pub mod look;
pub mod manifest;
pub mod overflow;
pub mod replicas;
pub mod report;
pub mod run;
pub mod scenario;
pub mod summary;
pub mod timeouts;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

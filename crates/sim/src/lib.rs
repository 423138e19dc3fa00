//! The run of a scenario on the twin, and reports of its outcome.
//!
//! Also here: captures, recordings and summaries of several runs.
//!
//! Nothing here reads or writes files; crate `export` writes results. Scenarios are in `scenario`, and the simulation
//! itself is in `twin`.

pub mod accelerators;
pub mod admission;
pub mod alone;
pub mod bounds;
pub mod capture;
pub mod circuits;
pub mod collectives;
pub mod copies;
pub mod ending;
pub mod errors;
pub mod failed;
pub mod files;
pub mod goodput;
pub mod groups;
pub mod hands;
pub mod jobs;
pub mod kinds;
pub mod lacks;
pub mod ledger;
pub mod look;
pub mod manifest;
pub mod overflow;
pub mod recording;
pub mod recovery;
pub mod replicas;
pub mod report;
pub mod run;
pub mod so_far;
pub mod summary;
pub mod to_groups;
pub mod trace_file;
pub mod traces;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

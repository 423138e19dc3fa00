//! The typed scenario of a run, the run of the twin, and reports of its outcome.
//!
//! [`said`] declares what scenarios say, [`build`] makes a [`scenario`] of it.
//!
//! Also here: ideal completion times, checks of headroom and timeouts, and summaries of several runs.
//!
//! Nothing here reads or writes files; crate `input` reads scenarios and crate `export` writes results. The
//! simulation itself is in `twin`.

pub mod admission;
pub mod bounds;
pub mod build;
pub mod capture;
pub mod copies;
pub mod ending;
pub mod errors;
pub mod failed;
pub mod files;
pub mod glass;
pub mod goodput;
pub mod groups;
pub mod ideal;
pub mod kinds;
pub mod lacks;
pub mod look;
pub mod manifest;
pub mod memory;
pub mod overflow;
pub mod recording;
pub mod recovery;
pub mod replicas;
pub mod report;
pub mod reroutes;
pub mod run;
pub mod said;
pub mod scenario;
pub mod so_far;
pub mod summary;
pub mod timeouts;
pub mod to_groups;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

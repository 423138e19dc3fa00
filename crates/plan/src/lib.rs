//! The project of a design, its wiring, and the proved plan with its optical budget, bill and failures.
//!
//! What a plan itself answers are methods of [`project::Project`] and return report types. Crate `studies` compares,
//! searches and follows plans.
//!
//! Nothing here reads or writes files; crate `input` reads and crate `export` writes. The typed design stands in crate
//! `design`. Routing, prices and budgets are computed in the crates below.

pub mod accelerators;
pub mod acceptance;
pub mod as_built;
pub mod assumed;
pub mod bill;
pub mod bom;
pub mod budget;
pub mod cabling;
pub mod candidate;
pub mod cascade;
mod chains;
pub mod concerns;
pub mod document;
pub mod facts;
pub mod failure_set;
pub mod failures;
pub mod growth;
pub mod housings;
pub mod impact;
pub mod in_words;
pub mod interfaces;
pub mod labels;
pub mod laid;
pub mod logical;
pub mod memory;
pub mod method;
pub mod naming;
pub mod open;
pub mod platform_report;
pub mod project;
pub mod prove;
pub mod provenance;
pub mod recover;
pub mod routes;
pub mod standing;
pub mod throughput;
pub mod totals;
pub mod trays;
pub mod trees;
pub mod verify;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The typed design, its wiring, and the proved plan with its optical budget, bill and failures.
//!
//! Questions about a design are methods of [`project::Project`] and return report types.
//!
//! Nothing here reads or writes files; crate `input` reads and crate `export` writes. Routing, prices and
//! budgets are computed in the crates below.

pub mod acceptance;
pub mod arrays;
pub mod as_built;
pub mod assumed;
pub mod assumption;
pub mod bill;
pub mod bom;
pub mod budget;
pub mod building;
pub mod cabling;
pub mod cascade;
pub mod catalogue;
mod chains;
pub mod choose;
pub mod compare;
pub mod concerns;
pub mod costing;
pub mod dark;
pub mod deal;
pub mod design;
pub mod document;
pub mod end_labels;
pub mod explore;
pub mod fabric_spec;
pub mod facts;
pub mod failure_set;
pub mod failures;
pub mod finding;
pub mod fittings;
pub mod floor;
pub mod geometry;
pub mod growth;
pub mod hall;
mod hall_document;
pub mod housings;
pub mod impact;
pub mod interfaces;
pub mod inventory;
pub mod labels;
pub mod laid;
pub mod memory;
pub mod method;
pub mod naming;
pub mod open;
pub mod optics;
pub mod pads;
pub mod parallel;
pub mod platform;
pub mod platform_report;
pub mod project;
pub mod prove;
pub mod provenance;
pub mod recover;
pub mod repairs;
pub mod risk;
pub mod routes;
pub mod spec_asked;
pub mod spread;
pub mod standing;
pub mod throughput;
mod told;
pub mod totals;
pub mod trace;
pub mod trays;
pub mod trees;
pub mod unused_ports;
pub mod verify;
pub mod work;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

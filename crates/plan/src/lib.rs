//! The typed design, the wires, and the proved plan, with its light, its money and its failures.
//!
//! Nothing here reads or writes a file.

pub mod arrays;
pub mod assumed;
pub mod bill;
pub mod bom;
pub mod budget;
pub mod catalogue;
pub mod choose;
pub mod compare;
pub mod costing;
pub mod dark;
pub mod deal;
pub mod design;
pub mod document;
pub mod end_labels;
pub mod explore;
pub mod fabric_spec;
pub mod facts;
pub mod failures;
pub mod floor;
pub mod hall;
pub mod impact;
pub mod inventory;
pub mod labels;
pub mod naming;
pub mod open;
pub mod optics;
pub mod parallel;
pub mod project;
pub mod prove;
pub mod provenance;
pub mod recover;
pub mod repairs;
pub mod risk;
pub mod routes;
pub mod throughput;
pub mod trays;
pub mod trees;
pub mod unused_ports;
pub mod verify;
pub mod wiring;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

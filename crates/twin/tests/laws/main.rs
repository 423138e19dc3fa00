//! Laws of packets, switches, hosts and runs.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod accelerators;
mod admission;
mod admission_troubles;
mod circuits;
mod closed_form;
mod computations;
mod connections;
mod conservation;
mod copies;
mod dcqcn;
mod deadlock;
mod determinism;
mod errors;
mod expiry;
mod fairness;
mod forks;
mod given;
mod group_errors;
mod groups;
mod halting;
mod headroom;
mod loss;
mod lost_tables;
mod marks;
mod odd;
mod pfc;
mod relays;
mod reliable;
mod reliable_cases;
mod reliable_light;
mod reroutes;
mod safeguard;
mod sequence;
mod setups;
mod splitters;
mod spraying;
mod stand_ins;
mod updates;
mod watched;

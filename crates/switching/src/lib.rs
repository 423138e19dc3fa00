//! What every switch must be told, in no dialect.
//!
//! A plan says which ToR relays which source. A switch needs more: addresses, the servers of each group, entries
//! that drop what must not circulate, and the order in which entries change. All of that is decided here. Crate
//! `lightloom-export` writes it in the dialects of switches and decides nothing.

pub mod address;
pub mod capacity;
pub mod config;
pub mod delta;
pub mod encoding;
pub mod fabric;
mod large;
pub mod lint;
pub mod lossless;
pub mod ports;
pub mod rollout;
pub mod rules;
pub mod server;
pub mod single;
pub mod stamp;
pub mod unicast;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

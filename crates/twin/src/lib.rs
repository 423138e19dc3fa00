//! The packet-level digital twin: packets over links, through switches, between hosts that run real
//! transports.
//!
//! [`simulate`] runs a [`Simulation`]: a network, parameters, flows, losses. Time is in whole
//! picoseconds, every component has its own state and random stream, and components reach each other
//! only through links; so any number of threads gives the same bytes. Nothing here reads files.

mod build;
mod deadlock;
mod drops;
mod engine;
mod fault;
mod headroom;
mod host;
mod link;
mod outcome;
mod packet;
pub mod params;
mod random;
mod simulation;
mod switch;

pub use drops::DropReason;
pub use engine::End;
pub use fault::{Fault, LostPause, Overflow};
pub use headroom::needed_headroom;
pub use outcome::{Broken, FlowOutcome, Hop, LinkOutcome, Outcome};
pub use packet::{CLASSES, Class, Ecn, FlowId, Kind, Packet, Psn};
pub use simulation::{DeadLink, Flow, LinkLoss, PauseStorm, Simulation, Verb, simulate};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

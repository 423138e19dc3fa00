//! What a run of the twin is asked to do: who sends what and when, to hosts and to groups; what is in the way; and
//! every constant of switches, transports and hosts.
//!
//! Nothing here runs. `lightloom-twin` checks a [`Setup`] and runs it.

mod circuits;
mod class;
mod in_network;
mod multicast;
mod order;
pub mod params;
mod setup;

pub use circuits::{CircuitHops, Circuits, Opening};
pub use class::{CLASSES, Class};
pub use in_network::{ADDRESS, InNetwork};
pub use lightloom_transport::messages::FlowId;
pub use multicast::{
    Admission, Branch, BranchLoss, Cast, Change, Data, DeadSplitter, Dialect, Egress, Group,
    GroupId, GroupVerb, Ingress, LightStop, LightTree, Multicast, Reliable, Repair, Rewrite, Rule,
    Service, Splitter, Update, Updated,
};
pub use order::first_ring;
pub use setup::{Computation, DeadLink, Flow, LinkLoss, PauseStorm, Reroute, Restart, Setup, Verb};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

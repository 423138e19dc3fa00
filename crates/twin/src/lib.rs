//! The packet-level digital twin: packets over links, through switches, between hosts that run real
//! transports.
//!
//! [`Simulation::new`] checks a [`Setup`]: a network, parameters, flows, losses, splitters, groups. [`simulate`]
//! runs it. Time is in whole
//! picoseconds, every component has its own state and random stream, and components reach each other
//! only through links; so any number of threads gives the same bytes. Nothing here reads files.

mod build;
mod check;
mod circuits;
mod claims;
mod deadlock;
mod demands;
mod drops;
mod engine;
mod envelope;
mod headroom;
mod host;
mod link;
mod node;
mod outcome;
mod overflow;
mod packet;
mod random;
mod refusal;
mod run;
mod sample;
mod schedule;
mod simulation;
mod switch;
mod wires;

pub use check::SetupError;
pub use claims::{CheckedAnswers, WrongAnswer};
pub use demands::{Demands, Policy, max_min_shares};
pub use drops::{DropReason, DropSpot};
pub use engine::End;
pub use envelope::{Course, Envelope, Known, Round};
pub use headroom::{BufferSizes, buffer_sizes, needed_headroom};
pub use lightloom_setup::{
    Admission, Branch, BranchLoss, Cast, Change, CircuitHops, Circuits, Computation, Data,
    DeadLink, DeadSplitter, Dialect, Egress, Flow, Group, GroupVerb, Ingress, LightStop, LightTree,
    LinkLoss, Multicast, Opening, PauseStorm, Reliable, Repair, Reroute, Restart, Rewrite, Rule,
    Service, Setup, Splitter, Update, Updated, Verb, first_ring, params,
};
pub use lightloom_transport::sender::QueuePairError;
pub use lightloom_transport::series;
pub use node::{Node, Step, Stop};
pub use outcome::{
    AcceleratorOutcome, Admitted, BranchOutcome, CastCopies, CastOutcome, Causes, Completion,
    ComputationOutcome, Dropped, FailedMessage, FlowBytes, FlowOutcome, GroupOutcome, Hop,
    LinkOutcome, Outcome, ReceiverOutcome, RecordingCut, SplitterOutcome, Standing, Unbalanced,
    Waiting, WaitsFor,
};
pub use overflow::{FatalOverflow, LostPause, Overflow};
pub use packet::{CLASSES, Class, Dest, Ecn, FlowId, GroupId, Kind, Life, Packet, Psn};
pub use refusal::{Refusal, RefusalReason};
pub use run::{simulate, simulate_watched};
pub use sample::{Look, Sample};
pub use simulation::{Simulation, Way};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

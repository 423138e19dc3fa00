//! Schedules of collective operations: who sends which blocks to whom, and after which other messages.
//!
//! A schedule is a function from the number of members and the size to a [`Graph`]. Each has a file of its own, which
//! cites its source. Members are numbered from 0 in the order of the schedule; member 0 is the root where there is one.
//! Nothing here knows a host, a network or a time.

mod binomial;
mod binomial_pipeline;
mod bruck;
mod chain;
mod cornet;
mod dissemination;
mod double_tree;
mod experts;
mod given;
mod graph;
mod hpl;
mod mpi;
mod multicast;
mod pairwise;
mod recursive;
mod refresh;
mod ring;
mod rooted;
mod scatter;
mod schedule;
mod unicasts;

pub use given::{Given, Route};
pub use graph::{Blocks, Graph, Message, MessageId, To};
pub use schedule::{Operation, Refusal, Schedule};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

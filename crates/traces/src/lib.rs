//! Traces of applications: what each rank sends, receives and computes, and after what.
//!
//! A format has a reader that makes a [`Trace`]. Nothing here knows a host, a network or a schedule.

mod error;
pub mod goal;
mod order;
mod pairs;
mod program;
mod summary;

pub use error::TraceError;
pub use order::{Ideal, Order, Path};
pub use pairs::{Message, Place, pair};
pub use program::{Need, Op, OpId, Program, Rank, Stage, Trace, What};
pub use summary::Summary;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Traces of applications: what each rank sends, receives and computes, and after what.
//!
//! A format has a reader that makes a [`Trace`]. Nothing here knows a host or a network. Of schedules it has the names
//! of collective operations.

mod at;
pub mod chakra;
mod error;
pub mod goal;
mod order;
mod pairs;
mod program;
mod summary;

pub use at::At;
pub use error::TraceError;
pub use order::{Ideal, Order, Path};
pub use pairs::{Message, Place, pair};
pub use program::{
    Call, CallId, Need, Op, OpId, ProcessGroup, Program, Rank, Stage, Trace, Unit, What,
};
pub use summary::{Calls, Summary};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

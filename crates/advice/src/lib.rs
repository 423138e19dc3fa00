//! Which schedule of a collective operation is fastest on a network, for which sizes, numbers of members, and numbers
//! of groups at once.
//!
//! Every answer is a run of the twin: one for each schedule, size, number of members and number of groups. Sizes above
//! a limit are extended from the two largest sizes below it, and are marked.
//!
//! ```text
//!  Ground (network, parameters) ─┐
//!                                ├─► cases ─► case: one run ─► Came ─┐
//!  Question (operation, sizes …) ┘                                   ├─► AdviceReport
//!                                             extend, rank, meet ────┘
//! ```

mod case;
mod cases;
pub mod contender;
pub mod costs;
pub mod ground;
mod meeting;
pub mod question;
pub mod report;
mod rows;
mod sentences;
pub mod sizes;

pub use cases::advise;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

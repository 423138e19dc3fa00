//! The typed scenario of a run: what it says, and what that is once it is checked.
//!
//! [`said`] declares what scenarios say, [`build`] makes a [`scenario`] of it. [`glass`] has the splitters with the
//! rules of each sender, and what the controller of a run changes in them; [`reroutes`] does the same for links.
//!
//! Nothing here reads files, and nothing runs: crate `input` reads scenarios, crate `sim` runs them.

pub mod as_trace;
pub mod build;
pub mod glass;
pub mod headroom;
pub mod ideal;
pub mod memory;
pub mod reroutes;
pub mod said;
pub mod scenario;
mod spraying;
pub mod timeouts;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

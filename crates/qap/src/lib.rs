//! Quadratic assignment: facilities are put at locations so that the cost of what they exchange is least.
//!
//! A [`Layout`] is a state of such a problem: which facility is at which location. It says what a swap of two locations
//! changes. [`Assignment`] is the layout of sparse flows over a table of costs. [`search`] anneals several layouts side
//! by side (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: Optimization by simulated annealing, Science 220, 1983) and
//! ends with a descent over all swaps. [`tabu`] searches dense problems of moderate size, such as those of QAPLIB, and
//! [`prove`] small ones.
//!
//! All numbers are integers, chains draw from streams of their own, and no result depends on the number of threads.

mod anneal;
mod assignment;
mod chance;
mod exact;
mod layout;
#[cfg(test)]
mod samples;
mod tabu;

pub use anneal::{Effort, Found, Progress, Search, search};
pub use assignment::{Assignment, Costs, Flow};
pub use exact::{Proved, prove};
pub use layout::{Layout, Moves};
pub use tabu::{Assigned, Dense, tabu};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

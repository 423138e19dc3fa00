//! Bringing sources back after failures.
//!
//! [`replan`] is exact, for any set of failures on any fabric: it restores everything that light can
//! still reach, one copy each, and names the rest. [`algorithm2`] is the paper's recovery of one
//! relay. [`Changes`] is the difference between tables, and how to get from one to the other.

mod algorithm2;
mod branching;
mod reach;
mod replan;
mod rollout;
mod solve;

pub use algorithm2::algorithm2;
pub use replan::{Objective, Repair, replan};
pub use rollout::{Change, Changes};

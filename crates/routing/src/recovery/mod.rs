//! Recovery of sources after failures.
//!
//! [`replan`] is exact, for any set of failures in any fabric: it restores everything that light can still
//! reach, one copy each, and lists the rest. [`cut_off`] only counts that rest. [`algorithm2`] is the paper's recovery
//! from one failed relay. [`Changes`] is the difference between tables. [`RecoveryBase`] recovers by either method and
//! proves every state of the rollout.

mod algorithm2;
mod base;
mod branching;
mod limits;
mod method;
mod phases;
mod reach;
mod replan;
mod rollout;
mod solve;
mod state;
mod transition;

pub use algorithm2::algorithm2;
pub use base::{NotRecovered, Recovery, RecoveryBase, Rollout, States};
pub use limits::cut_off;
pub use method::{Answer, Method, MethodName, NotForAlgorithm2};
pub use phases::{Phase, longest_hop, phases};
pub use replan::{Objective, Repair, replan};
pub use rollout::{Change, Changes};
pub use state::State;
pub use transition::{Installed, Step, StepKind, Transition};

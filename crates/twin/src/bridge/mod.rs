//! What a switch knows of reliable groups: the ports of a group and the answers that go up, notifications,
//! registration; and the host that registers a group.
//!
//! State machines without any input or output: handlers take the time and say what to send. Packets, queues and
//! the network never come in here.

mod leader;
mod notify;
mod path;
mod paths;
mod registration;
mod registry;

pub(crate) use leader::{Failure, Leader, Patience, Stage};
pub(crate) use notify::Notify;
pub(crate) use paths::{Feedback, Paths};
pub(crate) use registration::{Ask, Node, Registration, Stop};
pub(crate) use registry::{Limits, Refusal, Registry, Taken, Way};

#[cfg(test)]
mod tests;

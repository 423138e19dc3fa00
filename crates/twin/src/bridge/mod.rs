//! What a switch knows of reliable groups: the ports of a group and the answers that go up, notifications, and
//! what registration enters.
//!
//! State machines without any input or output: handlers take the time and say what to send. Packets, queues and
//! the network never come in here.

mod node;
mod notify;
mod path;
mod paths;

pub(crate) use node::{MOST_NODES, registration_bytes};
pub use node::{Node, Stop};
pub(crate) use notify::Notify;
pub(crate) use paths::{Feedback, Paths};

//! What a switch knows of reliable groups: the ports of a group and the answers that go up, and notifications.
//!
//! State machines without any input or output: handlers take the time and say what to send. Packets, queues and
//! the network never come in here.

mod notify;
mod path;
mod paths;

pub use notify::Notify;
pub use paths::{Feedback, Paths};

#[cfg(test)]
mod tests;

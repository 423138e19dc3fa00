//! State machines of reliable RDMA connections (RC), of their congestion control (DCQCN), of switches that
//! aggregate the answers of a group, and of who admits messages that share transmitters.
//!
//! Nothing here has a clock, a queue or a network: handlers take the time and a packet's numbers, and return what to
//! send. The twin drives them; so can a test, or another simulator.

pub mod admission;
pub mod bridge;
pub mod dcqcn;
pub mod groups;
pub mod messages;
pub mod outgoing;
pub mod params;
pub mod psn;
pub mod receiver;
pub mod sender;
pub mod series;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

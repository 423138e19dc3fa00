//! The engine: windows of time in which every node runs on its own.
//!
//! Nodes reach each other only over links, and no link is faster than the window is long, so nothing
//! that a node does in a window touches another node before the next. Within a window each node
//! takes its arrivals and timers in order of (time; arrivals before timers; port or timer number).
//! The order among nodes changes nothing, so it is that of memory, and any number of threads gives
//! the same bytes.

mod active;
mod agenda;
mod crew;
mod letters;
mod lock;
mod mailbox;
mod part;
mod recording;
mod run;
mod turn;

pub(crate) use mailbox::Arrival;
pub(crate) use part::{Address, Node, Out, Part};
pub(crate) use recording::{Beyond, Counts, Recording, Seen};
pub(crate) use run::{first_overflow, run};
pub(crate) use turn::Control;
pub use turn::End;

//! Studies of plans: what is compared, searched, followed and at risk. One function a question.
//!
//! A study reads a project or what is laid of it, and returns a report. It changes neither.

pub mod arrays;
pub mod branches;
mod common;
pub mod compare;
pub mod dark;
mod deal;
pub mod explore;
pub mod finding;
pub mod floor;
mod in_words;
pub mod many;
pub mod outages;
pub mod parallel;
pub mod place;
pub mod repairs;
pub mod risk;
pub mod spread;
pub mod trace;
pub mod unused_ports;

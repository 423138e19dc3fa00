//! Captures: the packets that crossed a link, as bytes in a pcapng file.
//!
//! [`frames`] makes the bytes of a packet; [`mod@file`] writes them. A packet of the twin is a small record without
//! payload: messages, addresses and keys come from the setup of the run.
//!
//! Frames are as long as the twin counted them, without the frame check sequence of Ethernet, which captures leave
//! out. `docs/model.md` lists what a real frame has beyond that.

pub mod addresses;
pub mod file;
pub mod frames;
mod headers;
mod icrc;
mod messages;
mod registration;

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

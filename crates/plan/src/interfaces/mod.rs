//! Which interface of a device is which port of a ToR, given to a plan and read back from one.
//!
//! Reading files is not done here: crate `input` does it.

pub mod assign;
mod document;
pub mod given;
pub mod ports;

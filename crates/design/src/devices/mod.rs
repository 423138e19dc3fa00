//! Devices and interfaces that an inventory lists, and which device of a rack is its ToR.
//!
//! Reading files is not done here: crate `input` does it.

pub mod device;
pub mod name;
pub mod patterns;
pub mod tors;

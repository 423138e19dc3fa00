//! Checks what was built against what was planned. Today: written plans, from their files alone.

mod folder;
mod labels;

#[cfg(feature = "folders")]
pub use folder::verify_folder;
pub use folder::{VerifyReport, verify_texts};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

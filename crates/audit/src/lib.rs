//! Checks what was built against what was planned. Today: written plans, from their files alone.

mod faults;
mod folder;
mod labels;
mod rules;

pub use folder::{VerifyReport, verify_folder};

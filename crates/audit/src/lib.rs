//! Checks what was built against what was planned. Today: written plans, from their files alone.

mod folder;
mod labels;

pub use folder::{VerifyReport, verify_folder};

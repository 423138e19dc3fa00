//! Laws of what is written: stock lengths, prices, cells and folders.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod cells;
mod folders;
mod single_files;

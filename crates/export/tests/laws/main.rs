//! Laws of what is written: stock lengths, prices, cells and folders for people, and captures for tools.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod captures;
mod cells;
mod folders;
mod frames;
mod reliable;
mod setups;
mod single_files;

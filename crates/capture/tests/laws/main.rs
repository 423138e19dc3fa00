//! Laws of captures.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod captures;
mod frames;
mod reliable;
mod setups;

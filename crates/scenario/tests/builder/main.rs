//! Laws, fixtures and refusals of the builder of scenarios.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod draws;
mod given;
mod laws;
mod refusals;
mod rows;
mod sizes;

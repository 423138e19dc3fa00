//! Laws of planned fabrics in the twin, and of estimates.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod causes;
mod copies;
mod course;
mod given;
mod links;
mod memory;
mod shares;

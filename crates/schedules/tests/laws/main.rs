//! Laws of schedules, checked by following what each message can know and carry.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod counts;
mod fleets;
mod follow;
mod refused;
mod rounds;

//! Traces: read, written, paired and put in order.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod chakra;
mod goal;
mod order;
mod pairs;
mod random;
mod speeds;
mod wire;

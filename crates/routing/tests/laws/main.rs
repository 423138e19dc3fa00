//! Laws of trees, tables, parallel sources and the verifier.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod algorithm1;
mod algorithm2;
mod check;
mod damaged;
mod dead;
mod detection;
mod fabrics;
mod fair_share;
mod fault_signalling;
mod growth;
mod hops;
mod kautz;
mod load;
mod parallel;
mod proof;
mod recovery;
mod recovery_random;
mod replay;
mod risk;
mod seats;
mod stopped;
mod switch;
mod transitions;
mod trees_for;
mod wiring;

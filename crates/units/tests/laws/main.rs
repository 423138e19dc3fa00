//! Laws of the quantities, over the full range of each.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod data;
mod magnitude;
mod money;
mod optical;
mod text;
mod time;

use proptest::prelude::*;

/// Any `u64`; every order of magnitude is equally likely.
fn any_u64() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => (any::<u64>(), 0_u32..64).prop_map(|(value, shift)| value >> shift),
        1 => Just(0),
        1 => Just(u64::MAX),
    ]
}

//! Samples of ToRs that are equal in every run and on every platform.

use lightloom_topology::{Fabric, TorId};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

/// Seed of every sample.
pub const SEED: u64 = 1;
/// Number of sources in a sample that is proved or measured instead of all sources.
pub const SOURCES: usize = 64;

/// A generator seeded with [`SEED`].
pub fn generator() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(SEED)
}

/// A sample of distinct ToRs, ascending.
///
/// # Panics
/// Panics if `count` is more than the number of ToRs.
pub fn tors(fabric: &Fabric, count: usize) -> Vec<TorId> {
    let drawn = rand::seq::index::sample(&mut generator(), fabric.tors(), count);
    let mut tors: Vec<TorId> = drawn.into_iter().map(TorId::at).collect();
    tors.sort_unstable();
    tors
}

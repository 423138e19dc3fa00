//! Random numbers of a test, from its seed.

use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

/// Random numbers.
pub(super) struct Draws(ChaCha8Rng);

impl Draws {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0.random()
    }

    /// A number from 0, below 1.
    pub(super) fn unit(&mut self) -> f64 {
        self.0.random()
    }
}

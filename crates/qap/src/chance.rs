//! Random draws of a chain.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Number of thresholds that a draw chooses from.
const THRESHOLDS: usize = 1 << 12;

/// The random stream of a chain.
#[derive(Debug, Clone)]
pub(crate) struct Chance {
    stream: Xoshiro256PlusPlus,
    /// How many temperatures a move may go up, one for each share of the draws: -ln of the middle of that share. So a
    /// move of cost d is accepted with probability exp(-d/T), without a logarithm for each move.
    thresholds: Vec<f64>,
}

impl Chance {
    /// The stream of one chain.
    pub(crate) fn of_chain(seed: u64, chain: u32) -> Self {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..chain).for_each(|_| stream.jump());
        #[allow(clippy::cast_precision_loss, reason = "a few thousand")]
        let threshold = |share: usize| -libm::log((share as f64 + 0.5) / THRESHOLDS as f64);
        Self { stream, thresholds: (0..THRESHOLDS).map(threshold).collect() }
    }

    /// A number below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        // The product of 32 random bits and the count; its bias is below count / 2^32.
        let draw = self.stream.next_u64() >> 32;
        usize::try_from((draw * count as u64) >> 32).unwrap_or(0)
    }

    /// Two different numbers below `count`, which is at least 2.
    pub(crate) fn pair_below(&mut self, count: usize) -> (usize, usize) {
        let one = self.below(count);
        let other = self.below(count - 1);
        (one, if other >= one { other + 1 } else { other })
    }

    /// Puts a list into a random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let at = self.below(last + 1);
            list.swap(at, last);
        }
    }

    /// How many temperatures the next move may go up.
    pub(crate) fn threshold(&mut self) -> f64 {
        let at = self.below(THRESHOLDS);
        self.thresholds[at]
    }
}

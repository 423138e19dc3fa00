//! Random draws of a scenario: its traffic, and the members of random groups.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Purposes of random numbers. Each purpose of each pattern has its own stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Who sends to whom in a permutation.
    Permutation = 1,
    /// Who sends in an incast.
    Senders = 2,
    /// Sizes of flows.
    Sizes = 3,
    /// Times and receivers of flows.
    Arrivals = 4,
    /// Members of random groups.
    Members = 5,
    /// Which messages go to hot hosts, and to which.
    Hot = 6,
    /// Order of the members of collective operations.
    Order = 7,
    /// Hosts of the ranks of traces.
    Ranks = 8,
}

/// 2⁵³: a uniform draw is a whole number below it, divided by it.
const DRAWS: f64 = 9_007_199_254_740_992.0;

/// The random stream of a purpose, a pattern and a host. No draw depends on how many patterns or hosts there
/// are.
pub(super) fn stream(seed: u64, purpose: Purpose, pattern: u64, host: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // A scenario has fewer than 2^24 patterns, and a network fewer than 2^32 hosts.
    random.set_stream((purpose as u64) << 56 | pattern << 32 | host);
    random
}

/// A uniform number in [0, 1).
pub(super) fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / DRAWS
}

/// A uniform whole number below `end`.
pub(super) fn below(random: &mut ChaCha8Rng, end: usize) -> usize {
    let end = end.max(1) as u64;
    // Draws again for the highest values, which would make some remainders likelier.
    let fair = u64::MAX - u64::MAX % end;
    loop {
        let drawn = random.next_u64();
        if drawn < fair {
            return usize::try_from(drawn % end).unwrap_or(0);
        }
    }
}

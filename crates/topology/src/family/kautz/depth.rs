//! The depth of a digraph, for the choice between digraphs.

use crate::family::kautz::ways::Edge;

/// Number of targets per pass, one bit each.
const TARGETS: usize = 64;

/// The smallest possible number of relays between any two cassettes, by counting: the least d with
/// 1 + p + … + p^d ≥ n.
pub(super) fn least_relays(p: u32, n: u32) -> u32 {
    let (mut reached, mut farthest, mut relays) = (1_u64, 1_u64, 0);
    while reached < u64::from(n) {
        farthest *= u64::from(p);
        reached += farthest;
        relays += 1;
    }
    relays
}

/// Whether every cassette reaches every other over at most `relays` relays.
///
/// Each pass covers 64 targets. A digraph that is too deep mostly fails in the first pass.
pub(super) fn within(n: u32, edges: &[Edge], relays: u32) -> bool {
    let n = n as usize;
    let mut near = vec![0_u64; n];
    let mut nearer = vec![0_u64; n];
    (0..n).step_by(TARGETS).all(|first| {
        let targets = TARGETS.min(n - first);
        near.fill(0);
        for target in 0..targets {
            near[first + target] = 1 << target;
        }
        for _ in 0..relays {
            nearer.copy_from_slice(&near);
            for &(from, to) in edges {
                near[from as usize] |= nearer[to as usize];
            }
        }
        let all = u64::MAX >> (TARGETS - targets);
        near.iter().all(|&reached| reached == all)
    })
}

#[cfg(test)]
mod tests {
    use super::{least_relays, within};

    #[test]
    fn counting_bounds_the_relays() {
        let at =
            |p, sizes: &[u32]| -> Vec<u32> { sizes.iter().map(|&n| least_relays(p, n)).collect() };
        assert_eq!(at(2, &[1, 2, 3, 4, 7, 8, 15, 16]), [0, 1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(at(4, &[5, 6, 21, 22, 85, 86]), [1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn a_ring_is_as_deep_as_it_is_long() {
        for n in [1, 2, 63, 64, 65, 128, 130] {
            let ring: Vec<_> = (0..n).map(|x| (x, (x + 1) % n)).collect();
            assert!(within(n, &ring, n - 1), "{n}");
            assert!(n == 1 || !within(n, &ring, n - 2), "{n}");
        }
    }

    #[test]
    fn what_is_cut_off_is_never_near() {
        assert!(!within(70, &[], 1000));
        // Only the last cassette is missed, and only in the second pass.
        let star: Vec<_> = (0..69).flat_map(|x| [(x, (x + 1) % 69), (69, x)]).collect();
        assert!(!within(70, &star, 1000));
    }
}

//! The laws of aggregated feedback (cepheus:III-D.ack, cepheus:III-D.nack), over random trees, delays and losses. At
//! every answer of every switch the model checks that it covers nothing that a receiver lacks; at the end of every
//! message, that all have all of it.

use proptest::prelude::*;

use super::case::{cases, gentle, rough};
use super::world::World;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]
    /// Where only what is sent for the first time gets lost, no timer is needed. The last packet does not get lost:
    /// nothing would tell. With selective repeat the last of a window is such a packet, so the window is large.
    #[test]
    fn no_timeout_is_needed(case in cases(gentle(), 64..=64, 0)) {
        prop_assert_eq!(World::new(&case).run().timeouts, 0);
    }

    /// Whatever gets lost, everybody gets everything.
    #[test]
    fn everything_arrives(case in cases(rough(), 8..=64, 0)) {
        World::new(&case).run();
    }

    /// The same while hosts join, leave and move.
    #[test]
    fn everything_arrives_in_trees_that_change(case in cases(rough(), 8..=64, 4)) {
        World::new(&case).run();
    }
}

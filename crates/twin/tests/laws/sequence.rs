//! Sequence numbers of 24 bits.

use lightloom_twin::params::Recovery;
use lightloom_twin::{Outcome, Psn, Setup};
use proptest::prelude::*;

use crate::given::*;

const ALL: u32 = 1 << 24;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]
    #[test]
    fn places_count_on(first in any::<u32>(), place in any::<u64>(), more in 0_u64..1 << 23) {
        let first = Psn::new(first);
        let at = Psn::of(first, place);
        prop_assert!(at.get() < ALL);
        prop_assert_eq!(at.get(), ((u128::from(first.get()) + u128::from(place)) % (1 << 24)) as u32);
        prop_assert_eq!(Psn::of(at, more), Psn::of(first, place.wrapping_add(more)));
        prop_assert_eq!(Psn::of(at, more).after(at), more as i64);
        prop_assert_eq!(at.after(Psn::of(at, more)), -(more as i64));
    }

    /// The shorter way round: at least -2^23, less than 2^23, and it leads there.
    #[test]
    fn distance_leads_there(a in 0..ALL, b in 0..ALL) {
        let (a, b) = (Psn::new(a), Psn::new(b));
        let ahead = b.after(a);
        prop_assert!((-(1 << 23)..1 << 23).contains(&ahead));
        prop_assert_eq!(Psn::of(a, ahead.rem_euclid(1 << 24) as u64), b);
        prop_assert_eq!(Psn::of(a, 1 << 24), a);
        prop_assert_eq!(Psn::new(a.get() | 0xff00_0000), a);
    }
}

/// A run whose first sequence number is `first`, with losses on the way there and back.
fn from(first: u32, recovery: Recovery) -> Outcome {
    let network = star(3);
    let mut params = params();
    (params.transport.recovery, params.transport.first_psn) = (recovery, first);
    params.transport.timeout = lightloom_units::Span::from_us(200);
    let flows = vec![flow(0, 2, 500 * MTU), flow(1, 2, 300 * MTU), flow(2, 0, 100 * MTU)];
    let losses = crate::loss::on(&network, &[(0, 0), (2, 0), (3, 0)], 0.02, 1);
    finished(&Setup { losses, ..simulation(&network, params, flows) })
}

/// Only differences count, so that where numbers start changes nothing.
#[test]
fn numbers_wrap_without_harm() {
    for recovery in [Recovery::GoBackN, selective(64)] {
        let usual = from(0, recovery);
        assert!(usual.flows.iter().any(|flow| flow.repeated > 0));
        for first in [ALL - 1, ALL - 2, ALL - 250, ALL / 2 - 100, 12_345_678] {
            assert_eq!(from(first, recovery), usual, "{recovery:?} from {first}");
        }
    }
}

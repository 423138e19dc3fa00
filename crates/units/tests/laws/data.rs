//! Serialization time against its definition: the smallest sufficient whole picosecond.

use lightloom_units::{BitRate, DataSize, Span};
use proptest::prelude::*;

use crate::any_u64;

const PS_PER_S: u128 = 1_000_000_000_000;

proptest! {
    #[test]
    fn serialization_time_is_the_least_span_that_carries_the_bits(
        bytes in any_u64(),
        bps in any_u64(),
    ) {
        // The bits that the line carries in a time, and the bits that it must carry, both × 10¹².
        let needed = u128::from(bytes) * 8 * PS_PER_S;
        let carried = |ps: u64| u128::from(ps) * u128::from(bps);
        match DataSize::from_bytes(bytes).serialization_time(BitRate::from_bps(bps)) {
            Some(span) => {
                prop_assert!(carried(span.as_ps()) >= needed);
                if let Some(sooner) = span.as_ps().checked_sub(1) {
                    prop_assert!(carried(sooner) < needed);
                }
            }
            None => prop_assert!(bps == 0 || carried(u64::MAX) < needed),
        }
    }

    #[test]
    fn sizes_add_like_their_bytes(a in any_u64(), b in any_u64()) {
        let sum = DataSize::from_bytes(a).checked_add(DataSize::from_bytes(b));
        prop_assert_eq!(sum.map(DataSize::as_bytes), a.checked_add(b));
    }
}

#[test]
fn a_frame_on_a_known_line() {
    let frame = DataSize::from_bytes(1_500);
    assert_eq!(frame.serialization_time(BitRate::from_gbps(100)), Some(Span::from_ns(120)));
    // 12,000 bits at 7 bit/s: 1714.285714285714285… s, rounded up.
    let ps = 1_714_285_714_285_715;
    assert_eq!(frame.serialization_time(BitRate::from_bps(7)), Some(Span::from_ps(ps)));
    assert_eq!(frame.serialization_time(BitRate::default()), None);
    assert_eq!(DataSize::ZERO.serialization_time(BitRate::default()), None);
    assert_eq!(DataSize::ZERO.serialization_time(BitRate::from_bps(1)), Some(Span::ZERO));
}

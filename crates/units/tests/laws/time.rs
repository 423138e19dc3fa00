//! Points and spans: `(t + s) - t = s`, and the checked operations agree with `u64`.

use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::any_u64;

proptest! {
    #[test]
    fn a_point_moved_by_a_span_is_that_span_away(start in any_u64(), distance in any_u64()) {
        let (start, span) = (Instant::from_ps(start), Span::from_ps(distance));
        match start.checked_add(span) {
            Some(end) => {
                prop_assert_eq!(start + span, end);
                prop_assert_eq!(end - start, span);
                prop_assert_eq!(end.checked_sub(span), Some(start));
                prop_assert_eq!(start.checked_since(end).is_some(), distance == 0);
            }
            None => prop_assert!(start.as_ps().checked_add(distance).is_none()),
        }
    }

    #[test]
    fn spans_add_like_their_picoseconds(a in any_u64(), b in any_u64(), count in 0_u64..1000) {
        let (x, y) = (Span::from_ps(a), Span::from_ps(b));
        prop_assert_eq!(x.checked_add(y).map(Span::as_ps), a.checked_add(b));
        prop_assert_eq!(x.checked_add(y), y.checked_add(x));
        prop_assert_eq!(x.checked_sub(y).map(Span::as_ps), a.checked_sub(b));
        prop_assert_eq!(x.checked_mul(count).map(Span::as_ps), a.checked_mul(count));
    }

    #[test]
    fn a_multiple_is_a_repeated_sum(ps in 0_u64..1 << 50, count in 0_u64..100) {
        let span = Span::from_ps(ps);
        let sum = (0..count).fold(Span::ZERO, |sum, _| sum + span);
        prop_assert_eq!(span * count, sum);
    }
}

#[test]
fn units_are_a_thousand_apart() {
    assert_eq!(Span::from_s(1), Span::from_ms(1_000));
    assert_eq!(Span::from_ms(1), Span::from_us(1_000));
    assert_eq!(Span::from_us(1), Span::from_ns(1_000));
    assert_eq!(Span::from_ns(1), Span::from_ps(1_000));
    assert_eq!(Instant::from_s(1) - Instant::from_ms(999), Span::from_ms(1));
    assert_eq!(Instant::from_us(1) - Instant::from_ns(999), Span::from_ns(1));
}

#[test]
#[should_panic(expected = "instant overflow")]
fn the_operator_panics_where_the_checked_operation_declines() {
    let _ = Instant::from_ps(u64::MAX) + Span::from_ps(1);
}

//! Lengths and powers add like integers.

use lightloom_units::{Length, Power};
use proptest::{collection::vec, prelude::*};

use crate::any_u64;

proptest! {
    #[test]
    fn lengths_add_like_their_micrometres(a in any_u64(), b in any_u64(), count in any_u64()) {
        let (x, y) = (Length::from_um(a), Length::from_um(b));
        prop_assert_eq!(x.checked_add(y).map(Length::as_um), a.checked_add(b));
        prop_assert_eq!(x.checked_add(y), y.checked_add(x));
        prop_assert_eq!(x.checked_sub(y).map(Length::as_um), a.checked_sub(b));
        prop_assert_eq!(x.checked_mul(count).map(Length::as_um), a.checked_mul(count));
        prop_assert_eq!(x.abs_diff(y), y.abs_diff(x));
        prop_assert_eq!(x.min(y).checked_add(x.abs_diff(y)), Some(x.max(y)));
    }

    #[test]
    fn powers_add_like_their_microwatts(a in any_u64(), b in any_u64(), count in any_u64()) {
        let (x, y) = (Power::from_microwatts(a), Power::from_microwatts(b));
        prop_assert_eq!(x.checked_add(y).map(Power::as_microwatts), a.checked_add(b));
        prop_assert_eq!(x.checked_add(y), y.checked_add(x));
        prop_assert_eq!(x.checked_mul(count).map(Power::as_microwatts), a.checked_mul(count));
    }

    #[test]
    fn a_sum_does_not_depend_on_order(values in vec(0_u64..1 << 50, 0..50)) {
        let lengths = || values.iter().copied().map(Length::from_um);
        prop_assert_eq!(lengths().sum::<Length>(), lengths().rev().sum());
        prop_assert_eq!(lengths().sum::<Length>().as_um(), values.iter().sum::<u64>());
        let powers = || values.iter().copied().map(Power::from_microwatts);
        prop_assert_eq!(powers().sum::<Power>(), powers().rev().sum());
        prop_assert_eq!(powers().sum::<Power>().as_microwatts(), values.iter().sum::<u64>());
    }

    #[test]
    fn a_multiple_is_a_repeated_sum(value in 0_u64..1 << 50, count in 0_u8..100) {
        let length = Length::from_um(value);
        let repeated = (0..count).map(|_| length).sum();
        prop_assert_eq!(length * u64::from(count), repeated);
        let power = Power::from_microwatts(value);
        let repeated = (0..count).map(|_| power).sum();
        prop_assert_eq!(power * u64::from(count), repeated);
    }
}

#[test]
fn units_relate_as_they_should() {
    assert_eq!(Length::from_m(1), Length::from_mm(1_000));
    assert_eq!(Length::from_mm(1), Length::from_um(1_000));
    assert_eq!(Length::from_mm(12_500).as_m(), 12.5);
    assert_eq!(Power::from_watts(1), Power::from_milliwatts(1_000));
    assert_eq!(Power::from_milliwatts(1), Power::from_microwatts(1_000));
    assert_eq!(Power::from_milliwatts(3_500).as_watts(), 3.5);
}

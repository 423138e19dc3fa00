//! Sizes by arithmetic alone: the Moore bound is the least m for which a p-ary tree of m levels has
//! a place for every ToR, and doubling wires the smallest Shufflecast that has room for all ToRs.

use lightloom_topology::family::{Shufflecast, doubled, moore_bound};
use proptest::prelude::*;

/// 1 + p + … + p^m, each power computed from scratch.
fn places(p: u32, m: u32) -> u128 {
    (0..=m).map(|i| u128::from(p).pow(i)).sum()
}

proptest! {
    #[test]
    fn the_bound_is_the_least_number_of_levels(p in 2_u32..=1024, tors in 1_usize..=1 << 22) {
        let m = moore_bound(p, tors);
        prop_assert!(places(p, m) >= tors as u128);
        prop_assert!(m == 0 || places(p, m - 1) < tors as u128);
    }

    #[test]
    fn more_tors_never_take_fewer_hops_and_wider_splitters_never_more(
        p in 2_u32..1024,
        tors in 1_usize..1 << 22,
    ) {
        prop_assert!(moore_bound(p, tors) <= moore_bound(p, tors + 1));
        prop_assert!(moore_bound(p + 1, tors) <= moore_bound(p, tors));
    }
}

#[test]
fn the_bound_steps_exactly_where_a_level_is_full() {
    for p in 2..=64 {
        for m in (1..).take_while(|&m| places(p, m) <= 1 << 22) {
            let full = usize::try_from(places(p, m)).unwrap();
            assert_eq!(moore_bound(p, full), m, "p = {p}");
            assert_eq!(moore_bound(p, full + 1), m + 1, "p = {p}");
        }
    }
}

/// shufflecast:III-A1.doubled
#[test]
fn fifteen_tors_take_a_2_3_shufflecast_with_nine_roles_to_spare() {
    let doubled = doubled(2, 15).unwrap();
    assert_eq!((doubled.shape.p(), doubled.shape.k(), doubled.shape.tors()), (2, 3, 24));
    assert_eq!(doubled.extra_roles, 9);
    assert_eq!((doubled.splitters, doubled.transceivers, doubled.fibres), (24, 48, 48));
}

proptest! {
    #[test]
    fn the_shape_is_the_smallest_that_holds_all_tors(p in 2_u32..40, tors in 1_u32..100_000) {
        let doubled = doubled(p, tors).unwrap();
        let size = |k: u32| u64::from(k) * u64::from(p).pow(k);
        let k = doubled.shape.k();
        prop_assert!(size(k) >= u64::from(tors));
        prop_assert!((1..k).all(|smaller| size(smaller) < u64::from(tors)));
        prop_assert_eq!(u64::from(doubled.extra_roles), size(k) - u64::from(tors));
        prop_assert_eq!(doubled.splitters, size(k));
        prop_assert_eq!(doubled.transceivers, size(k) * u64::from(p));
        prop_assert_eq!(doubled.fibres, size(k) * u64::from(p));
    }

    #[test]
    fn any_numbers_give_a_shape_or_an_error(p in any::<u32>(), tors in any::<u32>()) {
        if let Ok(doubled) = doubled(p, tors) {
            prop_assert_eq!(doubled.shape.tors() - doubled.extra_roles, tors);
        }
    }
}

#[test]
fn a_shufflecast_needs_no_doubling() {
    for p in 2..=20 {
        for shape in (1..=3).filter_map(|k| Shufflecast::new(p, k).ok()) {
            let doubled = doubled(p, shape.tors()).unwrap();
            assert_eq!((doubled.shape, doubled.extra_roles), (shape, 0));
        }
    }
}

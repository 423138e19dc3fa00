//! The way between the rules for any failures and those for any others: it is safe while all of them last.

use std::sync::Arc;

use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Method, RecoveryBase};
use lightloom_routing::{Balanced, RouterKind};
use lightloom_units::Span;
use proptest::prelude::*;

use crate::damaged::{draws, failures};
use crate::fabrics::{any_custom, any_fabric};
use crate::recovery::BOTH;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn there_is_always_a_safe_way_while_both_kinds_of_failures_last(
        fabric in prop_oneof![any_custom(5, 2..=3), any_custom(12, 2..=4), any_fabric()],
        lasting in draws(3),
        gone in draws(3),
        new in draws(3),
        objective in 0_usize..2,
    ) {
        prop_assume!(fabric.tors() < 60);
        let [lasting, gone, new] = [lasting, gone, new].map(|draws| failures(&fabric, &draws));
        let tables = Arc::new(Balanced::new(&fabric).into_tables());
        let base =
            RecoveryBase::new(&fabric, RouterKind::Arborescence, Arc::clone(&tables), Span::from_us(2));
        let method = Method::Replan(BOTH[objective]);
        let all = |one: &[Failure], other: &[Failure]| [one, other].concat();
        let from = base.target(&all(&lasting, &gone), method).unwrap();
        let to = base.target(&all(&lasting, &new), method).unwrap();
        let during = all(&all(&lasting, &gone), &new);
        let way = base.transition(&from, &to, &during, 0);
        prop_assert!(way.is_ok(), "{:?}: {lasting:?} {gone:?} {new:?}", way.err());
        // A packet that was sent before the failures may be below the parts that failed, and goes on.
        let intact = tables.hops(&fabric).unwrap().max;
        let recovery = base.recover(&all(&lasting, &gone), method).unwrap();
        let hops = recovery.rollout.unwrap().hops_before;
        prop_assert!(hops >= intact, "{hops} of {intact}");
        let way = base.transition(&from, &to, &during, intact).unwrap();
        prop_assert!(way.hops >= intact);
    }
}

//! Balanced and rotated trees reach every ToR in petgraph's fewest hops; those that may be one hop
//! late never are by more.

use lightloom_routing::{Balanced, RelayTables, Rotated, Router, Tree};
use lightloom_topology::{Fabric, TorId};
use proptest::prelude::*;

use crate::check::{distances, is_arborescence};
use crate::fabrics::{any_fabric, one_more_hop};

/// How many hops later than the fewest each ToR of each source gets its copy.
fn lateness(fabric: &Fabric, tables: &RelayTables) -> Vec<u32> {
    let distances = distances(fabric);
    let mut late = Vec::new();
    for source in fabric.tor_ids() {
        let row = tables.row(source);
        assert!(is_arborescence(fabric, source, row), "source {source}: {row:?}");
        let tree = Tree::new(fabric, source, row).unwrap();
        for tor in fabric.tor_ids() {
            let root = fabric.transmits_into(source).index();
            let fewest = distances[root][fabric.receives_from(tor).index()] + 1;
            late.push(tree.hops(tor).checked_sub(fewest).unwrap());
        }
    }
    late
}

proptest! {
    #[test]
    fn balanced_trees_are_never_late(fabric in any_fabric()) {
        let tables = Balanced::new(&fabric).into_tables();
        prop_assert!(lateness(&fabric, &tables).iter().all(|&late| late == 0));
    }

    #[test]
    fn rotated_trees_are_never_late(fabric in any_fabric()) {
        let tables = RelayTables::new(&fabric, &mut Rotated::new(&fabric));
        prop_assert!(lateness(&fabric, &tables).iter().all(|&late| late == 0));
    }

    #[test]
    fn one_more_hop_is_one_hop_late_at_most(fabric in any_fabric()) {
        let tables = one_more_hop(&fabric);
        prop_assert!(lateness(&fabric, &tables).iter().all(|&late| late <= 1));
    }

    #[test]
    fn a_rotated_row_does_not_depend_on_what_was_asked_before(
        fabric in any_fabric(),
        asked in proptest::collection::vec(any::<prop::sample::Index>(), 1..20),
    ) {
        let tables = RelayTables::new(&fabric, &mut Rotated::new(&fabric));
        let mut router = Rotated::new(&fabric);
        for index in asked {
            let source = TorId::at(index.index(fabric.tors()));
            let mut row = vec![TorId(u32::MAX); fabric.cassettes()];
            router.relay_row(source, &mut row);
            prop_assert_eq!(row, tables.row(source));
        }
    }

    #[test]
    fn a_balanced_router_answers_with_its_tables(fabric in any_fabric()) {
        let answered = RelayTables::new(&fabric, &mut Balanced::new(&fabric));
        prop_assert_eq!(answered, Balanced::new(&fabric).into_tables());
    }
}

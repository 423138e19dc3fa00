//! Installed parallel sources have disjoint relay sets, and brute force finds no larger set.

use lightloom_routing::{Balanced, RelayTables, Rotated};
use lightloom_topology::{Fabric, TorId};
use proptest::prelude::*;

use crate::fabrics::{any_custom, any_fabric, installed, one_more_hop};

fn tables_of(fabric: &Fabric, router: u8) -> RelayTables {
    match router {
        0 => Balanced::new(fabric).into_tables(),
        1 => RelayTables::new(fabric, &mut Rotated::new(fabric)),
        _ => one_more_hop(fabric),
    }
}

fn disjoint(tables: &RelayTables, a: TorId, b: TorId) -> bool {
    !tables.row(a).iter().any(|relay| tables.row(b).contains(relay))
}

/// The ToRs of the emptiest cassette: each stream needs one of them.
fn ceiling(fabric: &Fabric) -> usize {
    fabric.cassette_ids().map(|c| fabric.transmitters(c).len()).min().unwrap()
}

/// The most candidates with disjoint relay sets, over all sets of candidates.
fn most(tables: &RelayTables, candidates: &[TorId]) -> usize {
    let n = candidates.len();
    let clashes = |i: usize| -> u32 {
        let with = |&j: &usize| i != j && !disjoint(tables, candidates[i], candidates[j]);
        (0..n).filter(with).map(|j| 1 << j).sum()
    };
    let clashes: Vec<u32> = (0..n).map(clashes).collect();
    let free = |set: &u32| (0..n).all(|i| set >> i & 1 == 0 || clashes[i] & set == 0);
    (0..1_u32 << n).filter(free).map(u32::count_ones).max().unwrap() as usize
}

proptest! {
    #[test]
    fn no_set_of_disjoint_sources_is_larger(
        fabric in any_custom(6, 2..=3),
        router in 0_u8..3,
        every in 1_usize..3,
    ) {
        let tables = tables_of(&fabric, router);
        let candidates: Vec<TorId> = fabric.tor_ids().step_by(every).take(14).collect();
        let found = installed(&tables, &candidates, ceiling(&fabric));
        let most = most(&tables, &candidates);
        prop_assert_eq!((found.sources.len(), found.at_most), (most, most));
    }

    #[test]
    fn the_sources_found_are_candidates_with_disjoint_relays(
        fabric in any_fabric(),
        router in 0_u8..3,
        first in 0_usize..3,
    ) {
        let tables = tables_of(&fabric, router);
        let candidates: Vec<TorId> = fabric.tor_ids().skip(first).step_by(2).collect();
        let found = installed(&tables, &candidates, ceiling(&fabric));
        prop_assert!(found.sources.is_sorted_by(|a, b| a < b));
        prop_assert!(found.sources.iter().all(|s| candidates.contains(s)));
        prop_assert!(found.sources.len() <= found.at_most && found.at_most <= ceiling(&fabric));
        for (i, &a) in found.sources.iter().enumerate() {
            prop_assert!(found.sources[..i].iter().all(|&b| disjoint(&tables, a, b)));
        }
    }
}

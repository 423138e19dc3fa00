//! The largest number of parallel sources, with planned or installed trees, equals that of brute force over
//! all sets of sources. The reason against one more holds.

use lightloom_routing::parallel::{Limit, ParallelSources, parallel_sources, trees_for};
use lightloom_routing::{Balanced, RelayTables, Rotated};
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::prelude::*;

use crate::check::{Subsets, clash};
use crate::fabrics::{any_custom, any_fabric, installed, one_more_hop};

/// Size of the largest set of sources that Edmonds's condition allows.
fn most(fabric: &Fabric) -> u32 {
    let subsets = Subsets::of(fabric);
    let mut most = 0;
    for sources in 0..1_u32 << fabric.tors() {
        if sources.count_ones() > most && subsets.allow(sources) {
            most = sources.count_ones();
        }
    }
    most
}

/// Whether the reason forbids one more source than was found.
fn holds(fabric: &Fabric, found: &ParallelSources) -> bool {
    let one_more = found.sources.len() + 1;
    match &found.limit {
        Limit::AllToRs => fabric.cassettes() == 1 && found.sources.len() == fabric.tors(),
        // Every stream needs its own ToR into the cassette.
        Limit::Cassette { cassette, transmitters } => {
            let into = fabric.tor_ids().filter(|&t| fabric.transmits_into(t) == *cassette).count();
            into == *transmitters as usize && into < one_more
        }
        // Every stream enters all sets except the one that it starts in.
        Limit::Sets { sets, entering } => {
            let owner = |c: CassetteId| {
                let mut owners = (0..sets.len()).filter(|&s| sets[s].contains(&c));
                let owner = owners.next();
                assert_eq!(owners.next(), None, "the sets overlap");
                owner
            };
            let enters = |t: &TorId| {
                let to = owner(fabric.transmits_into(*t));
                to.is_some() && to != owner(fabric.receives_from(*t))
            };
            let count = fabric.tor_ids().filter(enters).count();
            sets.iter().all(|set| !set.is_empty())
                && count == *entering as usize
                && count < one_more * (sets.len() - 1)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_set_of_sources_is_larger(fabric in any_custom(6, 2..=3)) {
        let found = parallel_sources(&fabric);
        prop_assert_eq!(found.sources.len(), most(&fabric) as usize, "{:?}", found);
    }

    #[test]
    fn the_sources_found_have_disjoint_trees_and_the_limit_holds(
        fabric in prop_oneof![any_custom(6, 2..=4), any_custom(16, 2..=5), any_fabric()],
    ) {
        let found = parallel_sources(&fabric);
        prop_assert!(found.sources.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(clash(&fabric, &found.sources, &found.trees), None);
        prop_assert!(holds(&fabric, &found), "{:?}", found);
        prop_assert!(trees_for(&fabric, &found.sources).is_ok());
    }
}

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

/// The largest number of candidates with disjoint relay sets, over all sets of candidates.
fn most_installed(tables: &RelayTables, candidates: &[TorId]) -> usize {
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
        let most = most_installed(&tables, &candidates);
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

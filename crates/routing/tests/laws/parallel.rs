//! The largest number of parallel sources, with planned or installed trees, equals that of brute force over
//! all sets of sources. The reason against one more holds.

use std::collections::BTreeSet;

use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::parallel::{
    Limit, ParallelSources, count_parallel_sources_over, parallel_sources, trees_for,
};
use lightloom_routing::{Balanced, RelayTables, Rotated};
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

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

/// Whether the ToRs that carry one stream bring it to every ToR with power: one of them is the source, and each
/// lights all its receivers with power. Nothing else is known of the fabric here.
fn is_stream(fabric: &Fabric, damage: &Damage<'_>, carriers: &[TorId]) -> bool {
    let wanted = |tor: &TorId| damage.has_power(*tor);
    let lights = |tor: TorId| fabric.receivers(fabric.transmits_into(tor)).iter().copied();
    carriers.iter().any(|&source| {
        // As in an undamaged fabric, a copy returns to the cassette that feeds the source.
        let mut lit = BTreeSet::new();
        let mut queue = vec![source];
        while let Some(at) = queue.pop() {
            for to in lights(at).filter(|&to| damage.arrives(at, to)) {
                if lit.insert(to) && to != source && carriers.contains(&to) {
                    queue.push(to);
                }
            }
        }
        fabric.tor_ids().filter(wanted).all(|tor| lit.contains(&tor))
    })
}

/// The most streams over a damaged fabric, over all ways to share the ToRs among them.
fn most_streams(fabric: &Fabric, damage: &Damage<'_>) -> usize {
    let whole = |tor: &TorId| {
        let mut lit = fabric.receivers(fabric.transmits_into(*tor)).iter();
        damage.sends(*tor) && lit.all(|&to| !damage.has_power(to) || damage.arrives(*tor, to))
    };
    let carriers: Vec<TorId> = fabric.tor_ids().filter(whole).collect();
    let possible = |streams: usize| {
        let ways = streams.pow(u32::try_from(carriers.len()).unwrap());
        (0..ways).any(|way| {
            let of = |at: usize| way / streams.pow(u32::try_from(at).unwrap()) % streams;
            (0..streams).all(|stream| {
                let own = (0..carriers.len()).filter(|&at| of(at) == stream);
                let own: Vec<TorId> = own.map(|at| carriers[at]).collect();
                is_stream(fabric, damage, &own)
            })
        })
    };
    (1..=carriers.len()).take_while(|&streams| possible(streams)).last().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn failures_leave_the_parallel_sources_of_brute_force(
        fabric in any_custom(4, 2..=2),
        draws in vec((0_u8..5, any::<Index>(), any::<Index>()), 1..5),
    ) {
        let tor = |index: &Index| TorId::at(index.index(fabric.tors()));
        let failure = |(kind, a, b): &(u8, Index, Index)| match kind {
            0 => Failure::Relay(tor(a)),
            1 | 2 => Failure::Tor(tor(a)),
            3 => Failure::Cassette(CassetteId::at(a.index(fabric.cassettes()))),
            _ => {
                let receivers = fabric.receivers(fabric.transmits_into(tor(a)));
                Failure::Branch { from: tor(a), to: receivers[b.index(receivers.len())] }
            }
        };
        let failures: Vec<Failure> = draws.iter().map(failure).collect();
        let damage = Damage::new(&fabric, &failures).unwrap();
        prop_assert_eq!(count_parallel_sources_over(&damage), most_streams(&fabric, &damage));
    }
}

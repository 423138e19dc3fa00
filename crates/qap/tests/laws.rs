//! Laws of layouts and of searches.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::num::NonZeroU32;
use std::sync::Arc;

use lightloom_qap::{Assignment, Costs, Effort, Flow, Layout, Moves, Search, search};
use lightloom_watch::Watch;
use proptest::prelude::*;

/// A problem with up to eight locations and as many facilities or fewer.
fn problem() -> impl Strategy<Value = (Assignment, Vec<i64>, Vec<i64>, Vec<Flow>)> {
    (2..=7_usize).prop_flat_map(|locations| {
        let costs = prop::collection::vec(0..50_i64, locations * locations);
        let taken = prop::collection::vec(0..20_i64, locations);
        let order = Just((0..u32::try_from(locations).unwrap()).collect::<Vec<_>>()).prop_shuffle();
        (1..=locations, costs, taken, order).prop_flat_map(|(facilities, costs, taken, order)| {
            let most = u32::try_from(facilities).unwrap();
            let flow = (0..most, 0..most, 1..4_u32).prop_map(|(from, to, weight)| Flow {
                from,
                to,
                weight,
            });
            prop::collection::vec(flow, 0..20).prop_map(move |flows| {
                let table = Arc::new(Costs::new(taken.len(), &costs).unwrap());
                let at = order[..facilities].to_vec();
                let layout = Assignment::new(table, taken.clone().into(), &flows, at);
                (layout, costs.clone(), taken.clone(), flows)
            })
        })
    })
}

/// The cost of facilities at locations, written out.
fn cost(at: &[u32], costs: &[i64], taken: &[i64], flows: &[Flow]) -> i64 {
    let pair = |flow: &Flow| {
        let (from, to) = (at[flow.from as usize] as usize, at[flow.to as usize] as usize);
        i64::from(flow.weight) * costs[from * taken.len() + to]
    };
    let places: i64 = at.iter().map(|&location| taken[location as usize]).sum();
    places + flows.iter().map(pair).sum::<i64>()
}

/// The least cost over all ways to put the facilities somewhere.
fn least(facilities: usize, costs: &[i64], taken: &[i64], flows: &[Flow]) -> i64 {
    fn go(at: &mut Vec<u32>, facilities: usize, of: &dyn Fn(&[u32]) -> i64, places: u32) -> i64 {
        if at.len() == facilities {
            return of(at);
        }
        let mut best = i64::MAX;
        for place in 0..places {
            if !at.contains(&place) {
                at.push(place);
                best = best.min(go(at, facilities, of, places));
                at.pop();
            }
        }
        best
    }
    let of = |at: &[u32]| cost(at, costs, taken, flows);
    go(&mut Vec::new(), facilities, &of, u32::try_from(taken.len()).unwrap())
}

fn effort(chains: u32, rounds: u32) -> Effort {
    let [chains, rounds] = [chains, rounds].map(|count| NonZeroU32::new(count).unwrap());
    Effort { chains, rounds }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_swap_changes_the_cost_by_its_delta(
        (mut layout, costs, taken, flows) in problem(),
        swaps in prop::collection::vec((0..7_u32, 0..7_u32), 1..20),
    ) {
        let mut known = layout.cost();
        for (one, other) in swaps {
            let places = u32::try_from(taken.len()).unwrap();
            let (one, other) = (one % places, other % places);
            if one == other {
                continue;
            }
            known += layout.delta(one, other);
            layout.swap(one, other);
            prop_assert_eq!(layout.cost(), known);
            prop_assert_eq!(cost(layout.locations(), &costs, &taken, &flows), known);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn small_problems_are_solved((layout, costs, taken, flows) in problem()) {
        let sets = vec![(0..u32::try_from(taken.len()).unwrap()).collect()];
        let moves = Moves { sets, blocks: vec![] };
        let asked = Search { effort: effort(4, 1), seed: 7, moves: &moves };
        let found = search(&layout, &asked, Watch::quiet());
        prop_assert_eq!(found.cost, least(layout.locations().len(), &costs, &taken, &flows));
        prop_assert_eq!(found.layout.cost(), found.cost);
        // The same again, and alone.
        let again = search(&layout, &asked, Watch::quiet());
        prop_assert_eq!(again.layout.locations(), found.layout.locations());
    }

    #[test]
    fn facilities_stay_within_their_sets((layout, ..) in problem(), cut in 1..7_usize) {
        let places: Vec<u32> = (0..u32::try_from(layout.locations().len()).unwrap()).collect();
        let all = layout.clone();
        let (one, other) = places.split_at(cut.min(places.len()));
        let sets = [one, other].into_iter().filter(|set| set.len() > 1).map(<[u32]>::to_vec);
        let moves = Moves { sets: sets.collect(), blocks: vec![] };
        let asked = Search { effort: effort(1, 1), seed: 3, moves: &moves };
        let found = search(&all, &asked, Watch::quiet());
        prop_assert!(found.cost <= all.cost());
        let set_of = |place: &u32| moves.sets.iter().position(|set| set.contains(place));
        for (before, after) in all.locations().iter().zip(found.layout.locations()) {
            prop_assert!(before == after || set_of(before).is_some_and(|set| Some(set) == set_of(after)));
        }
    }
}

#[test]
fn stopped_work_gives_what_is_there() {
    let costs = Arc::new(Costs::new(3, &[0, 1, 9, 1, 0, 1, 9, 1, 0]).unwrap());
    let flows = [Flow { from: 0, to: 1, weight: 1 }];
    let first = Assignment::new(costs, vec![0; 3].into(), &flows, vec![0, 2, 1]);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let moves = Moves { sets: vec![vec![0, 1, 2]], blocks: vec![] };
    let asked = Search { effort: effort(2, 1_000), seed: 3, moves: &moves };
    let found = search(&first, &asked, Watch::quiet().stopped_by(&stop));
    assert_eq!((found.cost, found.curve.len()), (9, 0));
    assert_eq!(found.layout.locations(), first.locations());
}

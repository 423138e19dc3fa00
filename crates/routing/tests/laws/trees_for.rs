//! Planned trees exist exactly if Edmonds's condition holds, and they are disjoint spanning trees. A refusal
//! names a set of cassettes that a recount confirms.

use lightloom_routing::parallel::{Forbidden, trees_for};
use lightloom_topology::family::kautz;
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::prelude::*;
use rand::seq::SliceRandom;

use crate::check::{Subsets, clash};
use crate::fabrics::{any_custom, seeded, shufflecast};

/// Distinct ToRs.
fn draw(fabric: &Fabric, count: usize, seed: u32) -> Vec<TorId> {
    let mut tors: Vec<TorId> = fabric.tor_ids().collect();
    tors.shuffle(&mut seeded(seed));
    tors.truncate(count);
    tors
}

/// Fabrics that are p-arc-connected.
fn any_full_fabric() -> impl Strategy<Value = Fabric> {
    prop_oneof![
        prop::sample::select(vec![(2, 3), (4, 2), (3, 3)]).prop_map(|(p, k)| shufflecast(p, k)),
        (2_u32..=6, 2_u32..40).prop_map(|(p, n)| kautz(p, p * n).unwrap()),
    ]
}

/// Recounts the sets by the ends of the ToRs alone: too few enter, and none is omitted.
fn proves_impossible(fabric: &Fabric, sources: &[TorId], proof: &Forbidden) -> bool {
    let inside = |c: CassetteId| proof.cassettes.contains(&c);
    let enters = |t: &TorId| {
        let from_outside = !inside(fabric.receives_from(*t)) && inside(fabric.transmits_into(*t));
        from_outside && !sources.contains(t)
    };
    let entering = fabric.tor_ids().filter(enters).count();
    let rooted = sources.iter().filter(|&&s| inside(fabric.transmits_into(s))).count();
    !proof.cassettes.is_empty()
        && proof.cassettes.is_sorted_by(|a, b| a < b)
        && (entering, rooted) == (proof.entering as usize, proof.rooted_inside as usize)
        && proof.needed as usize == sources.len()
        && entering + rooted < sources.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_p_sources_of_a_full_fabric_get_disjoint_trees(
        fabric in any_full_fabric(),
        seed in any::<u32>(),
    ) {
        let sources = draw(&fabric, fabric.fan_out() as usize, seed);
        let rows = trees_for(&fabric, &sources);
        prop_assert!(rows.is_ok(), "{:?}: {:?}", sources, rows);
        prop_assert_eq!(clash(&fabric, &sources, &rows.unwrap()), None);
    }

    #[test]
    fn no_p_plus_1_sources_of_a_full_fabric_do(fabric in any_full_fabric(), seed in any::<u32>()) {
        let sources = draw(&fabric, fabric.fan_out() as usize + 1, seed);
        let proof = trees_for(&fabric, &sources).unwrap_err();
        prop_assert!(proves_impossible(&fabric, &sources, &proof), "{:?}: {:?}", sources, proof);
    }

    #[test]
    fn any_sources_get_what_edmonds_allows(
        fabric in any_custom(8, 2..=3),
        count in 0_usize..=4,
        seed in any::<u32>(),
    ) {
        let sources = draw(&fabric, count, seed);
        let mask = sources.iter().map(|s| 1 << s.0).sum();
        let allowed = Subsets::of(&fabric).allow(mask);
        match trees_for(&fabric, &sources) {
            Ok(rows) => {
                prop_assert!(allowed, "{:?}", sources);
                prop_assert_eq!(clash(&fabric, &sources, &rows), None);
            }
            Err(proof) => {
                prop_assert!(!allowed, "{:?}: {:?}", sources, proof);
                prop_assert!(proves_impossible(&fabric, &sources, &proof), "{:?}", proof);
            }
        }
    }

    #[test]
    fn fewer_sources_are_never_harder(fabric in any_custom(8, 2..=4), seed in any::<u32>()) {
        let mut sources = draw(&fabric, 4, seed);
        let mut possible = false;
        while !sources.is_empty() {
            let now = trees_for(&fabric, &sources).is_ok();
            prop_assert!(now || !possible, "{:?}", sources);
            possible = now;
            sources.pop();
        }
        // A single source has a tree in any fabric.
        prop_assert!(possible);
    }
}

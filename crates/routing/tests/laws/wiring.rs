//! `LightMap::check` accepts the fibres of every fabric and refuses errors that no rule can correct.

use lightloom_routing::verify::{LightMap, Violation};
use lightloom_topology::TorId;
use proptest::prelude::*;

use crate::check::{fibres, wiring};
use crate::fabrics::{any_busy_fabric, any_fabric};

fn tors(fibres: &[(u32, u32)]) -> impl Iterator<Item = (TorId, TorId)> {
    fibres.iter().map(|&(a, b)| (TorId(a), TorId(b)))
}

/// The fibres of cassettes given as (transmitters, receivers).
fn cassettes(list: &[(&[u32], &[u32])]) -> Vec<(u32, u32)> {
    let all = list.iter().flat_map(|(from, to)| from.iter().map(move |&a| (a, *to)));
    all.flat_map(|(a, to)| to.iter().map(move |&b| (a, b))).collect()
}

proptest! {
    #[test]
    fn every_fabric_has_sound_wires(fabric in any_fabric()) {
        let all = fibres(&fabric);
        prop_assert_eq!(all.len() as u64, fabric.branch_fibres());
        let wires = LightMap::new(fabric.tors(), all);
        prop_assert_eq!(wires.tors(), fabric.tors());
        prop_assert_eq!(&wires, &wiring(&fabric));
        prop_assert_eq!(wires.check(fabric.fan_out()), Ok(()));
    }

    #[test]
    fn the_order_of_fibres_does_not_matter_to_the_check(
        (fabric, order) in any_fabric().prop_flat_map(|fabric| {
            let order = fibres(&fabric);
            (Just(fabric), Just(order).prop_shuffle())
        }),
    ) {
        prop_assert_eq!(LightMap::new(fabric.tors(), order).check(fabric.fan_out()), Ok(()));
    }

    #[test]
    fn a_smaller_splitter_does_not_do(fabric in any_fabric()) {
        let widest = fabric.cassette_ids().map(|c| fabric.receivers(c).len()).max().unwrap();
        let fan_out = u32::try_from(widest).unwrap() - 1;
        let fault = wiring(&fabric).check(fan_out).unwrap_err();
        let full = |tor: TorId| fabric.receivers(fabric.transmits_into(tor)).len() == widest;
        let Violation::Splitter { tor, outputs, fan_out: found } = fault else { panic!("{fault}") };
        prop_assert!(full(tor));
        prop_assert_eq!((outputs, found), (widest, fan_out));
    }

    #[test]
    fn two_swapped_fibres_of_different_cassettes_mix_them(
        fabric in any_busy_fabric(),
        picks in any::<[prop::sample::Index; 2]>(),
    ) {
        let mut all = fibres(&fabric);
        let [i, j] = picks.map(|pick| pick.index(all.len()));
        let (a, b) = (all[i], all[j]);
        let cassette = |f: (TorId, TorId)| fabric.transmits_into(f.0);
        prop_assume!(cassette(a) != cassette(b));
        (all[i].1, all[j].1) = (b.1, a.1);
        let wires = LightMap::new(fabric.tors(), all.iter().copied());
        let fault = wires.check(fabric.fan_out()).unwrap_err();
        let Violation::MixedCassette { a, b, shared } = fault else { panic!("{fault}") };
        // Its message is correct.
        let lit = |t| all.iter().filter(|f| f.0 == t).map(|f| f.1).collect::<Vec<_>>();
        prop_assert!(lit(a).contains(&shared) && lit(b).contains(&shared));
        prop_assert!(lit(a).iter().any(|t| !lit(b).contains(t)) || lit(b).iter().any(|t| !lit(a).contains(t)));
    }

    #[test]
    fn two_swapped_fibres_of_one_cassette_light_a_receiver_twice(
        fabric in any_busy_fabric(),
        picks in any::<[prop::sample::Index; 2]>(),
    ) {
        let mut all = fibres(&fabric);
        let i = picks[0].index(all.len());
        let other = |f: &(TorId, TorId)| {
            fabric.transmits_into(f.0) == fabric.transmits_into(all[i].0)
                && f.0 != all[i].0
                && f.1 != all[i].1
        };
        let others: Vec<usize> = (0..all.len()).filter(|&j| other(&all[j])).collect();
        let j = *picks[1].get(&others);
        (all[i].1, all[j].1) = (all[j].1, all[i].1);
        let wires = LightMap::new(fabric.tors(), all.iter().copied());
        let fault = wires.check(fabric.fan_out()).unwrap_err();
        let Violation::Splitter { tor, .. } = fault else { panic!("{fault}") };
        prop_assert!(tor == all[i].0 || tor == all[j].0);
    }
}

#[test]
fn splitters_that_share_some_receivers_but_not_all_are_mixed() {
    let mixed =
        LightMap::new(4, tors(&cassettes(&[(&[0], &[1, 2]), (&[1], &[2, 3]), (&[2, 3], &[0])])));
    let (a, b, shared) = (TorId(0), TorId(1), TorId(2));
    assert_eq!(mixed.check(2), Err(Violation::MixedCassette { a, b, shared }));
}

#[test]
fn islands_dead_ends_and_dark_sources_are_unreachable() {
    // Two islands of two ToRs each.
    let islands = LightMap::new(4, tors(&cassettes(&[(&[0, 1], &[0, 1]), (&[2, 3], &[2, 3])])));
    let (from, to) = (TorId(0), TorId(2));
    assert_eq!(islands.check(2), Err(Violation::Unreachable { from, to }));
    // Light from 2 and 3 reaches all ToRs, but no light reaches them.
    let dark = LightMap::new(4, tors(&cassettes(&[(&[0, 1, 2, 3], &[0, 1])])));
    assert_eq!(dark.check(2), Err(Violation::Unreachable { from, to }));
    // Light reaches 2 and 3, but they send none.
    let silent = LightMap::new(4, tors(&cassettes(&[(&[0, 1], &[0, 1, 2, 3])])));
    assert_eq!(silent.check(4), Err(Violation::Unreachable { from: TorId(2), to: TorId(0) }));
}

#[test]
fn a_receiver_lit_twice_by_one_splitter_is_a_fault_even_with_outputs_to_spare() {
    let twice = LightMap::new(2, tors(&[(0, 0), (0, 1), (0, 1), (1, 0), (1, 1)]));
    let fault = Violation::Splitter { tor: TorId(0), outputs: 3, fan_out: 8 };
    assert_eq!(twice.check(8), Err(fault));
}

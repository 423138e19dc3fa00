//! For any numbers, a constructor makes a legal fabric or names the error. It never panics.

use lightloom_topology::fabric::{MAX_FAN_OUT, MAX_TORS};
use lightloom_topology::family::{CustomError, Shufflecast, custom, kautz};
use lightloom_topology::{CassetteId, Fabric, FabricError, TorId};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::any_edges;

fn edges(list: &[(u32, u32)]) -> Vec<(CassetteId, CassetteId)> {
    list.iter().map(|&(a, b)| (CassetteId(a), CassetteId(b))).collect()
}

fn entries(list: &[(u32, u32, u32)]) -> Vec<(TorId, CassetteId, CassetteId)> {
    list.iter().map(|&(t, a, b)| (TorId(t), CassetteId(a), CassetteId(b))).collect()
}

/// shufflecast:II-C.giant
#[test]
fn splitters_have_two_to_1024_outputs_in_every_family() {
    for p in [0, 1, 1025, 4096, u32::MAX] {
        let refused = FabricError::FanOut(p);
        assert_eq!(Fabric::new(p, 1, &edges(&[(0, 0), (0, 0)])).unwrap_err(), refused);
        assert_eq!(kautz(p, 64).unwrap_err(), refused);
        assert_eq!(Shufflecast::new(p, 2).unwrap_err(), refused);
        let custom = custom(p, &entries(&[(0, 0, 0), (1, 0, 0)]));
        assert_eq!(custom.unwrap_err(), CustomError::Fabric(refused));
    }
    for p in [2, MAX_FAN_OUT] {
        assert!(kautz(p, 64).is_ok());
        assert_eq!(Shufflecast::new(p, 1).unwrap().tors(), p);
    }
}

#[test]
fn shufflecasts_have_a_column_and_fit() {
    assert_eq!(Shufflecast::new(2, 0).unwrap_err(), FabricError::Columns(0));
    for (p, k) in
        [(1000, 1000), (2, 31), (2, 32), (2, 33), (1024, 3), (2, u32::MAX), (1024, u32::MAX)]
    {
        assert_eq!(Shufflecast::new(p, k).unwrap_err(), FabricError::Overflow { p, k });
        assert_eq!(Shufflecast::with_tors(p, MAX_TORS + 1), None);
    }
    // The largest k for p = 2: 17 × 2^17 = 2,228,224, while 18 × 2^18 = 4,718,592 is above 2^22.
    assert_eq!(Shufflecast::new(2, 17).unwrap().tors(), 2_228_224);
    assert_eq!(Shufflecast::new(2, 18).unwrap_err(), FabricError::Overflow { p: 2, k: 18 });
}

#[test]
fn a_fabric_has_two_tors_to_the_limit() {
    for tors in [0, 1, MAX_TORS + 1, u32::MAX] {
        assert_eq!(kautz(4, tors).unwrap_err(), FabricError::Tors(tors.into()));
    }
    for (tors, list) in [(0, &[][..]), (1, &[(0, 0)])] {
        assert_eq!(Fabric::new(2, 1, &edges(list)).unwrap_err(), FabricError::Tors(tors));
    }
    assert_eq!(custom(2, &[]).unwrap_err(), CustomError::Fabric(FabricError::Tors(0)));
    assert_eq!(kautz(4, 2).unwrap().tors(), 2);
    assert_eq!(kautz(4, MAX_TORS).unwrap().tors(), MAX_TORS as usize);
}

#[test]
fn a_cassette_has_no_seat_for_one_tor_too_many() {
    for p in 2..=9_u32 {
        // p ToRs in both directions between two cassettes, and one more into the first.
        let mut list: Vec<(u32, u32)> = (0..p).flat_map(|_| [(0, 1), (1, 0)]).collect();
        assert!(Fabric::new(p, 2, &edges(&list)).is_ok());
        let tor = TorId::at(list.len());
        list.push((0, 0));
        let (cassette, fan_out) = (CassetteId(0), p);
        assert!(matches!(
            Fabric::new(p, 2, &edges(&list)).unwrap_err(),
            FabricError::TooManyTransmitters { tor: t, cassette: c, fan_out: f }
                | FabricError::TooManyReceivers { tor: t, cassette: c, fan_out: f }
                if (t, c, f) == (tor, cassette, fan_out)
        ));
    }
    // Only one side is too full: three ToRs into cassette 0, and three out of cassette 1.
    let full = edges(&[(0, 1), (1, 0), (1, 0), (2, 0), (0, 2)]);
    let error = Fabric::new(2, 3, &full).unwrap_err();
    let (tor, cassette, fan_out) = (TorId(3), CassetteId(0), 2);
    assert_eq!(error, FabricError::TooManyTransmitters { tor, cassette, fan_out });
    let reversed: Vec<_> = full.iter().map(|&(a, b)| (b, a)).collect();
    let error = Fabric::new(2, 3, &reversed).unwrap_err();
    assert_eq!(error, FabricError::TooManyReceivers { tor, cassette, fan_out });
}

#[test]
fn custom_lists_name_each_tor_once_without_gaps() {
    let twice = entries(&[(0, 0, 1), (1, 1, 0), (0, 1, 0)]);
    assert_eq!(custom(2, &twice).unwrap_err(), CustomError::Twice { entry: 2, tor: TorId(0) });
    for far in [3, 7, u32::MAX] {
        let gap = entries(&[(0, 0, 1), (far, 1, 0), (1, 1, 0)]);
        let expected = CustomError::Gap { entry: 1, tor: TorId(far), tors: 3 };
        assert_eq!(custom(2, &gap).unwrap_err(), expected);
    }
}

#[test]
fn edges_name_cassettes_that_exist() {
    for far in [2, 1 << 31, u32::MAX, u32::MAX] {
        for edge in [(0, far), (far, 0)] {
            let expected =
                FabricError::NoSuchCassette { tor: TorId(1), cassette: CassetteId(far), last: 1 };
            let error = Fabric::new(2, 2, &edges(&[(0, 1), edge, (1, 0)])).unwrap_err();
            assert_eq!(error, expected);
        }
    }
}

/// Cassettes that light from `start` reaches. It passes over the whole list until nothing changes.
fn reached(list: &[(u32, u32)], start: u32) -> Vec<u32> {
    let mut reached = vec![start];
    while let Some(e) = list.iter().find(|e| reached.contains(&e.0) && !reached.contains(&e.1)) {
        reached.push(e.1);
    }
    reached
}

proptest! {
    #[test]
    fn a_list_is_a_fabric_exactly_if_seats_suffice_and_all_is_connected(
        n in 1_u32..6,
        p in 2_u32..4,
        wild in vec((0_u32..6, 0_u32..6), 2..14),
    ) {
        let list: Vec<_> = wild.iter().map(|&(a, b)| (a % n, b % n)).collect();
        let most = |end: fn(&(u32, u32)) -> u32| {
            (0..n).map(|c| list.iter().filter(|e| end(e) == c).count()).max().unwrap()
        };
        let seats = most(|e| e.0).max(most(|e| e.1)) <= p as usize;
        let connected = (0..n).all(|c| reached(&list, c).len() == n as usize);
        match Fabric::new(p, n, &edges(&list)) {
            Ok(_) => prop_assert!(seats && connected),
            Err(FabricError::Disconnected { from, to }) => {
                prop_assert!(seats && !reached(&list, from.0).contains(&to.0));
            }
            Err(FabricError::TooManyTransmitters { tor, cassette, fan_out }) => {
                let before = list[..tor.index()].iter().filter(|e| e.1 == cassette.0).count();
                prop_assert_eq!((before, fan_out), (p as usize, p));
                prop_assert_eq!(list[tor.index()].1, cassette.0);
            }
            Err(FabricError::TooManyReceivers { tor, cassette, fan_out }) => {
                let before = list[..tor.index()].iter().filter(|e| e.0 == cassette.0).count();
                prop_assert_eq!((before, fan_out), (p as usize, p));
                prop_assert_eq!(list[tor.index()].0, cassette.0);
            }
            Err(FabricError::TooManyCassettes { cassettes, tors }) => {
                prop_assert_eq!((cassettes, tors), (n, list.len()));
                prop_assert!(tors < n as usize && !connected);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn any_numbers_give_a_shufflecast_or_an_error(p in any::<u32>(), k in any::<u32>()) {
        for (p, k) in [(p, k), (p % 2000, k % 40), (p % 8, k % 20)] {
            let size = u128::from(p).checked_pow(k).and_then(|n| n.checked_mul(k.into()));
            let legal = (2..=1024).contains(&p) && k > 0 && size.is_some_and(|n| n <= 1 << 22);
            let shape = Shufflecast::new(p, k);
            prop_assert_eq!(shape.is_ok(), legal, "p = {}, k = {}", p, k);
            prop_assert!(shape.is_err() || shape.map(|s| u128::from(s.tors())).ok() == size);
        }
    }

    #[test]
    fn any_numbers_give_a_custom_fabric_or_an_error(
        p in prop_oneof![any::<u32>(), 2_u32..5],
        list in vec((any_id(), any_id(), any_id()), 0..12),
    ) {
        match custom(p, &entries(&list)) {
            Ok(fabric) => prop_assert_eq!(fabric.tors(), list.len()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn one_wild_cassette_spoils_any_custom_fabric(
        edges in any_edges(6, 2..=3),
        at in any::<proptest::sample::Index>(),
        wild in prop_oneof![Just(u32::MAX), 1000..u32::MAX],
    ) {
        let tors = (0..).zip(&edges.list);
        let mut list: Vec<_> = tors.map(|(t, &(a, b))| (t, a, b)).collect();
        let spoiled = at.index(list.len());
        list[spoiled].2 = wild;
        let error = custom(edges.fan_out, &entries(&list)).unwrap_err();
        let tor = TorId::at(spoiled);
        prop_assert!(matches!(
            error,
            CustomError::Fabric(FabricError::NoSuchCassette { tor: t, cassette, .. })
                if (t, cassette) == (tor, CassetteId(wild))
        ), "{}", error);
    }
}

proptest! {
    // A fabric of the kautz family with millions of ToRs takes a second to make.
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_numbers_give_a_kautz_fabric_or_an_error(
        p in prop_oneof![any::<u32>(), 0_u32..1030],
        tors in prop_oneof![any::<u32>(), 0_u32..20_000],
    ) {
        match kautz(p, tors) {
            Ok(fabric) => prop_assert_eq!(fabric.tors(), tors as usize),
            Err(FabricError::FanOut(found)) => prop_assert!(found == p && !(2..=1024).contains(&p)),
            Err(FabricError::Tors(found)) => {
                prop_assert!(found == tors.into() && !(2..=MAX_TORS).contains(&tors));
            }
            Err(error) => prop_assert!(false, "p = {}, {} ToRs: {}", p, tors, error),
        }
    }
}

/// Small ids, which are often valid together, and any other ids.
fn any_id() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0_u32..4, 1 => any::<u32>(), 1 => Just(u32::MAX)]
}

#[test]
fn the_last_cassette_id_is_refused_and_named() {
    let list = entries(&[(0, 0, u32::MAX), (1, 0, 0)]);
    let (tor, cassette) = (TorId(0), CassetteId(u32::MAX));
    assert!(matches!(
        custom(2, &list).unwrap_err(),
        CustomError::Fabric(FabricError::NoSuchCassette { tor: t, cassette: c, .. })
            if (t, c) == (tor, cassette)
    ));
}

#[test]
fn more_cassettes_than_tors_are_refused_before_anything_is_sized() {
    for cassettes in [3, 1 << 30, u32::MAX] {
        let refused = Fabric::new(2, cassettes, &edges(&[(0, 1), (1, 0)])).unwrap_err();
        assert_eq!(refused, FabricError::TooManyCassettes { cassettes, tors: 2 });
    }
}

//! Growth by pinching, and its inverse: what moves, what stays, and how many sources run in parallel.

use std::collections::BTreeSet;
use std::sync::Arc;

use lightloom_routing::growth::{
    Change, GrowthError, Keeps, ShrinkError, SplittersStay, Stage, StageKind, TooShort, Wish,
    fed_by, grow, last_tors, shrink, stages,
};
use lightloom_routing::parallel::count_parallel_sources_among;
use lightloom_routing::{Balanced, RelayTables};
use lightloom_topology::family::kautz;
use lightloom_topology::{Fabric, TorId};
use lightloom_units::Span;
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::fabrics::shufflecast;

fn tables(fabric: &Fabric) -> Arc<RelayTables> {
    Arc::new(Balanced::new(fabric).into_tables())
}

fn wish(tors: usize) -> Wish {
    Wish { tors, ..Wish::default() }
}

fn staged(before: &Fabric, after: &Fabric, moved: &[TorId]) -> Vec<Stage> {
    let tors: Vec<TorId> = before.tor_ids().collect();
    let change = Change {
        kind: StageKind::Grow,
        before,
        tables: tables(before),
        after,
        new_tables: tables(after),
        tors: &tors,
        moved,
        hop_delay: Span::from_us(1),
    };
    stages(&change, Watch::quiet()).unwrap()
}

fn either() -> impl Strategy<Value = SplittersStay> {
    prop_oneof![Just(SplittersStay::WithCassette), Just(SplittersStay::WithTor)]
}

/// What growth promises of every fabric whose splitters stay with their cassettes.
fn assert_grown(before: &Fabric, after: &Fabric, moved: &[TorId]) {
    let is_moved = |tor: TorId| moved.binary_search(&tor).is_ok();
    for tor in before.tor_ids() {
        assert_eq!(before.receives_from(tor), after.receives_from(tor), "a receive cord moves");
        let (old, new) = (before.seat(tor), after.seat(tor));
        assert_eq!((old.branch, old.number), (new.branch, new.number));
        if is_moved(tor) {
            assert!(after.transmits_into(tor).index() >= before.cassettes());
        } else {
            assert_eq!(before.transmits_into(tor), after.transmits_into(tor));
            assert_eq!(old, new, "the labels of a cord that stays change");
        }
    }
    // A splitter that stays is where it was: the receive cords behind it are what they were.
    let place = |fabric: &Fabric, tor| {
        (fabric.splitter_number(tor), (fabric.transmits_into(tor), fabric.receive_port(tor)))
    };
    for tor in after.tor_ids().filter(|&tor| after.transmits_into(tor).index() < before.cassettes())
    {
        let (number, seat) = place(after, tor);
        let old = before.tor_ids().map(|tor| place(before, tor)).find(|(old, _)| *old == number);
        assert!(old.is_none_or(|(_, old)| old == seat), "splitter {number} moves");
    }
    assert!(
        after.cassettes()
            == before.cassettes().max(after.tors().div_ceil(after.fan_out() as usize))
    );
}

#[test]
fn thirty_two_tors_grow_to_192_with_few_moves() {
    let before = shufflecast(4, 2);
    let grown = grow(&before, &wish(192)).unwrap();
    assert_grown(&before, &grown.fabric, &grown.moved);
    assert!(grown.moved.len() <= 16, "{} cords move", grown.moved.len());
    assert_eq!(grown.parallel_sources, 4);
    let hops = tables(&grown.fabric).hops(&grown.fabric).unwrap();
    // The reference computation: mean 3.64, worst 6.
    assert!(hops.max <= 6 && hops.mean(192) <= 3.64, "{} {}", hops.max, hops.mean(192));
    for stage in staged(&before, &grown.fabric, &grown.moved) {
        assert!(
            stage.parallel_before >= 3 && stage.parallel_during >= 3 && stage.parallel_after >= 3
        );
    }
}

#[test]
fn splitters_that_stay_with_their_tors_keep_their_numbers() {
    let before = shufflecast(4, 2);
    let with = |splitters_stay| grow(&before, &Wish { splitters_stay, ..wish(192) }).unwrap();
    let (cassette, tor) = (with(SplittersStay::WithCassette), with(SplittersStay::WithTor));
    assert_eq!(cassette.moved, tor.moved);
    let [cassette, tor] = [cassette.fabric, tor.fabric];
    for id in tor.tor_ids() {
        assert_eq!(tor.splitter_number(id), id.0);
        let place = |fabric: &Fabric| (fabric.transmits_into(id), fabric.receive_port(id));
        assert_eq!(place(&cassette), place(&tor));
    }
}

#[test]
fn cords_that_are_long_enough_are_preferred_at_no_cost() {
    let before = shufflecast(4, 2);
    let plain = grow(&before, &wish(192)).unwrap();
    let new = fed_by(&before, 192).unwrap().iter().map(|c| c.index() + 1).max().unwrap() - 8;
    // Only these cords are long enough, and only for the last eight cassettes.
    for long in [TorId(0)..TorId(32), TorId(8)..TorId(32), TorId(0)..TorId(4)] {
        let long: BTreeSet<TorId> = (long.start.0..long.end.0).map(TorId).collect();
        let row = |tor: TorId| -> Vec<u32> {
            (0..new).map(|c| u32::from(!(long.contains(&tor) && c + 8 >= new))).collect()
        };
        let too_short: TooShort = before.tor_ids().map(row).collect();
        let short = |of: &[TorId], fabric: &Fabric| -> u32 {
            let at = |&tor: &TorId| too_short[tor.index()][fabric.transmits_into(tor).index() - 8];
            of.iter().map(at).sum()
        };
        let grown = grow(&before, &Wish { too_short: too_short.clone(), ..wish(192) }).unwrap();
        assert_grown(&before, &grown.fabric, &grown.moved);
        assert!(grown.moved.len() <= plain.moved.len());
        assert_eq!(grown.parallel_sources, plain.parallel_sources);
        let hops = |fabric: &Fabric| tables(fabric).hops(fabric).unwrap();
        let (is, was) = (hops(&grown.fabric), hops(&plain.fabric));
        assert!(is.max <= was.max && is.mean(192) <= was.mean(192), "{is:?} {was:?}");
        assert!(short(&grown.moved, &grown.fabric) <= short(&plain.moved, &plain.fabric));
        if long.len() == 32 {
            assert_eq!(short(&grown.moved, &grown.fabric), 0);
        }
    }
}

#[test]
fn the_same_wish_gives_the_same_fabric() {
    let before = kautz(3, 20).unwrap();
    let [a, b] = [0; 2].map(|_| grow(&before, &wish(47)).unwrap());
    assert_eq!(a.moved, b.moved);
    let edges = |fabric: &Fabric| -> Vec<_> {
        fabric.tor_ids().map(|tor| (fabric.transmits_into(tor), fabric.seat(tor))).collect()
    };
    assert_eq!(edges(&a.fabric), edges(&b.fabric));
}

#[test]
fn one_more_tor_keeps_all_but_one_parallel_source() {
    let before = shufflecast(4, 2);
    let grown = grow(&before, &wish(33)).unwrap();
    assert_grown(&before, &grown.fabric, &grown.moved);
    assert_eq!(grown.parallel_sources, 3);
}

#[test]
fn two_outputs_leave_a_way_while_cords_move() {
    // One parallel source afterwards: it must also be left while cords move.
    let middle = grow(&kautz(2, 12).unwrap(), &wish(20)).unwrap().fabric;
    let grown = grow(&middle, &wish(33)).unwrap();
    let stages = staged(&middle, &grown.fabric, &grown.moved);
    assert!(stages.iter().all(|stage| stage.parallel_during >= 1), "{stages:?}");
}

#[test]
fn pinned_tors_do_not_move_and_too_many_pins_are_refused() {
    let before = shufflecast(4, 2);
    let pinned: BTreeSet<TorId> = (0..16).map(TorId).collect();
    let grown = grow(&before, &Wish { pinned: pinned.clone(), ..wish(64) }).unwrap();
    assert!(grown.moved.iter().all(|tor| !pinned.contains(tor)));
    let all: BTreeSet<TorId> = before.tor_ids().collect();
    let refused = grow(&before, &Wish { pinned: all, ..wish(64) }).unwrap_err();
    assert!(matches!(refused, GrowthError::TooFewMoves { needed: 4, free: 0 }), "{refused}");
    assert!(matches!(grow(&before, &wish(32)), Err(GrowthError::NotMore { .. })));
}

#[test]
fn a_fabric_that_shrinks_back_is_connected_as_before() {
    let before = shufflecast(4, 2);
    let grown = grow(&before, &wish(192)).unwrap().fabric;
    let back = shrink(&grown, &last_tors(&grown, 32), Keeps::default()).unwrap();
    assert_eq!((back.fabric.tors(), back.fabric.cassettes(), back.parallel_sources), (32, 8, 4));
    for tor in before.tor_ids() {
        assert_eq!(before.seat(tor).branch, back.fabric.seat(tor).branch);
    }
    let few = shrink(&before, &last_tors(&before, 15), Keeps::default()).unwrap_err();
    assert!(matches!(few, ShrinkError::TooFew { cassettes: 4, .. }), "{few}");
}

/// The cords that light needs when ToRs leave: those into cassettes that feed nobody any more, and one for each
/// cassette that would be dark.
fn fewest_moves(before: &Fabric, leaving: &BTreeSet<TorId>) -> usize {
    let left = |tors: &[TorId]| tors.iter().filter(|tor| !leaving.contains(tor)).count();
    let homeless = before.cassette_ids().filter(|&c| left(before.receivers(c)) == 0);
    let homeless: usize = homeless.map(|c| left(before.transmitters(c))).sum();
    let feeding = before.cassette_ids().filter(|&c| left(before.receivers(c)) > 0);
    let dark = feeding.filter(|&c| left(before.transmitters(c)) == 0).count();
    homeless.max(dark)
}

fn any_growth() -> impl Strategy<Value = (Fabric, usize, BTreeSet<TorId>)> {
    (2_u32..=4, 1_u32..4, 0_u32..4).prop_flat_map(|(p, more, missing)| {
        let tors = p * (p + 1 + more) - missing.min(p - 1);
        let pins = proptest::collection::btree_set((0..tors).prop_map(TorId), 0..3);
        (Just(kautz(p, tors).unwrap()), 1_usize..60, pins)
            .prop_map(move |(fabric, added, pins)| (fabric, tors as usize + added, pins))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_growth_keeps_what_is_there((before, tors, pinned) in any_growth()) {
        let Ok(grown) = grow(&before, &Wish { pinned: pinned.clone(), ..wish(tors) }) else {
            // So few ToRs that pins leave no choice.
            prop_assume!(false);
            return Ok(());
        };
        prop_assert_eq!(grown.fabric.tors(), tors);
        assert_grown(&before, &grown.fabric, &grown.moved);
        prop_assert!(grown.moved.iter().all(|tor| !pinned.contains(tor)));
        let found = count_parallel_sources_among(&grown.fabric, |_| true);
        prop_assert_eq!(found, grown.parallel_sources);
        if tors.is_multiple_of(before.fan_out() as usize) && grown.fabric.cassettes() > before.cassettes() {
            prop_assert_eq!(found, before.fan_out() as usize);
        }
        let tors: Vec<TorId> = before.tor_ids().collect();
        let change = Change {
            kind: StageKind::Grow,
            before: &before,
            tables: tables(&before),
            after: &grown.fabric,
            new_tables: tables(&grown.fabric),
            tors: &tors,
            moved: &grown.moved,
            hop_delay: Span::from_us(1),
        };
        if let Ok(stages) = stages(&change, Watch::quiet()) {
            let moves: Vec<TorId> = stages.iter().flat_map(|stage| stage.moves.clone()).collect();
            let once: BTreeSet<TorId> = moves.iter().copied().collect();
            prop_assert_eq!(moves.len(), once.len(), "a ToR moves twice");
            prop_assert_eq!(once.into_iter().collect::<Vec<_>>(), grown.moved);
        }
    }

    #[test]
    fn every_shrinking_keeps_what_stays(
        (before, tors, _) in any_growth(),
        leaving in proptest::collection::btree_set(0_u32..40, 1..6),
        splitters_stay in either(),
        transmit_ports_lit in any::<bool>(),
    ) {
        let wish = Wish { splitters_stay, ..wish(tors) };
        let grown = grow(&before, &wish).unwrap().fabric;
        let leaving: BTreeSet<TorId> =
            leaving.into_iter().map(|tor| TorId(tor % u32::try_from(tors).unwrap())).collect();
        let keeps = Keeps { splitters: splitters_stay, transmit_ports_lit };
        let Ok(shrunk) = shrink(&grown, &leaving, keeps) else { return Ok(()) };
        let after = &shrunk.fabric;
        prop_assert_eq!(after.tors(), tors - leaving.len());
        let mut moved = Vec::new();
        for (new, &old) in shrunk.tors.iter().enumerate() {
            let new = TorId::at(new);
            prop_assert!(!leaving.contains(&old));
            prop_assert_eq!(shrunk.cassettes[after.receives_from(new).index()], grown.receives_from(old));
            let (is, was) = (after.seat(new), grown.seat(old));
            prop_assert_eq!((is.branch, is.number), (was.branch, was.number));
            let head = shrunk.cassettes[after.transmits_into(new).index()];
            if splitters_stay == SplittersStay::WithTor {
                prop_assert_eq!(is.splitter, was.splitter);
            }
            if (head, is.slot) == (grown.transmits_into(old), was.slot) {
                prop_assert_eq!(is.splitter, was.splitter);
            } else {
                moved.push(old);
            }
        }
        moved.sort_unstable();
        prop_assert_eq!(&moved, &shrunk.moved);
        let needed = fewest_moves(&grown, &leaving);
        if transmit_ports_lit {
            prop_assert!(after.tor_ids().all(|tor| after.heard_at_transmit_port(tor).is_some()));
            let first = leaving.iter().filter(|&&tor| grown.receive_port(tor) == 0).count();
            prop_assert!((needed..=needed + first).contains(&moved.len()));
        } else {
            prop_assert_eq!(moved.len(), needed);
        }
    }
}

//! Exact recovery of failed relays: every set of up to three on 4,2, and one on every shape, with the fewest
//! hops or the fewest changes (compared with brute force). The moved sources are spread evenly.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_routing::failure::{Damage, Failure, NoSuchPart};
use lightloom_routing::parallel::parallel_sources_among;
use lightloom_routing::recovery::{Objective, Repair, replan};
use lightloom_routing::{Balanced, RelayTables};
use lightloom_topology::family::Shufflecast;
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::algorithm2::{installed, shapes};
use crate::check::clash;
use crate::damaged::Damaged;
use crate::fabrics::{any_custom, any_fabric, shufflecast};

pub const BOTH: [Objective; 2] = [Objective::FewestChanges, Objective::FewestHops];

fn relays(failed: &[TorId]) -> Vec<Failure> {
    failed.iter().map(|&t| Failure::Relay(t)).collect()
}

/// Whether exactly the sources that use a failed relay are repaired, and each correctly.
fn check_relays(fabric: &Fabric, tables: &RelayTables, failed: &[TorId]) {
    let broken = relays(failed);
    let damage = Damage::new(fabric, &broken).unwrap();
    let left = Damaged::new(fabric, &broken);
    let uses = |s: &TorId| tables.row(*s).iter().any(|t| failed.contains(t));
    let touched: Vec<TorId> = fabric.tor_ids().filter(uses).collect();
    for objective in BOTH {
        let repairs = replan(&damage, tables, objective);
        assert!(repairs.iter().map(|r| r.source).eq(touched.iter().copied()), "{failed:?}");
        for repair in &repairs {
            left.check(repair).unwrap();
        }
    }
}

#[test]
fn every_set_of_up_to_three_relays_of_4_2_is_recovered() {
    let shape = Shufflecast::new(4, 2).unwrap();
    let fabric = shufflecast(4, 2);
    let tables = installed(shape, &fabric);
    for a in 0..32 {
        check_relays(&fabric, &tables, &[TorId(a)]);
        for b in a + 1..32 {
            check_relays(&fabric, &tables, &[TorId(a), TorId(b)]);
            for c in b + 1..32 {
                check_relays(&fabric, &tables, &[TorId(a), TorId(b), TorId(c)]);
            }
        }
    }
}

#[test]
fn one_relay_costs_one_hop_more_at_most() {
    for shape in shapes(1).into_iter().filter(|s| s.tors() <= 192) {
        let fabric = shape.fabric().unwrap();
        let tables = installed(shape, &fabric);
        for failed in fabric.tor_ids() {
            let damage = Damage::new(&fabric, &[Failure::Splitter(failed)]).unwrap();
            for repair in replan(&damage, &tables, Objective::FewestHops) {
                assert!(repair.max_hops <= 2 * shape.k(), "{repair:?}");
            }
        }
    }
}

/// For each relay that takes over into a cassette, the number of the failed relay's sources that it gets.
fn moved(fabric: &Fabric, failed: TorId, repairs: &[Repair]) -> BTreeMap<TorId, usize> {
    let into = fabric.transmits_into(failed);
    let mirrors = fabric.transmitters(into).iter().filter(|&&t| t != failed);
    let count = |t: &TorId| repairs.iter().filter(|r| r.relays.contains(t)).count();
    mirrors.map(|t| (*t, count(t))).collect()
}

/// The failed relay, and the sources of shufflecast:alg2:9-13, whose way to some mirror leads through it:
/// its row rotated right by i digits, i columns before.
fn without_choice(shape: Shufflecast, failed: TorId) -> BTreeSet<TorId> {
    let rotated = |i: u32| {
        let mut digits = shape.digits(failed);
        digits.rotate_right(i as usize);
        let row = digits.iter().fold(0, |row, digit| row * shape.p() + digit);
        shape.tor((shape.column(failed) + shape.k() - i) % shape.k(), row)
    };
    (0..shape.k()).map(rotated).collect()
}

#[test]
fn the_mirrors_share_what_a_failed_relay_leaves() {
    for (p, k) in [(3, 1), (3, 2), (4, 2), (5, 2), (7, 2), (3, 3), (4, 3), (3, 4)] {
        let shape = Shufflecast::new(p, k).unwrap();
        let fabric = shape.fabric().unwrap();
        let tables = installed(shape, &fabric);
        for failed in fabric.tor_ids() {
            let damage = Damage::new(&fabric, &[Failure::Relay(failed)]).unwrap();
            let repairs = replan(&damage, &tables, Objective::FewestChanges);
            let moved = moved(&fabric, failed, &repairs);
            assert_eq!(moved.values().sum::<usize>(), repairs.len());
            let (least, most) = (moved.values().min().unwrap(), moved.values().max().unwrap());
            assert!(most - least <= 1, "{p},{k}, relay {failed}: {moved:?}");
            let restricted = repairs.iter().filter(|r| r.restricted).map(|r| r.source);
            let expected = without_choice(shape, failed);
            assert!(restricted.eq(expected), "{p},{k}, relay {failed}");
        }
    }
}

#[test]
fn one_failed_relay_leaves_p_less_1_parallel_sources() {
    for shape in shapes(2).into_iter().filter(|s| s.tors() <= 100) {
        let fabric = shape.fabric().unwrap();
        for failed in fabric.tor_ids() {
            let found = parallel_sources_among(&fabric, |t| t != failed);
            assert_eq!(found.sources.len(), shape.p() as usize - 1, "{failed}");
            assert_eq!(clash(&fabric, &found.sources, &found.trees), None);
            assert!(!found.trees.iter().flatten().any(|&t| t == failed));
        }
    }
}

/// The most sources that Edmonds's condition allows over the ToRs that transmit.
fn most(fabric: &Fabric, transmits: &[bool]) -> u32 {
    let live: u32 = transmits.iter().enumerate().map(|(t, &l)| u32::from(l) << t).sum();
    let sets = crate::check::Subsets::of(fabric).sets;
    let fits = |f: u32| {
        let fits = |s: &crate::check::Subset| {
            (s.entering & live).count_ones() + (s.inside & f).count_ones() >= f.count_ones()
        };
        sets.iter().all(fits)
    };
    let sources = (0..1_u32 << fabric.tors()).filter(|f| f & !live == 0 && fits(*f));
    sources.map(u32::count_ones).max().unwrap()
}

/// The smallest number of relays, without the root, that are not installed, over all trees with one relay per
/// cassette.
fn fewest_new(left: &Damaged<'_>, root: TorId, row: &[TorId]) -> usize {
    fn go(
        choices: &[(CassetteId, Vec<TorId>)],
        chosen: &mut Vec<TorId>,
        spans: &dyn Fn(&[TorId]) -> bool,
        row: &[TorId],
    ) -> Option<usize> {
        let Some(((_, senders), rest)) = choices.split_first() else {
            let new = chosen.iter().filter(|t| !row.contains(t)).count();
            return spans(chosen).then_some(new);
        };
        let mut best: Option<usize> = None;
        for &sender in senders {
            chosen.push(sender);
            let found = go(rest, chosen, spans, row);
            best = best.into_iter().chain(found).min();
            chosen.pop();
        }
        best
    }
    let fabric = left.fabric;
    let can = left.fewest_hops(root, |_| true);
    let lit = |c: &CassetteId| fabric.receivers(*c).iter().any(|t| can[t.index()].is_some());
    let rest = fabric.cassette_ids().filter(|c| lit(c) && *c != fabric.transmits_into(root));
    let live = |c| fabric.transmitters(c).iter().copied().filter(|t| !left.mute[t.index()]);
    let choices: Vec<_> = rest.map(|c| (c, live(c).collect())).collect();
    let spans = |chosen: &[TorId]| {
        let got = left.fewest_hops(root, |t| chosen.contains(&t));
        got.iter().zip(&can).all(|(got, can)| got.is_some() == can.is_some())
    };
    go(&choices, &mut Vec::new(), &spans, row).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_tree_changes_less(fabric in any_custom(5, 2..=3), draws in vec(any::<Index>(), 1..5)) {
        let failed: Vec<TorId> = draws.iter().map(|d| TorId::at(d.index(fabric.tors()))).collect();
        let tables = Balanced::new(&fabric).into_tables();
        let broken = relays(&failed);
        let damage = Damage::new(&fabric, &broken).unwrap();
        let left = Damaged::new(&fabric, &broken);
        for repair in replan(&damage, &tables, Objective::FewestChanges) {
            let Some(root) = repair.root else { continue };
            let row = tables.row(repair.source);
            let new = repair.relays.iter().filter(|&t| *t != root && !row.contains(t)).count();
            prop_assert_eq!(new, fewest_new(&left, root, row), "{:?}", repair);
        }
    }

    #[test]
    fn failed_relays_leave_the_parallel_sources_that_edmonds_allows(
        fabric in any_custom(5, 2..=3),
        draws in vec(any::<Index>(), 1..5),
    ) {
        let mut transmits = vec![true; fabric.tors()];
        draws.iter().for_each(|d| transmits[d.index(fabric.tors())] = false);
        let found = parallel_sources_among(&fabric, |t| transmits[t.index()]);
        prop_assert_eq!(found.sources.len(), most(&fabric, &transmits) as usize, "{:?}", found);
        prop_assert_eq!(clash(&fabric, &found.sources, &found.trees), None);
        prop_assert!(found.trees.iter().flatten().all(|t| transmits[t.index()]));
    }

    #[test]
    fn any_numbers_name_a_part_or_are_refused(
        fabric in any_fabric(),
        kind in 0_u8..7,
        a in prop_oneof![0_u32..250, any::<u32>()],
        b in prop_oneof![0_u32..250, any::<u32>()],
    ) {
        let (tor, to, tors) = (TorId(a), TorId(b), fabric.tors());
        let known = tor.index() < tors;
        let last = tors - 1;
        let (failure, right) = match kind {
            0 => (Failure::Relay(tor), known),
            1 => (Failure::Transmitter(tor), known),
            2 => (Failure::Splitter(tor), known),
            3 => {
                let both = known && to.index() < tors;
                let lights = both && fabric.transmits_into(tor) == fabric.receives_from(to);
                (Failure::Branch { from: tor, to }, lights)
            }
            4 => {
                let into = |t: &TorId| fabric.transmits_into(*t) == fabric.receives_from(tor);
                let right = known && (b as usize) < fabric.tor_ids().filter(into).count();
                (Failure::Receiver { tor, port: b }, right)
            }
            5 => (Failure::Tor(tor), known),
            _ => (Failure::Cassette(CassetteId(a)), (a as usize) < fabric.cassettes()),
        };
        match Damage::new(&fabric, &[failure]) {
            Ok(_) => prop_assert!(right),
            Err(fault) => {
                prop_assert!(!right);
                let named = match fault {
                    NoSuchPart::Tor { tor: t, last: l } => l == last && t.index() > last,
                    NoSuchPart::Cassette { cassette, last } => {
                        cassette.0 == a && last == fabric.cassettes() - 1
                    }
                    NoSuchPart::Branch { from, to: t } => from == tor && t == to,
                    NoSuchPart::Port { tor: t, port, last } => {
                        t == tor && port == b && last < b
                    }
                };
                prop_assert!(named, "{}", fault);
            }
        }
    }
}

#[test]
fn the_message_names_the_part_and_what_there_is() {
    let fabric = shufflecast(2, 3);
    let message = |failure| Damage::new(&fabric, &[failure]).unwrap_err().to_string();
    let (a, b) = (TorId(0), TorId(24));
    assert_eq!(message(Failure::Relay(b)), "there is no ToR 24; the ToRs are 0 to 23");
    assert_eq!(
        message(Failure::Cassette(CassetteId(12))),
        "there is no cassette 12; the cassettes are 0 to 11"
    );
    assert_eq!(
        message(Failure::Branch { from: a, to: TorId(1) }),
        "the splitter of ToR 0 has no branch to ToR 1"
    );
    assert_eq!(
        message(Failure::Receiver { tor: a, port: 2 }),
        "ToR 0 receives nothing at port 2; its last receive port is 1"
    );
}

//! Tables of switches: what they say of every source at every port, and how many entries they need.

use std::collections::BTreeSet;

use lightloom_routing::switch::{
    Codes, Kind, Matching, Purpose, SwitchTable, Ternary, Told, cover, rooted,
};
use lightloom_routing::verify::Accept;
use lightloom_routing::{Algorithm1, Balanced, RelayTables, Tree};
use lightloom_topology::family::{Shufflecast, kautz};
use lightloom_topology::{Fabric, TRANSMIT_PORT, TorId};
use proptest::prelude::*;

use crate::fabrics::any_fabric;

/// The paper's fabric, and the sources that each ToR relays with the paper's router.
fn of_paper(p: u32, k: u32) -> (Shufflecast, Fabric, Vec<Vec<TorId>>) {
    let shape = Shufflecast::new(p, k).expect("it is small");
    let fabric = shape.fabric().expect("it is connected");
    let relays = RelayTables::new(&fabric, &mut Algorithm1::new(shape)).sources_by_relay(&fabric);
    (shape, fabric, relays)
}

/// A ToR's table without failures, after a check of what it says. Entries of one priority must not disagree.
fn table_of(
    fabric: &Fabric,
    codes: &Codes,
    matching: Matching,
    relays: &[TorId],
    tor: TorId,
) -> SwitchTable {
    let returning = BTreeSet::from([tor]);
    let told = Told { tor, planned: relays, relays, accept: None, returning: &returning };
    let table = SwitchTable::new(fabric, codes, matching, told);
    check(&table, fabric, codes, told);
    table
}

fn check(table: &SwitchTable, fabric: &Fabric, codes: &Codes, told: Told<'_>) {
    table.check(fabric, codes, told).unwrap_or_else(|wrong| panic!("{wrong}"));
    for code in 0..1 << codes.bits() {
        let port = code % 3;
        let fit = || table.entries.iter().filter(|entry| entry.fits(port, code));
        let first = fit().next().expect("all others are delivered");
        let equal = fit().filter(|entry| entry.priority() == first.priority());
        assert!(equal.clone().all(|entry| entry.kind == first.kind), "{first:?}");
        if !codes.all().contains(&code) {
            assert_eq!(first.kind, Kind::Drop, "no ToR has code {code}");
        }
    }
}

/// The most entries of a ToR, without those for sources that are no ToRs.
fn most_entries(
    fabric: &Fabric,
    codes: &Codes,
    matching: Matching,
    relays: &[Vec<TorId>],
) -> usize {
    let tables =
        fabric.tor_ids().map(|tor| table_of(fabric, codes, matching, &relays[tor.index()], tor));
    tables.map(|table| relay_entries(&table)).max().unwrap_or(0)
}

fn relay_entries(table: &SwitchTable) -> usize {
    table.entries.iter().filter(|entry| entry.purpose == Purpose::Relay).count()
}

/// k entries a kind, for any p: the digit that decides is a field of the code.
#[test]
fn masked_tables_of_the_papers_fabrics_have_an_entry_a_column() {
    for (p, k) in [(2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2), (6, 2)] {
        let (shape, fabric, relays) = of_paper(p, k);
        let codes = Codes::of_shufflecast(shape);
        let masked = most_entries(&fabric, &codes, Matching::Masked, &relays);
        assert!(masked <= 2 * k as usize, "{p},{k}: {masked}");
        let literal = most_entries(&fabric, &codes, Matching::Literal, &relays);
        // k p^(k-1) sources, of which one is the ToR itself: it has its drop.
        assert_eq!(literal, 2 * (k as usize * (p as usize).pow(k - 1) - 1), "{p},{k}");
    }
}

/// Eight relay entries in place of 510 at 4,4.
#[test]
fn the_shipped_fabric_needs_eight_entries_in_place_of_510() {
    let (shape, fabric, relays) = of_paper(4, 4);
    let codes = Codes::of_shufflecast(shape);
    assert_eq!(codes.bits(), 10);
    assert_eq!(codes.unused(), []);
    for tor in [0, 1, 255, 256, 700, 1023].map(TorId) {
        let entries = |matching| {
            relay_entries(&table_of(&fabric, &codes, matching, &relays[tor.index()], tor))
        };
        assert_eq!((entries(Matching::Masked), entries(Matching::Literal)), (8, 510));
    }
}

/// A copy that must be relayed and came in by the transmit port leaves by that port.
#[test]
fn relays_of_the_transmit_port_are_hairpins() {
    let (shape, fabric, relays) = of_paper(2, 2);
    let codes = Codes::of_shufflecast(shape);
    for tor in fabric.tor_ids() {
        let table = table_of(&fabric, &codes, Matching::Masked, &relays[tor.index()], tor);
        for &source in relays[tor.index()].iter().filter(|&&source| source != tor) {
            assert_eq!(table.kind(TRANSMIT_PORT, codes.of(source)), Some(Kind::Hairpin));
            assert_eq!(table.kind(1, codes.of(source)), Some(Kind::Relay));
        }
        assert_eq!(table.kind(0, codes.of(tor)), Some(Kind::Drop));
        assert_eq!(table.kind(1, codes.of(tor)), Some(Kind::Drop));
    }
}

/// Irregular fabrics need more entries than a column has, and fewer than sources.
#[test]
fn masked_tables_of_other_families_are_right() {
    for (p, tors) in [(2, 24), (4, 100), (3, 50), (8, 121)] {
        let fabric = kautz(p, tors).expect("it is connected");
        let relays = Balanced::new(&fabric).into_tables().sources_by_relay(&fabric);
        let codes = Codes::numbers(tors);
        let masked = most_entries(&fabric, &codes, Matching::Masked, &relays);
        let literal = most_entries(&fabric, &codes, Matching::Literal, &relays);
        assert!(masked < literal, "{p}, {tors}: {masked} of {literal}");
    }
}

/// The sources of a cassette share a tree, so tables shrink p-fold. None of them relays the others.
#[test]
fn tables_by_root_are_trees_and_small() {
    let paper = |p, k| {
        let (_, fabric, _) = of_paper(p, k);
        let shape = Shufflecast::new(p, k).expect("it is small");
        let tables = RelayTables::new(&fabric, &mut Algorithm1::new(shape));
        (fabric, tables)
    };
    let free = |p, tors| {
        let fabric = kautz(p, tors).expect("it is connected");
        let tables = Balanced::new(&fabric).into_tables();
        (fabric, tables)
    };
    for (fabric, tables) in [paper(2, 3), paper(3, 3), paper(4, 2), free(4, 100), free(3, 50)] {
        let tables = rooted(&fabric, &tables);
        for source in fabric.tor_ids() {
            Tree::new(&fabric, source, tables.row(source)).expect("it is a tree");
        }
        let relays = tables.sources_by_relay(&fabric);
        let codes = Codes::by_root(&fabric);
        for tor in fabric.tor_ids() {
            let own = fabric.transmits_into(tor);
            let relays = &relays[tor.index()];
            let mirrors = relays.iter().filter(|&&source| fabric.transmits_into(source) == own);
            assert_eq!(mirrors.copied().collect::<Vec<_>>(), [tor]);
            let table = table_of(&fabric, &codes, Matching::Masked, relays, tor);
            let roots: BTreeSet<_> =
                relays.iter().map(|&source| fabric.transmits_into(source)).collect();
            assert!(relay_entries(&table) <= 2 * (roots.len() - 1), "{tor}");
        }
    }
}

/// The smallest number of matches that fit all wanted codes and no unwanted one, by trying all sets.
fn smallest(wanted: &[u32], unwanted: &[u32], bits: u32) -> usize {
    let masks = 0..1_u32 << bits;
    let all = masks.flat_map(|mask| {
        let values = (0..1_u32 << bits).filter(move |value| value & !mask == 0);
        values.map(move |value| Ternary::new(value, mask))
    });
    let fits = |found: &Ternary| !unwanted.iter().any(|&code| found.matches(code));
    let bitmap = |found: Ternary| -> u32 {
        (0..).zip(wanted).filter(|(_, code)| found.matches(**code)).map(|(at, _)| 1 << at).sum()
    };
    let sets: Vec<u32> = all.filter(fits).map(bitmap).filter(|&set| set != 0).collect();
    let goal = (1_u32 << wanted.len()) - 1;
    let (mut reached, mut count) = (vec![0_u32], 0);
    while !reached.contains(&goal) {
        let mut next: Vec<u32> =
            reached.iter().flat_map(|done| sets.iter().map(move |set| done | set)).collect();
        next.sort_unstable();
        next.dedup();
        (reached, count) = (next, count + 1);
    }
    count
}

proptest! {
    #[test]
    fn tables_of_any_fabric_say_what_their_tors_are_told(
        fabric in any_fabric(),
        filters in prop::collection::vec(any::<[prop::sample::Index; 3]>(), 0..6),
        repairs in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..6),
        stand_in in any::<[prop::sample::Index; 2]>(),
    ) {
        let at = |index: prop::sample::Index| TorId::at(index.index(fabric.tors()));
        let planned = Balanced::new(&fabric).into_tables().sources_by_relay(&fabric);
        let mut now: Vec<BTreeSet<TorId>> =
            planned.iter().map(|list| list.iter().copied().collect()).collect();
        for [tor, source] in repairs {
            let (list, source) = (&mut now[at(tor).index()], at(source));
            if !list.remove(&source) {
                list.insert(source);
            }
        }
        let mut accept = Accept::new();
        for [tor, source, from] in filters {
            let heard = fabric.heard_by(at(tor));
            let from = heard[from.index(heard.len())];
            accept.entry(at(tor)).or_default().insert(at(source), from);
        }
        let codes = Codes::numbers(u32::try_from(fabric.tors()).unwrap());
        for tor in fabric.tor_ids() {
            let relays: Vec<TorId> = now[tor.index()].iter().copied().collect();
            let mut returning = BTreeSet::from([tor]);
            if at(stand_in[0]) == tor {
                returning.insert(at(stand_in[1]));
            }
            let told = Told {
                tor,
                planned: &planned[tor.index()],
                relays: &relays,
                accept: accept.get(&tor),
                returning: &returning,
            };
            for matching in [Matching::Literal, Matching::Masked] {
                check(&SwitchTable::new(&fabric, &codes, matching, told), &fabric, &codes, told);
            }
        }
    }

    #[test]
    fn covers_are_right_and_as_near_to_the_best_as_they_say(
        kinds in prop::collection::vec(0_u8..3, 16),
    ) {
        let of = |kind: u8| -> Vec<u32> {
            (0..).zip(&kinds).filter(|(_, found)| **found == kind).map(|(code, _)| code).collect()
        };
        let (wanted, unwanted) = (of(1), of(2));
        let found = cover(&wanted, &unwanted, 4);
        for &code in &wanted {
            prop_assert!(found.matches.iter().any(|one| one.matches(code)));
        }
        for &code in &unwanted {
            prop_assert!(!found.matches.iter().any(|one| one.matches(code)));
        }
        let best = smallest(&wanted, &unwanted, 4);
        prop_assert!(found.least <= best && best <= found.matches.len(), "{} {} \
            {}", found.least, best, found.matches.len());
    }
}

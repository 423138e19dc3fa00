//! Every p,k-Shufflecast of up to 400 ToRs has the names and the wires of the paper.

use std::collections::BTreeSet;

use lightloom_topology::TorId;
use lightloom_topology::family::Shufflecast;

/// All (p, k) with k p^k ≤ 400.
fn sizes() -> Vec<(u32, u32)> {
    let all = (2_u32..=400).flat_map(|p| (1..=8).map(move |k| (p, k)));
    all.filter(|&(p, k)| p.checked_pow(k).is_some_and(|rows| rows <= 400 / k)).collect()
}

/// A ToR in the paper's notation: its column, and its row as digits, r_{k-1} first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    column: u32,
    digits: Vec<u32>,
}

/// All names in the order of ToR ids: column by column, with rows counted up.
fn names(p: u32, k: u32) -> Vec<Name> {
    let mut names = Vec::new();
    for column in 0..k {
        let mut digits = vec![0; k as usize];
        loop {
            names.push(Name { column, digits: digits.clone() });
            let Some(place) = digits.iter().rposition(|&d| d < p - 1) else { break };
            digits[place] += 1;
            digits[place + 1..].fill(0);
        }
    }
    names
}

/// The rule of shufflecast:III-A1.links: (c, r) feeds ((c+1) mod k, [r_{k-2} … r_0 m]) for every m.
fn fed_by(name: &Name, p: u32, k: u32) -> BTreeSet<Name> {
    let column = if name.column + 1 == k { 0 } else { name.column + 1 };
    let feed = |m| {
        let digits = name.digits[1..].iter().copied().chain([m]).collect();
        Name { column, digits }
    };
    (0..p).map(feed).collect()
}

/// shufflecast:III-A1.size, shufflecast:III-A1.id, shufflecast:III-A1.partition
#[test]
fn ids_columns_digits_and_partitions_name_the_same_tor() {
    for (p, k) in sizes() {
        let shape = Shufflecast::new(p, k).unwrap();
        let names = names(p, k);
        assert_eq!(shape.tors() as usize, names.len());
        assert_eq!((shape.tors(), shape.cassettes()), (k * p.pow(k), k * p.pow(k - 1)));
        assert_eq!(Shufflecast::with_tors(p, shape.tors()), Some(shape));
        for (id, name) in (0..).map(TorId).zip(&names) {
            assert_eq!(shape.column(id), name.column);
            assert_eq!(shape.digits(id), name.digits);
            assert_eq!(shape.partition(id), name.digits[0]);
            assert_eq!(shape.tor(shape.column(id), shape.row(id)), id);
            for (i, &digit) in (0..k).rev().zip(&name.digits) {
                assert_eq!(shape.digit(id, i), digit);
            }
        }
    }
}

/// 2,3 is shufflecast:fig9.
#[test]
fn every_splitter_feeds_the_receivers_of_the_papers_rule() {
    for (p, k) in sizes() {
        let shape = Shufflecast::new(p, k).unwrap();
        let fabric = shape.fabric().unwrap();
        let names = names(p, k);
        assert_eq!(fabric.tors(), names.len());
        for (id, name) in (0..).map(TorId).zip(&names) {
            let fed = fed_by(name, p, k);
            let wired = fabric.receivers(fabric.transmits_into(id));
            assert!(wired.iter().map(|t| &names[t.index()]).eq(&fed), "{p},{k}: {name:?}");
            assert!(shape.successors(id).map(|t| names[t.index()].clone()).eq(fed));
            assert_eq!(fabric.transmits_into(id), shape.cassette(id));
        }
    }
}

/// shufflecast:III-C1.mirrors
#[test]
fn mirrors_differ_in_the_top_digit_only_and_share_all_receivers() {
    for (p, k) in sizes() {
        let shape = Shufflecast::new(p, k).unwrap();
        let fabric = shape.fabric().unwrap();
        let names = names(p, k);
        for (id, name) in (0..).map(TorId).zip(&names) {
            let mirrors: Vec<TorId> = shape.mirrors(id).collect();
            let of = |d| Name { column: name.column, digits: [&[d], &name.digits[1..]].concat() };
            assert!(mirrors.iter().map(|t| names[t.index()].clone()).eq((0..p).map(of)));
            assert_eq!(fabric.transmitters(fabric.transmits_into(id)), mirrors);
            for (partition, &mirror) in (0..p).zip(&mirrors) {
                assert_eq!(shape.partition(mirror), partition);
                assert_eq!(shape.relay(shape.cassette(id), partition), mirror);
                assert_eq!(shape.cassette_column(shape.cassette(id)), name.column);
            }
        }
    }
}

/// shufflecast:III-A2.ports, shufflecast:IV-B.fibres
#[test]
fn every_tor_spends_p_transceivers_and_one_splitter_of_p_branches() {
    for (p, k) in sizes() {
        let fabric = Shufflecast::new(p, k).unwrap().fabric().unwrap();
        assert!(fabric.tor_ids().all(|t| fabric.transceivers(t) == p as usize));
        assert_eq!(fabric.branch_fibres(), fabric.tors() as u64 * u64::from(p));
    }
}

#[test]
fn a_number_of_tors_has_a_shape_only_if_it_is_k_p_to_the_k() {
    for p in 2..=20_u32 {
        let legal: BTreeSet<u32> =
            (1..=9).map(|k: u32| k.saturating_mul(p.saturating_pow(k))).collect();
        for tors in 0..=2_000 {
            let shape = Shufflecast::with_tors(p, tors);
            assert_eq!(shape.is_some(), legal.contains(&tors), "{tors} ToRs, p = {p}");
            assert!(shape.is_none_or(|s| s.tors() == tors));
        }
    }
}

#[test]
fn the_2_2_shufflecast_is_wired_as_in_figure_3() {
    // shufflecast:fig2: ToR 0 feeds 4 and 5, ToR 4 feeds 0 and 1, …
    let fabric = Shufflecast::new(2, 2).unwrap().fabric().unwrap();
    let fed = |t: u32| -> Vec<u32> {
        fabric.receivers(fabric.transmits_into(TorId(t))).iter().map(|r| r.0).collect()
    };
    let wires: Vec<Vec<u32>> = (0..8).map(fed).collect();
    let expected = [[4, 5], [6, 7], [4, 5], [6, 7], [0, 1], [2, 3], [0, 1], [2, 3]].map(Vec::from);
    assert_eq!(wires, expected);
}

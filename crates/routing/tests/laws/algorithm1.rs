//! Algorithm 1 on every p,k-Shufflecast of up to 400 ToRs: its relay sets, ways and depth are those of the
//! paper's lemmas. Ways are checked for all pairs up to 192 ToRs, above that from a dozen seeded sources to
//! all ToRs.

use std::collections::BTreeSet;

use lightloom_routing::fair_share::max_min_fair;
use lightloom_routing::parallel::parallel_sources;
use lightloom_routing::verify::Replay;
use lightloom_routing::{Algorithm1, RelayTables, Rotated, Router, Tree};
use lightloom_topology::TorId;
use lightloom_topology::family::Shufflecast;
use rand::RngExt;

use crate::check::{clash, is_arborescence, wiring};
use crate::fabrics::{installed, seeded, shufflecast};

/// All shapes with k p^k ≤ 400.
fn shapes() -> Vec<Shufflecast> {
    let all = (2_u32..=400).flat_map(|p| (1..=8).map(move |k| (p, k)));
    let small = all.filter(|&(p, k)| p.checked_pow(k).is_some_and(|rows| rows <= 400 / k));
    small.map(|(p, k)| Shufflecast::new(p, k).unwrap()).collect()
}

fn row(shape: Shufflecast, source: TorId) -> Vec<TorId> {
    let mut row = vec![TorId(u32::MAX); shape.cassettes() as usize];
    Algorithm1::new(shape).relay_row(source, &mut row);
    row
}

/// The ToRs from a source to a destination, both included, found by next hops alone.
fn walk(shape: Shufflecast, source: TorId, dest: TorId) -> Vec<TorId> {
    let router = Algorithm1::new(shape);
    let mut path = vec![source];
    while path.len() <= 2 * shape.k() as usize {
        let next = router.next_hop(source, dest, path[path.len() - 1]);
        path.push(next);
        if next == dest {
            break;
        }
    }
    path
}

fn sources_to_walk(shape: Shufflecast) -> Vec<TorId> {
    if shape.tors() <= 192 {
        return (0..shape.tors()).map(TorId).collect();
    }
    let mut draws = seeded(shape.tors());
    (0..12).map(|_| TorId(draws.random_range(0..shape.tors()))).collect()
}

/// shufflecast:lemma2, shufflecast:III-B1.rules, shufflecast:lemma4
#[test]
fn a_source_has_k_p_to_the_k_minus_1_relays_and_a_relay_as_many_sources() {
    for shape in shapes() {
        let (p, k) = (shape.p(), shape.k());
        let share = (k * p.pow(k - 1)) as usize;
        let mut carried = vec![0; shape.tors() as usize];
        for source in (0..shape.tors()).map(TorId) {
            let relays: BTreeSet<TorId> = row(shape, source).into_iter().collect();
            assert_eq!(relays.len(), share, "{p},{k}: source {source}");
            relays.iter().for_each(|relay| carried[relay.index()] += 1);
        }
        assert!(carried.iter().all(|&n| n == share), "{p},{k}");
    }
}

/// shufflecast:III-A3.criterion, shufflecast:lemma2
#[test]
fn a_source_relays_through_one_partition_a_column_named_by_its_digits() {
    for shape in shapes() {
        for source in (0..shape.tors()).map(TorId) {
            let digits = shape.digits(source);
            for relay in row(shape, source) {
                let columns_on =
                    (shape.column(relay) + shape.k() - shape.column(source)) % shape.k();
                assert_eq!(shape.partition(relay), digits[columns_on as usize]);
            }
        }
    }
}

/// shufflecast:alg1:1-13, shufflecast:A2, shufflecast:lemma1
#[test]
fn walks_end_within_2k_minus_1_hops_and_transmit_at_the_relay_row() {
    for shape in shapes() {
        let fabric = shape.fabric().unwrap();
        let wired = |a, b| fabric.receives_from(b) == fabric.transmits_into(a);
        for source in sources_to_walk(shape) {
            let mut transmit = BTreeSet::new();
            for dest in (0..shape.tors()).map(TorId).filter(|&d| d != source) {
                let path = walk(shape, source, dest);
                assert_eq!(path.last(), Some(&dest), "{shape:?}: {source} to {dest}");
                assert!(path.len() - 1 < 2 * shape.k() as usize, "{shape:?}: {source} to {dest}");
                assert!(path.windows(2).all(|hop| wired(hop[0], hop[1])));
                transmit.extend(&path[..path.len() - 1]);
            }
            let relays: BTreeSet<TorId> = row(shape, source).into_iter().collect();
            assert_eq!(transmit, relays, "{shape:?}: source {source}");
        }
    }
}

/// shufflecast:III-A3.static: the row of a source says all.
#[test]
fn the_tree_of_a_row_takes_the_paths_of_the_walks() {
    for shape in shapes().into_iter().filter(|shape| shape.tors() <= 192) {
        let fabric = shape.fabric().unwrap();
        for source in fabric.tor_ids() {
            let row = row(shape, source);
            let tree = Tree::new(&fabric, source, &row).unwrap();
            for dest in fabric.tor_ids().filter(|&d| d != source) {
                assert_eq!(tree.path(dest), walk(shape, source, dest));
            }
        }
    }
}

#[test]
fn the_verifier_accepts_every_source_within_2k_minus_1_hops() {
    for shape in shapes() {
        let fabric = shape.fabric().unwrap();
        let wiring = wiring(&fabric);
        wiring.check(shape.p()).unwrap();
        let mut replay = Replay::new(&wiring);
        for source in fabric.tor_ids() {
            let row = row(shape, source);
            assert!(is_arborescence(&fabric, source, &row));
            let mut rule = vec![false; fabric.tors()];
            row.iter().for_each(|relay| rule[relay.index()] = true);
            replay.source(source, 2 * shape.k() - 1, |tor| rule[tor.index()]).unwrap();
        }
    }
}

/// shufflecast:lemma4: whatever the router, p^(k-1) relays of each column are needed to light all p^k ToRs of the next
/// one, and Algorithm 1 takes no more. A column has p^k transmitters, so it serves p sources at line rate at most:
/// [`p_sources_run_in_parallel`].
#[test]
fn no_tree_has_fewer_relays_in_a_column_than_algorithm_1() {
    for shape in shapes().into_iter().filter(|shape| shape.tors() <= 192) {
        let fabric = shape.fabric().unwrap();
        let least = shape.rows() / shape.p();
        let of_columns = |relays: &BTreeSet<TorId>| -> Vec<u32> {
            let mut counts = vec![0; shape.k() as usize];
            relays.iter().for_each(|&relay| counts[shape.column(relay) as usize] += 1);
            counts
        };
        // Each relay lights p ToRs of the next column, by its fibres and not by what a router says.
        let lit = |relay: TorId| fabric.receivers(fabric.transmits_into(relay)).len();
        assert!(fabric.tor_ids().all(|relay| lit(relay) == shape.p() as usize));
        let rotated = RelayTables::new(&fabric, &mut Rotated::new(&fabric));
        for source in fabric.tor_ids() {
            let own: BTreeSet<TorId> = row(shape, source).into_iter().collect();
            assert!(of_columns(&own).iter().all(|&count| count == least), "{shape:?}");
            let other: BTreeSet<TorId> = rotated.row(source).iter().copied().collect();
            assert!(of_columns(&other).iter().all(|&count| count >= least), "{shape:?}");
        }
    }
}

/// shufflecast:lemma4
#[test]
fn p_sources_run_in_parallel() {
    for shape in shapes() {
        let fabric = shape.fabric().unwrap();
        let found = parallel_sources(&fabric);
        assert_eq!(found.sources.len(), shape.p() as usize, "{shape:?}");
        assert_eq!(clash(&fabric, &found.sources, &found.trees), None, "{shape:?}");
    }
}

/// shufflecast:lemma3
#[test]
fn p_sources_run_in_parallel_with_installed_tables() {
    for shape in shapes().into_iter().filter(|s| s.k() >= 2 && s.tors() <= 200) {
        let fabric = shape.fabric().unwrap();
        let tables = RelayTables::new(&fabric, &mut Algorithm1::new(shape));
        let candidates: Vec<TorId> = fabric.tor_ids().collect();
        let found = installed(&tables, &candidates, shape.p() as usize);
        assert_eq!((found.sources.len(), found.at_most), (shape.p() as usize, shape.p() as usize));
        let rows: Vec<_> = found.sources.iter().map(|&s| tables.row(s).to_vec()).collect();
        assert_eq!(clash(&fabric, &found.sources, &rows), None, "{shape:?}");
    }
}

/// The ToR of a source's column whose digits are the source's, each higher by `by` modulo p.
fn shifted(shape: Shufflecast, source: TorId, by: u32) -> TorId {
    let digits = shape.digits(source).into_iter().map(|digit| (digit + by) % shape.p());
    shape.tor(shape.column(source), digits.fold(0, |row, digit| row * shape.p() + digit))
}

/// shufflecast:A3.shifts, shufflecast:lemma3: a source and its shifts share no relay, so m such sets of p sources get
/// 1/m of the line rate each, up to all sources of a column.
#[test]
fn sources_of_a_column_share_the_line_rate() {
    for shape in shapes().into_iter().filter(|s| s.k() >= 2 && s.tors() <= 200) {
        let mut rows = Vec::new();
        // Of each set one source has the highest digit 0.
        for (sets, first) in (1_u32..).zip(0..shape.rows() / shape.p()) {
            let first = shape.tor(0, first);
            rows.extend((0..shape.p()).map(|by| row(shape, shifted(shape, first, by))));
            let rows: Vec<&[TorId]> = rows.iter().map(Vec::as_slice).collect();
            let rates = max_min_fair(shape.tors() as usize, &rows);
            let share = 1.0 / f64::from(sets);
            assert!(
                rates.iter().all(|rate| (rate - share).abs() < 1e-9),
                "{shape:?}: {sets}, {rates:?}"
            );
        }
        assert_eq!(rows.len(), shape.rows() as usize);
    }
}

/// shufflecast:fig3
#[test]
fn figure_3_of_the_paper() {
    let shape = Shufflecast::new(2, 2).unwrap();
    let relays = |source| row(shape, source).iter().map(|t| t.0).collect::<BTreeSet<_>>();
    assert_eq!(relays(TorId(0)), BTreeSet::from([0, 1, 4, 5]));
    assert_eq!(relays(TorId(3)), BTreeSet::from([2, 3, 6, 7]));
    let paths: [&[u32]; 14] = [
        &[0, 4, 1],
        &[0, 5, 2],
        &[0, 5, 3],
        &[0, 4],
        &[0, 5],
        &[0, 4, 1, 6],
        &[0, 4, 1, 7],
        &[3, 6, 0],
        &[3, 6, 1],
        &[3, 7, 2],
        &[3, 7, 2, 4],
        &[3, 7, 2, 5],
        &[3, 6],
        &[3, 7],
    ];
    for path in paths {
        let expected: Vec<TorId> = path.iter().copied().map(TorId).collect();
        assert_eq!(walk(shape, expected[0], expected[expected.len() - 1]), expected);
    }
    let rows = [TorId(0), TorId(3)].map(|s| row(shape, s));
    assert_eq!(clash(&shufflecast(2, 2), &[TorId(0), TorId(3)], &rows), None);
}

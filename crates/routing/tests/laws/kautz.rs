//! The verifier proves that Kautz fabrics of every size from 2 to 5000 multicast exactly once with the fewest
//! hops: all sources of balanced tables up to 1,024 ToRs, eight seeded sources of rotated tables beyond. Their
//! seats are checked with them. No relay of the balanced tables carries more than 1.5 times the mean (2 times for
//! p = 2): every size up to 1,024, a stride beyond. If p divides the size, p sources run in parallel: every such
//! size up to 1,024, a stride beyond.

use std::collections::VecDeque;

use lightloom_routing::parallel::{Limit, parallel_sources};
use lightloom_routing::verify::Replay;
use lightloom_routing::{Balanced, RelayTables, Rotated, Router};
use lightloom_topology::family::kautz;
use lightloom_topology::{CassetteId, Fabric, TorId};
use petgraph::algo::dinics;
use rand::RngExt;

use crate::check::{clash, wiring};
use crate::fabrics::seeded;
use crate::seats;

/// Hops to the farthest ToR of a cassette, on the fewest-hop way from a root.
fn fewest_hops(fabric: &Fabric, root: CassetteId) -> u32 {
    let mut hops = vec![0; fabric.cassettes()];
    hops[root.index()] = 1;
    let mut open = VecDeque::from([root]);
    let mut last = root;
    while let Some(at) = open.pop_front() {
        last = at;
        for edge in fabric.graph().edges(at.0.into()) {
            let to = CassetteId::at(petgraph::visit::EdgeRef::target(&edge).index());
            if hops[to.index()] == 0 {
                hops[to.index()] = hops[at.index()] + 1;
                open.push_back(to);
            }
        }
    }
    hops[last.index()]
}

fn verify(
    fabric: &Fabric,
    mut relay_row: impl FnMut(TorId, &mut [TorId]),
    sources: impl Iterator<Item = TorId>,
) {
    let wiring = wiring(fabric);
    wiring.check(fabric.fan_out()).unwrap();
    let mut replay = Replay::new(&wiring);
    let mut row = vec![TorId(0); fabric.cassettes()];
    let mut rule = vec![false; fabric.tors()];
    let mut bounds = vec![None; fabric.cassettes()];
    for source in sources {
        relay_row(source, &mut row);
        row.iter().for_each(|relay| rule[relay.index()] = true);
        let root = fabric.transmits_into(source);
        let bound = *bounds[root.index()].get_or_insert_with(|| fewest_hops(fabric, root));
        if let Err(fault) = replay.source(source, bound, |tor| rule[tor.index()]) {
            panic!("{} ToRs, p = {}: {fault}", fabric.tors(), fabric.fan_out());
        }
        row.iter().for_each(|relay| rule[relay.index()] = false);
    }
}

/// Largest load with the fewest hops: 1.5 times the mean, 2 times for p = 2.
fn check_load(p: u32, fabric: &Fabric, tables: &RelayTables) {
    let mut load = vec![0_usize; fabric.tors()];
    for relay in fabric.tor_ids().flat_map(|source| tables.row(source)) {
        load[relay.index()] += 1;
    }
    let most = load.iter().max().unwrap();
    // The mean is the number of cassettes: each source has one relay in each.
    let halves = if p == 2 { 4 } else { 3 };
    assert!(2 * most <= halves * fabric.cassettes(), "p = {p}, {} ToRs: {most}", fabric.tors());
}

fn check_loads(p: u32, sizes: impl Iterator<Item = u32>) {
    for tors in sizes {
        let fabric = kautz(p, tors).unwrap();
        check_load(p, &fabric, &Balanced::new(&fabric).into_tables());
    }
}

fn verify_all_sources(p: u32, sizes: impl Iterator<Item = u32>) {
    for tors in sizes {
        let fabric = kautz(p, tors).unwrap();
        seats::check(&fabric, p, tors);
        let tables = Balanced::new(&fabric).into_tables();
        check_load(p, &fabric, &tables);
        verify(&fabric, |source, row| row.copy_from_slice(tables.row(source)), fabric.tor_ids());
    }
}

fn verify_some_sources(p: u32, sizes: impl Iterator<Item = u32>) {
    for tors in sizes {
        let fabric = kautz(p, tors).unwrap();
        seats::check(&fabric, p, tors);
        let mut draws = seeded(tors);
        let sources = std::iter::repeat_with(|| TorId(draws.random_range(0..tors))).take(8);
        let mut router = Rotated::new(&fabric);
        verify(&fabric, |source, row| router.relay_row(source, row), sources);
    }
}

fn check_parallel(p: u32, sizes: impl Iterator<Item = u32>) {
    for tors in sizes {
        let fabric = kautz(p, tors).unwrap();
        let found = parallel_sources(&fabric);
        assert_eq!(found.sources.len(), p as usize, "p = {p}, {tors} ToRs");
        assert_eq!(clash(&fabric, &found.sources, &found.trees), None, "p = {p}, {tors} ToRs");
        let full = matches!(found.limit, Limit::Cassette { transmitters, .. } if transmitters == p);
        assert!(full, "p = {p}, {tors} ToRs: {:?}", found.limit);
    }
}

/// Sizes that p divides, with more than one cassette.
fn full(p: u32) -> impl Iterator<Item = u32> {
    (2..=1024 / p).map(move |n| n * p)
}

/// Sizes that p divides from 1,024 to 5,000, some forty of them, odd and even numbers of cassettes.
fn full_beyond(p: u32) -> impl Iterator<Item = u32> {
    (1024 / p..=5000 / p).step_by(((4000 / p / 40) | 1) as usize).map(move |n| n * p)
}

macro_rules! for_each_fan_out {
    ($($p:literal $all_to_724:ident $all_to_1024:ident $some:ident $parallel:ident $beyond:ident;)*) => {$(
        #[test]
        fn $all_to_724() {
            verify_all_sources($p, 2..=724);
        }

        #[test]
        fn $all_to_1024() {
            verify_all_sources($p, 725..=1024);
        }

        #[test]
        fn $some() {
            verify_some_sources($p, 1025..=5000);
        }

        #[test]
        fn $parallel() {
            check_parallel($p, full($p));
        }

        #[test]
        fn $beyond() {
            check_parallel($p, full_beyond($p));
        }
    )*};
}

for_each_fan_out! {
    2 all_sources_reach_all_p_2_to_724 all_sources_reach_all_p_2_to_1024
        seeded_sources_reach_all_p_2 p_2_sources_in_parallel p_2_sources_in_parallel_beyond_1024;
    4 all_sources_reach_all_p_4_to_724 all_sources_reach_all_p_4_to_1024
        seeded_sources_reach_all_p_4 p_4_sources_in_parallel p_4_sources_in_parallel_beyond_1024;
    8 all_sources_reach_all_p_8_to_724 all_sources_reach_all_p_8_to_1024
        seeded_sources_reach_all_p_8 p_8_sources_in_parallel p_8_sources_in_parallel_beyond_1024;
}

/// p and T for which the fewest hops need another construction than the usual one.
const SHALLOWER: [(u32, &[u32]); 6] = [
    (2, &[130, 260, 514, 520, 1028, 1040, 2050, 2056, 2080, 4100, 4112, 4160]),
    (3, &[246, 738, 2190, 2214]),
    (4, &[224, 896, 1028, 3584, 4112]),
    (5, &[100, 500, 2500, 3130]),
    (7, &[245, 1176, 1715]),
    (8, &[384, 520, 3072, 4160]),
];

/// Smallest flow between a cassette and any other, in both directions, by petgraph's maximum flow.
fn arc_connectivity(fabric: &Fabric) -> u32 {
    let unit = fabric.graph().map(|_, _| (), |_, _| 1_u32);
    let cassettes = u32::try_from(fabric.cassettes()).expect("few cassettes");
    let (first, others) = (0.into(), 1..cassettes);
    let flows = others.map(|c| {
        let (out, back) = (dinics(&unit, first, c.into()), dinics(&unit, c.into(), first));
        out.0.min(back.0)
    });
    flows.min().unwrap_or(0)
}

#[test]
fn fabrics_of_other_constructions_are_as_even() {
    for (p, sizes) in SHALLOWER {
        let more = sizes.iter().copied().filter(|&tors| tors <= 2500);
        verify_all_sources(p, more.clone().filter(|&tors| tors <= 1200));
        check_loads(p, more);
    }
}

#[test]
fn fabrics_of_other_constructions_run_p_sources_in_parallel() {
    for (p, sizes) in SHALLOWER {
        check_parallel(p, sizes.iter().copied().filter(|&tors| tors <= 2500));
    }
    check_parallel(7, std::iter::once(35));
}

#[test]
fn fabrics_of_other_constructions_are_cut_by_no_fewer_than_p_tors() {
    for (p, sizes) in SHALLOWER.into_iter().chain([(7, &[35][..])]) {
        for &tors in sizes.iter().filter(|&&tors| tors <= 2500) {
            assert_eq!(arc_connectivity(&kautz(p, tors).unwrap()), p, "p = {p}, {tors} ToRs");
        }
    }
}

/// Seven ToRs of each of five cassettes lead to four others, so one of these gets a single ToR.
#[test]
fn relays_carry_8_sources_where_2_hops_of_35_tors_force_them_to() {
    let fabric = kautz(7, 35).unwrap();
    assert_eq!(Balanced::new(&fabric).into_tables().load(&fabric).max(), 8);
}

#[test]
fn relays_of_larger_fabrics_of_1_2_splitters_carry_at_most_twice_the_mean() {
    check_loads(2, (1025..=5000).step_by(211));
}

#[test]
fn relays_of_larger_fabrics_of_1_4_splitters_carry_at_most_1_5_times_the_mean() {
    check_loads(4, (1025..=5000).step_by(53).chain([3072, 3584, 4095, 4096]));
}

#[test]
fn relays_of_larger_fabrics_of_1_8_splitters_carry_at_most_1_5_times_the_mean() {
    check_loads(8, (1025..=5000).step_by(53).chain([2560, 3072, 4095, 4096]));
}

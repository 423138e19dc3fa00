//! Fabrics for the laws, from edge lists that favour no router.

use lightloom_routing::parallel::{Installed, installed_sources};
use lightloom_routing::{OneMoreHop, RelayTables};
use lightloom_topology::family::{Shufflecast, custom, kautz};
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The tables of the router with one extra hop. All tests make it here.
pub fn one_more_hop(fabric: &Fabric) -> RelayTables {
    OneMoreHop::new(fabric).into_tables()
}

/// The largest set of candidates that can run in parallel with these tables, at most `at_most`.
pub fn installed(tables: &RelayTables, candidates: &[TorId], at_most: usize) -> Installed {
    let rows: Vec<&[TorId]> = candidates.iter().map(|&s| tables.row(s)).collect();
    installed_sources(candidates, &rows, at_most)
}

/// Random draws that are equal in every run.
pub fn seeded(seed: u32) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed.into())
}

pub fn shufflecast(p: u32, k: u32) -> Fabric {
    Shufflecast::new(p, k).unwrap().fabric().unwrap()
}

/// Connected multigraphs of up to `most` cassettes, including loops and parallel ToRs: a cycle through all
/// cassettes; then, for each further seat, one more ToR out of and into every cassette, across the fabric or
/// within one half of it. Some of these are left out. In any order.
pub fn any_custom(
    most: u32,
    fan_outs: std::ops::RangeInclusive<u32>,
) -> impl Strategy<Value = Fabric> {
    (1..=most, fan_outs)
        .prop_flat_map(|(n, p)| {
            let order = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
            let layers = vec((order.clone(), any::<bool>()), p as usize - 1);
            let left_out = prop_oneof![Just(0.0), 0.0..0.5_f64];
            (Just(p), order, layers, left_out, vec(0.0..1.0_f64, (n * p) as usize))
        })
        .prop_flat_map(|(p, cycle, layers, left_out, draws)| {
            let n = cycle.len();
            let mut list: Vec<(u32, u32)> =
                (0..n).map(|i| (cycle[i], cycle[(i + 1) % n])).collect();
            let mut more = Vec::new();
            for (order, local) in layers {
                let (half, other) = cycle.split_at(if local { n / 2 } else { 0 });
                for part in [half, other] {
                    let heads = order.iter().filter(|c| part.contains(c));
                    more.extend(part.iter().copied().zip(heads.copied()));
                }
            }
            // One ToR is not a fabric.
            list.extend(more.pop().filter(|_| n == 1));
            list.extend(more.into_iter().zip(draws).filter(|m| m.1 >= left_out).map(|m| m.0));
            Just(list).prop_shuffle().prop_map(move |list| from_list(p, &list))
        })
}

fn from_list(p: u32, list: &[(u32, u32)]) -> Fabric {
    let tors = (0..).map(TorId).zip(list);
    let entries: Vec<_> =
        tors.map(|(tor, &(from, to))| (tor, CassetteId(from), CassetteId(to))).collect();
    custom(p, &entries).unwrap()
}

/// Fabrics of all families, up to some 200 ToRs.
pub fn any_fabric() -> impl Strategy<Value = Fabric> {
    prop_oneof![
        3 => any_custom(12, 2..=4),
        1 => any_shufflecast(),
        2 => (2_u32..=5, 2_u32..200).prop_map(|(p, tors)| kautz(p, tors).unwrap()),
    ]
}

/// Shufflecasts of up to 192 ToRs.
pub fn any_shufflecast() -> impl Strategy<Value = Fabric> {
    prop::sample::select(vec![
        (2, 1),
        (9, 1),
        (2, 2),
        (3, 2),
        (4, 2),
        (2, 3),
        (3, 3),
        (4, 3),
        (2, 4),
    ])
    .prop_map(|(p, k)| shufflecast(p, k))
}

/// Fabrics in which every cassette feeds at least two ToRs and is lit by at least two, so that every rule and
/// every fibre is used.
pub fn any_busy_fabric() -> impl Strategy<Value = Fabric> {
    let busy = |f: &Fabric| {
        f.cassette_ids().all(|c| f.receivers(c).len() > 1 && f.transmitters(c).len() > 1)
    };
    prop_oneof![
        1 => prop::sample::select(vec![(2, 2), (2, 3), (3, 2), (4, 2)])
            .prop_map(|(p, k)| shufflecast(p, k)),
        2 => (3_u32..=5, 12_u32..80).prop_map(|(p, tors)| kautz(p, tors).unwrap()),
        2 => any_custom(8, 3..=4),
    ]
    .prop_filter("a cassette with one seat taken", busy)
}

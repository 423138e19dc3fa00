//! Trees, tables, the verifier and parallel sources, on a fabric that is already built.
//!
//! `bench/networkx_bfs.py` makes the same trees with NetworkX; `bench/run.sh` compares them.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fixedbitset::FixedBitSet;
use lightloom_routing::failure::{Damage, Failure};
use lightloom_routing::parallel::{parallel_sources, trees_for};
use lightloom_routing::recovery::{Objective, replan};
use lightloom_routing::verify::{LightMap, Replay};
use lightloom_routing::{Algorithm1, Balanced, RelayTables, Rotated, Router, Tree};
use lightloom_topology::family::{Shufflecast, kautz};
use lightloom_topology::{Fabric, TorId};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

fn kautz_4(tors: u32) -> Fabric {
    kautz(4, tors).expect("p and the number of ToRs are in bounds")
}

fn shufflecast_4_4() -> Shufflecast {
    Shufflecast::new(4, 4).expect("4,4 is a shape")
}

/// One source's tree: its relay row, and the depth of every cassette.
fn tree_163840(c: &mut Criterion) {
    let fabric = kautz_4(163_840);
    let mut group = c.benchmark_group("tree_163840");
    // A different root each time, so that no search is reused.
    let mut sources = fabric.tor_ids().step_by(641).cycle();
    group.bench_function("rotated", |b| {
        b.iter(|| {
            let source = sources.next().unwrap_or(TorId(0));
            let mut row = vec![TorId(0); fabric.cassettes()];
            Rotated::new(&fabric).relay_row(source, &mut row);
            let tree = Tree::new(&fabric, source, &row).expect("a router makes trees");
            black_box(tree.total_hops())
        });
    });
    group.finish();
}

/// The trees of all sources of 1,024 ToRs: tables, and the depths of every tree.
fn all_trees_1024(c: &mut Criterion) {
    let mut group = c.benchmark_group("all_trees_1024");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    let fabric = kautz_4(1024);
    group.bench_function("kautz_balanced", |b| {
        b.iter(|| Balanced::new(&fabric).into_tables().hops(&fabric).map(black_box));
    });
    group.bench_function("kautz_rotated", |b| {
        b.iter(|| {
            RelayTables::new(&fabric, &mut Rotated::new(&fabric)).hops(&fabric).map(black_box)
        });
    });
    let shape = shufflecast_4_4();
    let fabric = shape.fabric().expect("every shape is a fabric");
    group.bench_function("shufflecast_algorithm1", |b| {
        b.iter(|| {
            RelayTables::new(&fabric, &mut Algorithm1::new(shape)).hops(&fabric).map(black_box)
        });
    });
    group.finish();
}

fn balanced_tables(c: &mut Criterion) {
    let mut group = c.benchmark_group("balanced_tables");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for tors in [256, 1024, 4096] {
        let fabric = kautz_4(tors);
        group.bench_with_input(BenchmarkId::from_parameter(tors), &fabric, |b, fabric| {
            b.iter(|| Balanced::new(fabric));
        });
    }
    group.finish();
}

/// All copies of all sources of 1,024 ToRs: 2^20 copies.
fn verify(c: &mut Criterion) {
    let fabric = kautz_4(1024);
    let receivers = |tor| fabric.receivers(fabric.transmits_into(tor)).iter();
    let fibres = fabric.tor_ids().flat_map(|tor| receivers(tor).map(move |&to| (tor, to)));
    let wiring = LightMap::new(fabric.tors(), fibres);
    let tables = Balanced::new(&fabric).into_tables();
    let rules: Vec<FixedBitSet> = fabric
        .tor_ids()
        .map(|source| {
            let mut relays = FixedBitSet::with_capacity(fabric.tors());
            relays.extend(tables.row(source).iter().map(|relay| relay.index()));
            relays
        })
        .collect();
    let mut group = c.benchmark_group("verify");
    group.bench_function("all_sources_1024", |b| {
        b.iter(|| {
            wiring.check(fabric.fan_out()).expect("the wiring is right");
            let mut replay = Replay::new(&wiring);
            for source in fabric.tor_ids() {
                let has_rule = |tor: TorId| rules[source.index()].contains(tor.index());
                replay.source(source, 5, has_rule).expect("the tables are right");
            }
        });
    });
    group.finish();
}

fn parallel(c: &mut Criterion) {
    let fabric = kautz_4(1024);
    let mut group = c.benchmark_group("parallel_1024");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    group.bench_function("trees_for_4_random", |b| {
        b.iter(|| {
            let drawn = rand::seq::index::sample(&mut random, fabric.tors(), 4);
            let sources: Vec<TorId> = drawn.into_iter().map(TorId::at).collect();
            trees_for(&fabric, &sources).expect("any 4 sources can send at once")
        });
    });
    group.bench_function("parallel_sources", |b| {
        b.iter(|| parallel_sources(black_box(&fabric)));
    });
    group.finish();
}

/// One failed relay at 1,024 ToRs, another one each time: the repairs of all sources.
fn recover(c: &mut Criterion) {
    let shape = shufflecast_4_4();
    let fabric = shape.fabric().expect("every shape is a fabric");
    let tables = RelayTables::new(&fabric, &mut Algorithm1::new(shape));
    let mut group = c.benchmark_group("recover_1024");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    let objectives =
        [("fewest_changes", Objective::FewestChanges), ("fewest_hops", Objective::FewestHops)];
    for (name, objective) in objectives {
        let mut relays = fabric.tor_ids().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let relay = relays.next().expect("a fabric has ToRs");
                let damage = Damage::new(&fabric, &[Failure::Relay(relay)]).expect("it is one");
                replan(&damage, &tables, objective)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, tree_163840, all_trees_1024, balanced_tables, verify, parallel, recover);
criterion_main!(benches);

//! Whole plans through the one door, as the command line asks for them: design to files.
//!
//! A plan is made, verified, written and synced in one call, so the time of `plan` contains the
//! files and the summary of the other family too. The `ram` runs write to /dev/shm where there is one.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use lightloom::plan::plan;
use lightloom::{Project, Request, Setting, Value, Watch, setting};
use lightloom_topology::TorId;
use tempfile::TempDir;

fn open(family: &str, p: i64, size: (&'static Setting<u32>, i64)) -> Project {
    let flags = vec![
        (*setting::fabric::FAMILY, Value::Text(family.into())),
        (*setting::fabric::P, Value::Integer(p)),
        (**size.0, Value::Integer(size.1)),
    ];
    lightloom::open(&Request { flags, ..Request::default() }).expect("the design is right")
}

fn open_1024(family: &str) -> Project {
    match family {
        "shufflecast" => open(family, 4, (&setting::fabric::K, 4)),
        _ => open(family, 4, (&setting::fabric::TORS, 1024)),
    }
}

/// Where plans go, and what to call it.
fn places() -> Vec<(&'static str, PathBuf)> {
    let ram = Path::new("/dev/shm");
    let mut places = vec![("disk", std::env::temp_dir())];
    if ram.is_dir() {
        places.push(("ram", ram.to_path_buf()));
    }
    places
}

fn folder(place: &Path) -> TempDir {
    TempDir::new_in(place).expect("a folder can be made")
}

/// Design, fabric, hall, tables of all sources, proof of all copies, wires, files.
fn plan_1024(c: &mut Criterion) {
    let mut group = c.benchmark_group("plan_1024");
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .measurement_time(Duration::from_secs(5));
    for family in ["shufflecast", "kautz"] {
        for (name, place) in places() {
            group.bench_function(BenchmarkId::new(family, name), |b| {
                b.iter_batched(
                    || folder(&place),
                    |folder| {
                        let project = open_1024(family);
                        let out = folder.path().join("plan");
                        let planned =
                            plan(&project, &out, Watch::quiet()).expect("the plan is right");
                        assert_eq!(planned.report.verification.sources_checked, 1024);
                        (folder, planned)
                    },
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

fn files_16384(c: &mut Criterion) {
    let mut group = c.benchmark_group("files_16384");
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .measurement_time(Duration::from_secs(10));
    for (name, place) in places() {
        group.bench_function(BenchmarkId::new("kautz", name), |b| {
            b.iter_batched(
                || folder(&place),
                |folder| {
                    let project = open("kautz", 4, (&setting::fabric::TORS, 16_384));
                    let out = folder.path().join("plan");
                    let planned = plan(&project, &out, Watch::quiet()).expect("the plan is right");
                    (folder, planned)
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// The answer of `tree`: relays, and the path to every other ToR.
fn tree_163840(c: &mut Criterion) {
    let project = open("kautz", 4, (&setting::fabric::TORS, 163_840));
    let mut sources = project.fabric().tor_ids().step_by(641).cycle();
    let mut group = c.benchmark_group("tree_163840");
    group.sample_size(20);
    group.bench_function("project", |b| {
        b.iter_with_large_drop(|| {
            let source = sources.next().unwrap_or(TorId(0));
            black_box(project.tree(source).expect("the router makes trees"))
        });
    });
    group.finish();
}

criterion_group!(benches, plan_1024, files_16384, tree_163840);
criterion_main!(benches);

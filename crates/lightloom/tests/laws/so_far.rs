//! Laws of what a run hands out while it is at work: it grows, it is the same on any number of threads, and it changes
//! no result.

use std::fs;
use std::sync::Mutex;

use lightloom::Watch;
use lightloom::twin::{SimulateOptions, SimulateReport, Simulated, SoFarReport, simulate};

const SCENARIO: &str = "version = 1\nuntil = \"5 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\nspines = 2\n\
                        hosts_per_leaf = 4\nrate = \"100 Gb/s\"\nlength = \"20 m\"\n[[traffic]]\n\
                        pattern = \"incast\"\nsenders = 12\nto = 0\nsize = \"400 kB\"\n[[traffic]]\n\
                        pattern = \"permutation\"\nsize = \"200 kB\"\nclass = \"lossy\"\n";

fn watched(threads: usize) -> (SimulateReport, Vec<SoFarReport>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.toml");
    fs::write(&path, SCENARIO).expect("the test writes its input");
    let samples = Mutex::new(Vec::new());
    let hear = |sample| samples.lock().expect("no panic").push(sample);
    let options = SimulateOptions { threads: Some(threads), ..SimulateOptions::default() };
    let answer = simulate(&path, &options, Watch::quiet().on_part(&hear)).expect("a scenario");
    let Simulated::One(run) = answer else { panic!("one seed is one run") };
    (run.report, samples.into_inner().expect("no panic"))
}

#[test]
fn samples_grow_and_are_the_same_on_any_number_of_threads() {
    let (report, samples) = watched(1);
    assert!(samples.len() > 10);
    assert!(samples.iter().any(|sample| sample.queued_bytes > 0));
    for pair in samples.windows(2) {
        assert!(pair[0].at_ps < pair[1].at_ps);
        assert!(pair[0].delivered_bytes <= pair[1].delivered_bytes);
        assert!(pair[0].completed <= pair[1].completed);
    }
    for sample in &samples {
        let longest = sample.longest.as_ref().map_or(0, |queue| u64::from(queue.bytes));
        assert!(longest <= sample.queued_bytes && (longest > 0) == (sample.queued_bytes > 0));
    }
    let delivered: u64 = report.throughput.bytes.iter().sum();
    let last = samples.last().expect("there is one");
    assert!(last.delivered_bytes <= delivered && last.delivered_bytes > 0);
    assert!(last.completed <= report.flows.completed as u64);
    for threads in [2, 3] {
        let (again, others) = watched(threads);
        assert!(again == report && others == samples, "{threads} threads");
    }
}

#[test]
fn a_watch_that_wants_nothing_hears_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.toml");
    fs::write(&path, SCENARIO).expect("the test writes its input");
    let hear = |_| panic!("nobody wants it");
    let watch = Watch::quiet().on_part(&hear).parts_when(&|_| false);
    simulate(&path, &SimulateOptions::default(), watch).expect("a scenario");
}

//! What `lightloom simulate` does to files, and how long runs are recorded.

use crate::bench::Bench;
use crate::simulate::bench_with;

const SMALL: &str = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\n\
                     spines = 1\nhosts_per_leaf = 2\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n\
                     [[flow]]\nfrom = 0\nto = 3\nsize = \"10 kB\"\n";

fn answers(bench: &Bench, args: &[&str]) {
    let ran = bench.run(&[&["simulate", "s.toml"], args].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn a_trace_never_goes_over_what_is_read_or_written() {
    let bench = bench_with(SMALL);
    answers(&bench, &["--out", "out"]);
    let before = bench.snapshot();
    let refused = [
        (&["--trace", "s.toml"][..], "is a file that the scenario is read from"),
        (&["--trace", "./s.toml"], "is a file that the scenario is read from"),
        (&["--out", "out", "--trace", "out/trace.txt"], "is in the folder of results"),
        (&["--out", "out", "--trace", "out/../out/flows.csv"], "is in the folder of results"),
        (&["--trace", "out"], "is a folder"),
        (&["--trace", "none/trace.txt"], "cannot be written"),
    ];
    for (args, why) in refused {
        bench.refuses(&[&["simulate", "s.toml"], args].concat(), &["--trace: ", why]);
        assert_eq!(bench.snapshot(), before, "{args:?}");
    }
    answers(&bench, &["--out", "out", "--trace", "trace.txt"]);
    let names = bench.names(".");
    assert!(names.contains(&"trace.txt".into()) && !names.iter().any(|n| n.contains("part")));
}

#[test]
fn one_folder_holds_one_run_or_several() {
    let bench = bench_with(SMALL);
    answers(&bench, &["--out", "out"]);
    answers(&bench, &["--out", "out", "--seeds", "2"]);
    assert_eq!(bench.names("out"), ["replicas.csv", "report.json"]);
    answers(&bench, &["--out", "out"]);
    assert!(!bench.names("out").contains(&"replicas.csv".into()));
}

#[test]
fn long_runs_have_long_intervals() {
    let late = SMALL.replace("1 ms", "9200000 s") + "start = \"9100000 s\"\n";
    let bench = bench_with(&late);
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["flows"]["completed"], 1);
    let intervals = answer["throughput"]["bytes"].as_array().unwrap().len();
    assert!((1_000_000..=1 << 20).contains(&intervals), "{intervals}");
    let said = format!("{late}[probes]\ninterval = \"1 s\"\n");
    let bench = bench_with(&said);
    bench.refuses(&["simulate", "s.toml"], &["probes.interval: found 1 s", "9200000 intervals"]);
}

#[test]
fn means_leave_out_what_did_not_run() {
    // Too short for all flows: completion times are those of the lucky ones, and it is said.
    let short = SMALL.replace("1 ms", "6 us") + "[[flow]]\nfrom = 1\nto = 3\nsize = \"1 MB\"\n";
    let answer = bench_with(&short).ask(&["simulate", "s.toml", "--seeds", "3"]);
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.contains("3 of 3 runs have unfinished flows"), "{warning}");
}

#[test]
fn traffic_that_draws_nothing_is_refused_at_its_load() {
    let head = SMALL.split("[[flow]]").next().unwrap();
    let bench = bench_with(&format!(
        "{head}[[traffic]]\npattern = \"poisson\"\nload = 1e-9\nsize = \"1 kB\"\n"
    ));
    bench.refuses(
        &["simulate", "s.toml"],
        &["traffic.load: found 0.000000001, at which no message"],
    );
}

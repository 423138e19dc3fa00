//! Routes around dead links and switches, in a scenario.

use serde_json::Value;

use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"20 ms\"\npatience = \"5 ms\"\n\
                    [parameters.transport]\ntimeout = \"200 us\"\n";
const NETWORK: &str = "[network]\nkind = \"leaf-spine\"\nleaves = 4\nspines = 2\nhosts_per_leaf = 2\n\
                       rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const RECOVERY: &str =
    "[recovery]\ndetection = \"15 us\"\ncomputation = \"10 us\"\ninstallation = \"5 us\"\n";
const GROUP: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"rc\"\n\
                     [[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"2 MB\"\n";

/// The times of what happens, in picoseconds.
fn times(answer: &Value, what: &str) -> Vec<u64> {
    let events = answer["recovery"]["events"].as_array().expect("events");
    let of = events.iter().filter(|event| event["what"] == what);
    of.map(|event| event["at_ps"].as_u64().expect("a time")).collect()
}

#[test]
fn a_spine_dies_and_comes_back() {
    let dies = |spine| {
        format!("[[failure]]\nnode = \"spine {spine}\"\nat = \"60 us\"\nuntil = \"300 us\"\n")
    };
    for spine in [0, 1] {
        let bench = bench_with(&format!("{HEAD}{NETWORK}{GROUP}{}{RECOVERY}", dies(spine)));
        let answer = bench.ask(&["simulate", "s.toml", "--check"]);
        assert_eq!(answer["multicasts"][0]["completed"], 7);
        assert_eq!(answer["groups"][0]["standing"], "over");
        assert_eq!(times(&answer, "failed"), [60_000_000]);
        assert_eq!(times(&answer, "detected"), [75_000_000, 315_000_000]);
        assert_eq!(times(&answer, "rerouted"), [90_000_000, 330_000_000]);
        assert_eq!(answer["recovery"]["lacking"], serde_json::json!([]));
        let text = bench.run(&["simulate", "s.toml"]).stdout;
        assert!(text.contains("rerouted"), "{text}");
    }
}

#[test]
fn hosts_that_are_cut_off_are_named() {
    let dies = "[[failure]]\nnode = \"leaf 2\"\nat = \"60 us\"\n";
    let bench = bench_with(&format!("{HEAD}{NETWORK}{GROUP}{dies}{RECOVERY}"));
    let text = bench.run(&["simulate", "s.toml"]).stdout;
    assert!(text.contains("no path of links reaches host 4, host 5"), "{text}");
    assert!(text.contains("A part of a message"), "{text}");
}

/// Without `[recovery]`, the sender tells the leader after two timeouts.
#[test]
fn a_switch_that_restarts_gets_its_tables_again() {
    let dies = "[[failure]]\nnode = \"leaf 2\"\nat = \"60 us\"\nuntil = \"70 us\"\n";
    for recovery in ["", RECOVERY] {
        let bench = bench_with(&format!("{HEAD}{NETWORK}{GROUP}{dies}{recovery}"));
        let answer = bench.ask(&["simulate", "s.toml", "--check"]);
        assert_eq!(answer["multicasts"][0]["completed"], 7, "{recovery:?}");
        assert_eq!(answer["groups"][0]["standing"], "over");
    }
}

#[test]
fn an_objective_needs_a_plan() {
    let objective = "objective = \"fewest-hops\"\n";
    bench_with(&format!("{HEAD}{NETWORK}{GROUP}{RECOVERY}{objective}"))
        .refuses(&["simulate", "s.toml"], &["recovery.objective", "planned fabric"]);
}

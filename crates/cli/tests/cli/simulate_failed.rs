//! Runs in which messages fail: their ending, who lacks what, and why; and members that are declared dead for good.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::simulate::bench_with;

const NETWORK: &str = "[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 12\n\
                       rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const ALL: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\n\
                   [[multicast]]\ngroup = \"all\"\nfrom = 0\nsize = \"1 MB\"\n";

fn bench(until: &str, more: &str) -> Bench {
    bench_with(&format!("version = 1\nuntil = \"{until}\"\n{NETWORK}{more}"))
}

/// The answer of a run that must have failed, in each of its forms.
fn failed(bench: &Bench) -> Value {
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    let answer = ran.document();
    assert_eq!((ran.code, &answer["end"]["how"]), (1, &json!("failed")), "{}", answer["end"]);
    let text = bench.run(&["simulate", "s.toml"]);
    assert!(text.code == 1 && text.stdout.starts_with("FAILED at "), "{text:?}");
    let many = bench.run(&["simulate", "s.toml", "--seeds", "2", "--json"]);
    assert_eq!(many.code, 1);
    assert_eq!(many.document()["replicas"][1]["end"]["how"], "failed");
    answer
}

fn why(answer: &Value, parts: &[&str]) {
    let why = answer["end"]["why"].as_str().expect("a run that failed says why");
    for part in parts {
        assert!(why.contains(part), "{part}: {why}");
    }
}

#[test]
fn a_group_that_a_switch_refuses_fails_and_names_switch_member_and_reason() {
    let fan_out = "[parameters.groups]\nfan_out = 8\n";
    let answer = failed(&bench("5 ms", &format!("{ALL}{fan_out}")));
    let failure = &answer["end"]["failures"][0];
    assert_eq!((&failure["cause"], &failure["switch"]), (&json!("fan-out"), &json!("leaf 0")));
    assert_eq!(failure["members"].as_array().unwrap().len(), 23);
    why(&answer, &["message 0 to group \"all\"", "leaf 0 refused", "a group may use 8", "host 1"]);
    let memory = "[parameters.groups]\nmemory = \"60 B\"\n";
    let answer = failed(&bench("5 ms", &format!("{ALL}{memory}")));
    assert_eq!(answer["end"]["failures"][0]["cause"], "memory");
    why(&answer, &["leaf 0 refused", "it has 60 for them"]);
    for table in answer["group_tables"].as_array().into_iter().flatten() {
        assert!(table["bytes"].as_u64().unwrap() <= 60, "{table}");
    }
}

/// What a refused group would have needed is not there for others to miss (cepheus:III-D.memory).
#[test]
fn a_refused_group_takes_no_memory_from_others() {
    let groups = "[[group]]\nname = \"wide\"\nmembers = \"all\"\n[[group]]\nname = \"pair\"\nmembers = [1, 2]\n\
                  [[multicast]]\ngroup = \"wide\"\nfrom = 0\nsize = \"1 MB\"\n\
                  [[multicast]]\ngroup = \"pair\"\nfrom = 1\nsize = \"1 MB\"\n\
                  [parameters.groups]\nmemory = \"60 B\"\n";
    let answer = failed(&bench("5 ms", groups));
    assert_eq!(
        answer["multicasts"][1]["completed"], 1,
        "13 bytes for its ports, 10 for each of two, 12 for the address of each"
    );
    assert_eq!(answer["end"]["failures"].as_array().unwrap().len(), 1);
    assert_eq!(answer["group_tables"][0]["bytes"], 57);
}

/// No data flow before all have confirmed (cepheus:III-C.confirm, gleam:A.confirm).
#[test]
fn a_group_with_a_tor_that_is_dead_from_the_start_fails_whatever_ends_the_run_first() {
    let dead =
        "[[failure]]\nnode = \"leaf 1\"\nat = \"0 s\"\n[parameters.groups]\nregister_tries = 3\n";
    let long = "[[flow]]\nfrom = 1\nto = 2\nsize = \"100 MB\"\n";
    for (until, more) in [("20 ms", ""), ("5 ms", long), ("2 ms", "")] {
        let answer = failed(&bench(until, &format!("{more}{ALL}{dead}")));
        let failure = &answer["end"]["failures"][0];
        assert_eq!(failure["cause"], "unconfirmed", "{until}");
        // The hosts of the living ToR lack it, and those of the dead one are named apart.
        let hosts = |from: u32, to: u32| {
            json!((from..to).map(|host| format!("host {host}")).collect::<Vec<_>>())
        };
        assert_eq!(failure["members"], hosts(1, 12));
        assert_eq!(answer["end"]["exempt"][0]["members"], hosts(12, 24));
        why(&answer, &["host 12, host 13", "never confirmed"]);
    }
}

const GUARD: &str = "[parameters.groups]\nsafeguard = \"behind\"\nsafeguard_window = \"200 us\"\n\
                     register_tries = 2\n[parameters.transport]\ntimeout = \"100 us\"\nretries = 3\n";

/// A member whose link dies for a while is cut off; one that the scenario takes down for good is not the run's fault.
#[test]
fn a_member_that_is_cut_off_fails_the_run_unless_it_is_declared_dead_for_good() {
    let dies = |until: &str| {
        format!("{ALL}{GUARD}[[failure]]\nlink = [\"host 3\", \"leaf 0\"]\nat = \"50 us\"\n{until}")
    };
    let answer = failed(&bench("100 ms", &dies("until = \"90 ms\"\n")));
    let failure = &answer["end"]["failures"][0];
    assert_eq!((&failure["cause"], &failure["members"]), (&json!("cut-off"), &json!(["host 3"])));
    assert_eq!(answer["groups"][0]["standing"], "cut-off");
    let bench = bench("100 ms", &dies(""));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!((&answer["end"]["how"], &answer["end"]["failures"]), (&json!("done"), &Value::Null));
    assert_eq!(answer["end"]["exempt"][0]["members"], json!(["host 3"]));
    let text = bench.run(&["simulate", "s.toml"]);
    assert!(text.code == 0 && text.stdout.contains("declared dead for good"), "{text:?}");
}

/// An error of a queue pair fails the run, with a group or without one, and with other traffic that goes on.
#[test]
fn an_error_of_a_queue_pair_ends_with_code_1() {
    let dead = "[[failure]]\nlink = [\"host 1\", \"leaf 0\"]\nat = \"25 us\"\n\
                [parameters.transport]\ntimeout = \"100 us\"\nretries = 2\n";
    let flows = "[[flow]]\nfrom = 0\nto = 1\nsize = \"1 MB\"\n[[flow]]\nfrom = 2\nto = 3\nsize = \"1 GB\"\n";
    let answer = failed(&bench("3 ms", &format!("{flows}{dead}")));
    let failure = &answer["end"]["failures"][0];
    assert_eq!(failure["cause"], "retries-exceeded");
    assert_eq!(
        (&failure["message"], &failure["members"]),
        (&json!("flow 0 (host 0 to host 1)"), &json!(["host 1"]))
    );
    why(&answer, &["flow 0", "after 3 timeouts", "host 1 lacks a part"]);
    // Of a group, the first message is lacked by the dead member alone, and the second by all.
    let second = "[[multicast]]\ngroup = \"all\"\nfrom = 0\nstart = \"90 us\"\nsize = \"1 MB\"\n";
    let answer = failed(&bench("100 ms", &format!("{ALL}{second}{dead}")));
    assert_eq!(answer["end"]["failures"].as_array().unwrap().len(), 1);
    let failure = &answer["end"]["failures"][0];
    assert_eq!(
        failure["members"].as_array().unwrap().len(),
        22,
        "all that lack a part but the dead one"
    );
    assert_eq!(answer["end"]["exempt"][0]["members"], json!(["host 1"]));
}

//! Repairs that are written in advance are those that `recover` would answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, SMALL};
use crate::impact::read;
use crate::recover::recover;

const KAUTZ: [&str; 6] = ["--family", "kautz", "--p", "4", "--tors", "10"];

fn repairs_to<'a>(out: &'a str, design: &[&'a str]) -> Vec<&'a str> {
    [&["repairs", "--out", out], design].concat()
}

/// The index and the lines of a folder of repairs.
fn written(bench: &Bench, out: &str) -> (BTreeMap<String, usize>, Vec<Value>) {
    let text = |name: &str| fs::read_to_string(bench.path(out).join(name)).expect("a file");
    let lines = text("repairs.jsonl");
    assert!(lines.ends_with('\n'));
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    (serde_json::from_str(&text("index.json")).expect("an index"), lines.collect())
}

/// Every single relay, branch, ToR and cassette of a fabric.
fn single_failures(bench: &Bench, design: &[&str]) -> BTreeSet<String> {
    let fabric = bench.ask(&[&["fabric"], design].concat());
    let edges: Vec<(usize, usize, usize)> = read(&fabric["edges"]);
    let mut names = BTreeSet::new();
    for &(from, _, into) in &edges {
        names.extend([format!("relay:{from}"), format!("tor:{from}"), format!("cassette:{into}")]);
        let fed = edges.iter().filter(|edge| edge.1 == into);
        names.extend(fed.map(|to| format!("branch:{from}->{}", to.0)));
    }
    names
}

#[test]
fn every_single_failure_has_the_line_that_recover_answers() {
    for (design, objective) in [(&SMALL[..], "fewest-changes"), (&KAUTZ[..], "fewest-hops")] {
        let bench = Bench::new();
        let more = ["--objective", objective];
        let answer = bench.ask(&[&repairs_to("repairs", design)[..], &more].concat());
        let (index, lines) = written(&bench, "repairs");
        assert_eq!(answer["repairs"], lines.len());
        let names: BTreeSet<String> = index.keys().cloned().collect();
        assert_eq!(names, single_failures(&bench, design));
        let places: BTreeSet<usize> = index.values().copied().collect();
        assert!(places.into_iter().eq(0..lines.len()), "a line for each name, and no other");
        let mut lost = BTreeSet::new();
        for (name, &at) in &index {
            let recovered = recover(&bench, design, name, &more);
            for key in [
                "failed",
                "objective",
                "failed_sources",
                "restored",
                "unreachable",
                "changes",
                "via",
                "accept",
            ] {
                assert_eq!(lines[at][key], recovered[key], "{name}: {key}");
            }
            lost.extend((recovered["restored"] == false).then(|| name.clone()));
        }
        assert_eq!(read::<BTreeSet<String>>(&answer["not_restored"]), lost);
    }
}

#[test]
fn two_runs_write_the_same_bytes_and_nothing_else() {
    let bench = Bench::new();
    for out in ["a", "b", "b"] {
        let ran = bench.run(&repairs_to(out, &KAUTZ));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
        assert!(ran.stdout.ends_with('\n'));
    }
    assert_eq!(bench.names("."), ["a", "b"]);
    for file in bench.names("a") {
        let bytes = |out: &str| fs::read(bench.path(out).join(&file)).expect("a file");
        assert!(bytes("a") == bytes("b"), "{file}");
    }
    assert_eq!(bench.names("b"), ["index.json", "repairs.jsonl"]);
}

#[test]
fn repairs_of_another_design_replace_the_old_ones_in_one_step() {
    let bench = Bench::new();
    bench.ask(&repairs_to("repairs", &KAUTZ));
    bench.ask(&repairs_to("repairs/", &SMALL));
    let (index, lines) = written(&bench, "repairs");
    // 8 relays, 16 branches, 8 ToRs and 4 cassettes.
    assert_eq!((index.len(), lines.len()), (36, 36));
    assert_eq!(bench.names("."), ["repairs"]);
    assert_eq!(bench.names("repairs"), ["index.json", "repairs.jsonl"]);
}

#[test]
fn a_folder_of_something_else_is_refused_and_left_alone() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.refuses(&repairs_to("plan", &SMALL), &["another kind"]);
    bench.ask(&repairs_to("repairs", &SMALL));
    bench.write("repairs/notes.txt", "mine");
    bench.refuses(&repairs_to("repairs", &SMALL), &["repairs: holds", "notes.txt"]);
    fs::create_dir(bench.path("data")).expect("a folder");
    bench.write("data/repairs.jsonl", "my own list");
    bench.refuses(&repairs_to("data", &SMALL), &["data: holds", "repairs.jsonl"]);
    bench.write("file", "my notes");
    bench.refuses(&repairs_to("file", &SMALL), &["file"]);
    bench.refuses(
        &[&["plan", "--out", "repairs"], &SMALL[..]].concat(),
        &["repairs: is a folder of lightloom of another kind"],
    );
}

#[test]
fn refused_repairs_leave_the_old_ones_byte_for_byte() {
    let bench = Bench::new();
    bench.ask(&repairs_to("repairs", &SMALL));
    for out in ["repairs", "a/b"] {
        bench.refuses(&repairs_to(out, &["absent.toml"]), &["absent.toml"]);
        let unknown = [&SMALL[..], &["--objective", "cheapest"]].concat();
        bench.refuses(&repairs_to(out, &unknown), &["--objective", "cheapest"]);
        bench
            .refuses(&repairs_to(out, &["--family", "kautz", "--p", "1", "--tors", "9"]), &["--p"]);
    }
    bench.refuses(&[&["repairs"], &SMALL[..]].concat(), &["--out"]);
}

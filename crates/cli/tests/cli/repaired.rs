//! What `recover` says and writes beside its answer: filters and stand-ins by name, the exit code, and
//! a target that is looked at first. `recover.rs` proves the answers.

use std::fs;

use serde_json::json;

use crate::bench::{Bench, SMALL};
use crate::reader::Plan;
use crate::recover::recover;

const FIGURE_4: [&str; 6] = ["--family", "shufflecast", "--p", "2", "--k", "3"];

#[test]
fn rules_list_the_filters_and_stand_ins_of_the_answer() {
    let bench = Bench::new();
    let answer = recover(&bench, &FIGURE_4, "branch:3->15", &["--apply", "out"]);
    let plan = Plan::read(&bench, "out");
    assert_eq!(
        (&plan.accept, &answer["accept"]),
        (&json!({"14": {"3": 3}}), &json!({"14": {"3": 3}}))
    );
    assert_eq!((&plan.via, &answer["via"]), (&json!({}), &json!({})));
    let answer = recover(&bench, &FIGURE_4, "relay:8", &["--apply", "out"]);
    let plan = Plan::read(&bench, "out");
    assert_eq!((&plan.via, &answer["via"]), (&json!({"8": 12}), &json!({"8": 12})));
    assert_eq!((&plan.accept, &answer["accept"]), (&json!({}), &json!({})));
}

#[test]
fn a_router_that_is_named_has_no_filters_either() {
    let bench = Bench::new();
    bench.plan("plan", &["--family", "kautz", "--p", "8", "--tors", "4100"]);
    let bytes = fs::read(bench.path("plan/rules.json")).expect("rules");
    let rules: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(rules, json!({"router": rules["router"], "accept": {}, "via": {}}));
    bench.write("plan/rules.json", "{\"router\":\"magic\",\"accept\":{},\"via\":{\"3\":5}}");
    let ran = bench.verify("plan");
    assert_eq!(ran.code, 1, "{ran:?}");
    for part in ["rules.json: router is \"magic\"", "rules.json: via: source 3"] {
        assert!(ran.stdout.contains(part), "{ran:?}");
    }
}

#[test]
fn every_filter_and_stand_in_is_named_in_words() {
    let bench = Bench::new();
    for failed in ["branch:3->15,relay:8", "cassette:3,branch:0->8,rx:17/1"] {
        let answer = recover(&bench, &FIGURE_4, failed, &[]);
        let ran = bench.run(&[&["recover", "--failed", failed], &FIGURE_4[..]].concat());
        let accept = answer["accept"].as_object().expect("filters");
        let via = answer["via"].as_object().expect("stand-ins");
        assert!(!accept.is_empty() && !via.is_empty(), "{answer}");
        let lines: Vec<&str> = ran.stdout.lines().collect();
        for (tor, only) in accept {
            for (source, from) in only.as_object().expect("sources") {
                let (start, end) = (
                    format!("ToR {tor} takes source"),
                    format!(" from the splitter of ToR {from} only."),
                );
                let named = |line: &&str| {
                    let inner = line.strip_prefix(&start)?.strip_suffix(&end)?;
                    let sources = inner.trim_start_matches('s').trim().split(", ");
                    Some(sources.map(str::to_owned).collect::<Vec<_>>())
                };
                assert!(
                    lines.iter().filter_map(named).flatten().any(|named| named == *source),
                    "{tor}: {source}: {from}: {ran:?}"
                );
            }
        }
        for (source, root) in via {
            let said = format!("Source {source} unicasts to ToR {root}, which transmits first.");
            assert!(lines.contains(&said.as_str()), "{ran:?}");
        }
        assert!(ran.stdout.contains("put the old rules back"), "{ran:?}");
    }
}

/// Plans that were written before answers told the hops that a repair adds are good plans.
#[test]
fn a_recovered_plan_has_no_added_hops() {
    let bench = Bench::new();
    let design = ["--family", "shufflecast", "--p", "2", "--k", "3"];
    let args = ["--failed", "relay:8", "--apply", "around"];
    let answer = bench.ask(&[&["recover"], &design[..], &args].concat());
    assert!(answer["added_hops"].as_array().is_some_and(|added| !added.is_empty()), "{answer}");
    let files = bench.snapshot();
    let plan = std::str::from_utf8(&files[&bench.path("around/plan.json")]).expect("it is a text");
    assert!(plan.contains("\"failed_sources\"") && !plan.contains("added_hops"));
    assert_eq!(bench.verify("around").code, 0);
}

#[test]
fn the_exit_code_says_whether_all_is_restored() {
    let bench = Bench::new();
    let nothing_left = "cassette:0,cassette:1,cassette:2,cassette:3";
    for (failed, code) in [("relay:3", 0), ("branch:0->4", 0), ("tor:3", 1), (nothing_left, 1)] {
        let args = [&["recover", "--failed", failed, "--apply", "out"], &SMALL[..]].concat();
        assert_eq!(bench.run(&args).code, code, "{failed}");
        let ran = bench.verify("out");
        assert_eq!(ran.code, code, "{failed}");
        assert!(!ran.stdout.contains("Wrong"), "{failed}: what can be done is done: {ran:?}");
    }
}

#[test]
fn the_same_sources_have_failed_in_all_answers() {
    let bench = Bench::new();
    for failed in ["relay:8", "tor:3,rx:12/1", "cassette:2,branch:3->14", "branch:3->14"] {
        let impact = bench.ask(&[&["impact", "--failed", failed], &FIGURE_4[..]].concat());
        let answer = recover(&bench, &FIGURE_4, failed, &[]);
        assert_eq!(answer["failed_sources"], impact["failed_sources"], "{failed}");
        assert_eq!(answer["not_counted"], json!([]), "{failed}");
        // A failed source has a stand-in, or is among those that miss somebody.
        for source in impact["failed_sources"].as_array().expect("sources") {
            let (via, missing) = (&answer["via"], &answer["unreachable"]);
            let source = source.to_string();
            assert!(via.get(&source).is_some() || missing.get(&source).is_some(), "{failed}");
        }
    }
    let answer = recover(&bench, &FIGURE_4, "relay:8", &["--method", "algorithm2"]);
    assert_eq!((&answer["failed_sources"], &answer["not_counted"]), (&json!([8]), &json!([8])));
}

#[test]
fn the_target_is_looked_at_before_any_work() {
    let bench = Bench::new();
    fs::create_dir(bench.path("data")).expect("a folder");
    bench.write("data/notes.txt", "mine");
    // The design is wrong as well, and is not even read.
    let args = ["recover", "absent.toml", "--failed", "relay:8", "--apply"];
    let ran = bench.refuses(&[&args[..], &["data"]].concat(), &["data: holds", "notes.txt"]);
    assert!(!ran.stderr.contains("absent.toml"), "{ran:?}");
    // What an interrupted run left is mended, whatever comes after.
    bench.plan("plan", &SMALL);
    bench.write("plan/.lightloom-moved", "");
    fs::rename(bench.path("plan"), bench.path(".plan.lightloom-0123456789abcdef")).expect("moved");
    let ran = bench.run(&[&args[..], &["plan"]].concat());
    assert!(ran.code == 2 && ran.stderr.contains("absent.toml"), "{ran:?}");
    assert_eq!(bench.names("."), ["data", "plan"]);
    assert_eq!(bench.verify("plan").code, 0);
}

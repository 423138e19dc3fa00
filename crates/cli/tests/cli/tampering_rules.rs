//! Filters and stand-ins of a recovered plan, each changed: `verify` says where, and replays what the
//! file says.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, Ran, SMALL};

/// One filter, of ToR 14 for source 3, and one stand-in, ToR 12 for source 8.
const RECOVER: [&str; 11] = [
    "recover",
    "--family",
    "shufflecast",
    "--p",
    "2",
    "--k",
    "3",
    "--failed",
    "branch:3->15,relay:8",
    "--apply",
    "plan",
];

fn recovered() -> (Bench, String) {
    let bench = Bench::new();
    let ran = bench.run(&RECOVER);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(bench.verify("plan").code, 0);
    let rules = fs::read_to_string(bench.path("plan/rules.json")).expect("rules");
    let read: Value = serde_json::from_str(&rules).expect("JSON");
    assert_eq!((&read["accept"], &read["via"]), (&json!({"14": {"3": 3}}), &json!({"8": 12})));
    (bench, rules)
}

fn verified(rules: &str) -> Ran {
    let (bench, before) = recovered();
    assert_ne!(before, rules, "the test changes nothing");
    bench.write("plan/rules.json", rules);
    bench.verify("plan")
}

/// Changes the file as JSON; expects `verify` to find each of `place` and to end with 1.
fn detected(change: impl FnOnce(&mut Value), place: &[&str]) {
    let (_, before) = recovered();
    let mut rules: Value = serde_json::from_str(&before).expect("JSON");
    change(&mut rules);
    told(&verified(&rules.to_string()), place);
}

fn told(ran: &Ran, place: &[&str]) {
    assert_eq!(ran.code, 1, "{ran:?}");
    for part in place {
        assert!(ran.stdout.contains(part), "no {part:?} in {ran:?}");
    }
}

/// Replaces text; expects a refusal that names file and line.
fn refused(from: &str, to: &str, parts: &[&str]) {
    let (bench, before) = recovered();
    let after = before.replacen(from, to, 1);
    assert_ne!(before, after, "no {from:?} in {before}");
    let line = 1 + before[..before.find(from).expect("it is there")].matches('\n').count();
    bench.write("plan/rules.json", after);
    let ran = bench.refuses(&["verify", "plan"], parts);
    let place = (line..line + 2).map(|line| format!("rules.json:{line}"));
    assert!(place.into_iter().any(|place| ran.stderr.contains(&place)), "line {line}: {ran:?}");
}

#[test]
fn a_filter_that_is_missing_loops() {
    let place = ["rules.json: accept: ToR 14 lacks the filter", "source 3", "replay: source 3"];
    detected(|rules| rules["accept"] = json!({}), &place);
    detected(|rules| rules["accept"]["14"] = json!({}), &["listed without a source", "replay"]);
}

#[test]
fn a_filter_too_many() {
    detected(
        |rules| rules["accept"]["14"]["4"] = json!(3),
        &["rules.json: accept: ToR 14 has a filter too many", "source 4"],
    );
    // A filter that no splitter meets takes the copy away.
    detected(
        |rules| rules["accept"]["5"] = json!({"0": 5}),
        &[
            "rules.json: accept: ToR 5 has a filter too many",
            "replay: source 0: ToR 5 gets no copy",
        ],
    );
}

#[test]
fn a_filter_for_another_splitter() {
    let place = ["rules.json: accept: ToR 14", "ToR 7", "the plan says ToR 3", "replay: source 3"];
    detected(|rules| rules["accept"]["14"]["3"] = json!(7), &place);
}

#[test]
fn a_stand_in_that_is_missing() {
    let place = ["rules.json: via: source 8 lacks its stand-in, ToR 12", "replay: source 8"];
    detected(|rules| rules["via"] = json!({}), &place);
}

#[test]
fn a_stand_in_too_many() {
    let place = ["rules.json: via: source 5 has a stand-in too many, ToR 6", "replay: source 5"];
    detected(|rules| rules["via"]["5"] = json!(6), &place);
}

#[test]
fn another_stand_in() {
    let place =
        ["rules.json: via: the stand-in of source 8 is ToR 0", "ToR 12", "replay: source 8"];
    detected(|rules| rules["via"]["8"] = json!(0), &place);
    // Itself, whose transmitter is out.
    detected(|rules| rules["via"]["8"] = json!(8), &["via: the stand-in of source 8", "replay"]);
}

#[test]
fn ids_that_the_plan_does_not_have() {
    detected(|rules| rules["accept"]["99"] = json!({"3": 3}), &["accept: ToR 99", "source 3"]);
    detected(|rules| rules["accept"]["14"]["99"] = json!(3), &["accept: ToR 14", "source 99"]);
    detected(|rules| rules["accept"]["14"]["3"] = json!(99), &["accept: ToR 14", "ToR 99"]);
    detected(|rules| rules["via"]["99"] = json!(3), &["via: source 99", "ToR 3"]);
    detected(|rules| rules["via"]["8"] = json!(99), &["via: the stand-in of source 8 is ToR 99"]);
}

#[test]
fn keys_that_come_twice() {
    let (_, good) = recovered();
    for (from, to, place) in [
        ("\"14\":{", "\"14\":{\"3\":3},\n\"14\":{", "rules.json: accept: ToR 14 is listed twice"),
        ("{\"3\":3", "{\"3\":3,\"3\":3", "rules.json: accept: ToR 14: source 3 is listed twice"),
        ("\"8\":12", "\"8\":12,\n\"8\":12", "rules.json: via: source 8 is listed twice"),
    ] {
        told(&verified(&good.replacen(from, to, 1)), &[place]);
    }
    refused("\"accept\":", "\"accept\":{},\"accept\":", &["accept", "twice"]);
    refused("\"via\":", "\"via\":{},\"via\":", &["via", "twice"]);
    refused("\"accept\":", "\"router\":\"x\",\"accept\":", &["relays and router"]);
}

#[test]
fn values_of_another_type() {
    for (from, to) in [
        ("{\"3\":3}", "[3]"),
        ("{\"3\":3}", "3"),
        ("{\"3\":3}", "{\"3\":\"3\"}"),
        ("{\"3\":3}", "{\"3\":-1}"),
        ("{\"3\":3}", "{\"3\":3.5}"),
        ("{\"3\":3}", "{\"x\":3}"),
        ("{\"3\":3}", "{\"3\":4294967296}"),
        ("\"14\":", "\"rack\":"),
        ("\"8\":12", "\"8\":[12]"),
        ("\"8\":12", "\"8\":null"),
        ("\"8\":12", "\"-8\":12"),
        ("\"accept\":", "\"accepts\":"),
    ] {
        refused(from, to, &["is no list of rules"]);
    }
}

#[test]
fn a_folder_of_an_older_version_says_what_to_do() {
    let (bench, _) = recovered();
    let lacking = [
        "{\"relays\":{}}",
        "{\"relays\":{},\"accept\":{}}",
        "{\"relays\":{},\"via\":{}}",
        "{\"router\":\"algorithm1\"}",
    ];
    for rules in lacking {
        bench.write("plan/rules.json", rules);
        bench.refuses(&["verify", "plan"], &["rules.json:1", "older lightloom", "lightloom plan"]);
    }
}

#[test]
fn a_sound_plan_has_neither_filters_nor_stand_ins() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let good = fs::read_to_string(bench.path("plan/rules.json")).expect("rules");
    for (from, to, place) in [
        ("\"accept\":{}", "\"accept\":{\"4\":{\"0\":3}}", ["accept: ToR 4", "replay: source 0"]),
        ("\"via\":{}", "\"via\":{\"5\":0}", ["via: source 5", "replay: source 5"]),
    ] {
        bench.write("plan/rules.json", good.replacen(from, to, 1));
        told(&bench.verify("plan"), &place);
    }
}

//! Outages by failure rates: what is said of unknown rates and of wrong files, and how probable mirrors are.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::impact::read;

const RATES: &str =
    "[tor]\nrate = \"3000 FIT\"\nrepair = \"4 h\"\nsource = \"lab\"\ndate = \"2026-11\"\n";

fn with_rates(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("rates.toml", text);
    bench
}

fn outages(bench: &Bench, design: &[&str]) -> Value {
    bench.ask(&[&["risk"], design].concat())["outages"].clone()
}

/// All sets of `size` numbers below `n`, ascending.
fn sets(n: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let smaller = sets(n, size - 1);
    let grown = smaller.iter().flat_map(|set| {
        let from = set.last().map_or(0, |last| last + 1);
        (from..n).map(|next| [&set[..], &[next]].concat())
    });
    grown.collect()
}

/// Of all sets of p relays, those that leave a ToR without the light of any other: k p^(k-1) of them
/// (shufflecast:III-C1.probability). At 4,4 that is 5.6e-9.
#[test]
fn mirrors_are_as_probable_as_the_paper_says() {
    for (p, k) in [(2_usize, 2_u32), (2, 3), (3, 2)] {
        let bench = Bench::new();
        let design = format!("--p {p} --k {k}");
        let design: Vec<&str> = design.split(' ').collect();
        let fabric = bench.ask(&[&["fabric"], &design[..]].concat());
        let edges: Vec<(usize, usize, usize)> = read(&fabric["edges"]);
        let tors = edges.len();
        let all = sets(tors, p);
        let is_heard = |tor: usize, set: &[usize]| {
            edges.iter().any(|other| other.2 == edges[tor].1 && !set.contains(&other.0))
        };
        let is_dark = |set: &&Vec<usize>| (0..tors).any(|tor| !is_heard(tor, set));
        let share = all.iter().filter(is_dark).count() as f64 / all.len() as f64;
        let found = &outages(&bench, &design)["mirrors"];
        assert_eq!(
            (&found["relays"], &found["sets"]),
            (&json!(p), &json!(k as usize * p.pow(k - 1)))
        );
        let told = found["if_as_many_failed"].as_f64().unwrap();
        assert!((told / share - 1.0).abs() < 1e-12, "{told} and {share}");
    }
    let bench = Bench::new();
    let told = outages(&bench, &["--p", "4", "--k", "4"])["mirrors"]["if_as_many_failed"].clone();
    assert!((told.as_f64().unwrap() / 5.6e-9 - 1.0).abs() < 0.01, "{told}");
}

/// A rate that is not given is unknown, and never 0.
#[test]
fn unknown_rates_are_said_to_be() {
    let bench = Bench::new();
    let none = outages(&bench, &SMALL);
    assert_eq!((&none["known"], &none["mirrors"]["at_a_time"]), (&Value::Null, &Value::Null));
    let kinds = none["kinds"].as_array().unwrap();
    assert!(kinds.iter().all(|kind| kind["rate"].is_null() && kind["outages"].is_null()));
    let text = bench.run(&[&["risk"], &SMALL[..]].concat()).stdout;
    assert!(
        text.contains("Failure rates are unknown of: tor, transceiver, splitter, fibre"),
        "{text}"
    );
    assert!(text.contains("Outages a year are unknown."), "{text}");
    // Of some kinds alone.
    let bench = with_rates(RATES);
    let some = [&SMALL[..], &["--rates", "rates.toml"]].concat();
    let told = outages(&bench, &some);
    let known: BTreeSet<&str> = told["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|kind| !kind["outages"].is_null())
        .map(|kind| kind["kind"].as_str().unwrap())
        .collect();
    assert_eq!(known, BTreeSet::from(["tor"]));
    // A ToR without power takes its 14 pairs of 56 with it, for 4 h in 333,333 h.
    let unavailability = 3e-6 * 4.0 / (1.0 + 3e-6 * 4.0);
    let hours = 8_766.0 * 8.0 * unavailability * 14.0;
    let single = told["known"]["single"]["pair_hours_per_year"].as_f64().unwrap();
    assert!((single / hours - 1.0).abs() < 1e-12, "{single} and {hours}");
    assert_eq!(told["known"]["recovering_pair_hours_per_year"], Value::Null);
    let text = bench.run(&[&["risk"], &some[..]].concat()).stdout;
    assert!(text.contains("unknown of: transceiver, splitter"), "{text}");
    assert!(!text.contains("Until new rules are in force"), "{text}");
}

#[test]
fn wrong_rates_are_refused_with_line_and_field() {
    let cases = [
        (
            "[relay]\nrate = \"1 FIT\"\n",
            "rates.toml:1: relay: is no kind of part; expected one of tor,",
        ),
        ("[tor]\nrepair = \"4 h\"\n", "tor.rate"),
        ("[tor]\nrate = \"-1 FIT\"\n", "rates.toml:2: tor.rate: found \"-1 FIT\""),
        ("[tor]\nrate = 12\n", "tor.rate"),
        ("[tor]\nrate = \"1 FIT\"\nrepair = \"4 s\"\n", "tor.repair: found \"4 s\""),
        ("[tor]\nrate = \"1 FIT\"\nrepair = \"90000 h\"\n", "at most ten years"),
        ("[tor]\nrate = \"2000000000 FIT\"\nrepair = \"1 h\"\n", "expected at most"),
        ("[tor]\nrate = \"1 FIT\"\nrepair = \"1 h\"\n", "tor.date"),
        ("[tor]\nrates = \"1 FIT\"\n", "tor.rates"),
        ("[recovery]\ntime = \"2000 h\"\n", "recovery.time"),
        ("tor = 4\n", "tor"),
        ("[tor\n", "rates.toml:1"),
    ];
    for (text, expected) in cases {
        let bench = with_rates(text);
        let told = bench.run(&[&["risk"], &SMALL[..], &["--rates", "rates.toml"]].concat());
        assert_eq!(told.code, 2, "{text}: {told:?}");
        assert!(told.stderr.contains(expected), "{text}: {}", told.stderr);
    }
    let told = Bench::new().run(&[&["risk"], &SMALL[..], &["--rates", "none.toml"]].concat());
    assert!(told.code == 2 && told.stderr.contains("none.toml"), "{told:?}");
}

/// A written plan answers as its design does.
#[test]
fn a_folder_has_the_outages_of_its_design() {
    let bench = with_rates(RATES);
    bench.run(&[&["plan"], &SMALL[..], &["--out", "plan"]].concat());
    let design = outages(&bench, &[&SMALL[..], &["--rates", "rates.toml"]].concat());
    assert_eq!(outages(&bench, &["plan", "--rates", "rates.toml"]), design);
}

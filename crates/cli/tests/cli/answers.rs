//! The JSON answers that other programs lean on.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    serde_json::from_value(value.clone()).expect("numbers")
}

fn ask(command: &str, design: &[&str], more: &[&str]) -> Value {
    Bench::new().ask(&[&[command], design, more].concat())
}

#[test]
fn the_trees_of_the_papers_figure_3_use_its_relays() {
    let zero = ask("tree", &SMALL, &["--source", "0"]);
    assert_eq!(zero["relays"], json!([0, 1, 4, 5]));
    assert_eq!(ask("tree", &SMALL, &["--source", "3"])["relays"], json!([2, 3, 6, 7]));
}

#[test]
fn a_tree_has_a_path_to_every_other_tor_over_its_relays() {
    let kautz = ["--family", "kautz", "--p", "4", "--tors", "50"];
    for (design, tors, source) in [(&SMALL[..], 8, 5), (&kautz[..], 50, 49)] {
        let tree = ask("tree", design, &["--source", &source.to_string()]);
        assert_eq!(
            keys(&tree),
            BTreeSet::from(["format", "source", "relays", "max_hops", "paths"])
        );
        assert_eq!(tree["source"], source);
        let relays = numbers(&tree["relays"]);
        assert!(relays.contains(&source));
        let most = tree["max_hops"].as_u64().expect("hops");
        let fabric = ask("fabric", design, &[]);
        let edges: Vec<(u64, u64, u64)> =
            serde_json::from_value(fabric["edges"].clone()).expect("edges");
        let mut longest = 0;
        assert_eq!(tree["paths"].as_object().expect("paths").len(), tors - 1);
        for (to, path) in tree["paths"].as_object().expect("paths") {
            let path = numbers(path);
            assert_eq!(path.first(), Some(&source));
            assert_eq!(path.last().map(u64::to_string).as_ref(), Some(to));
            longest = longest.max(path.len() as u64 - 1);
            for hop in path.windows(2) {
                let into = edges.iter().find(|edge| edge.0 == hop[0]).expect("an edge").2;
                assert_eq!(edges.iter().find(|edge| edge.0 == hop[1]).expect("an edge").1, into);
                assert!(relays.contains(&hop[0]), "{hop:?} leaves a ToR that does not relay");
            }
        }
        assert_eq!(longest, most);
    }
}

#[test]
fn a_fabric_lists_each_tor_once_in_order() {
    let fabric = ask("fabric", &["--family", "kautz", "--p", "4", "--tors", "11"], &[]);
    assert_eq!(keys(&fabric), BTreeSet::from(["format", "p", "cassettes", "edges"]));
    assert_eq!((&fabric["p"], &fabric["cassettes"]), (&json!(4), &json!(3)));
    let edges = fabric["edges"].as_array().expect("edges");
    for (tor, edge) in edges.iter().enumerate() {
        let edge = numbers(edge);
        assert_eq!((edge.len(), edge[0]), (3, tor as u64));
        assert!(edge[1] < 3 && edge[2] < 3);
    }
    assert_eq!(edges.len(), 11);
}

#[test]
fn the_rules_of_a_tor_are_those_that_the_plan_lists() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let plan = crate::reader::Plan::read(&bench, "plan");
    for tor in ["0", "5", "7"] {
        let rules = bench.ask(&[&["rules"], &SMALL[..], &["--tor", tor]].concat());
        assert_eq!(keys(&rules), BTreeSet::from(["format", "tor", "sources"]));
        let tor: usize = tor.parse().expect("a number");
        assert_eq!(rules["tor"], tor);
        let listed: Vec<u64> = plan.rules[&tor].iter().map(|&source| source as u64).collect();
        assert_eq!(numbers(&rules["sources"]), listed);
    }
}

#[test]
fn parallel_sources_get_trees_that_share_no_relay() {
    let possible = ask("parallel", &SMALL, &["--sources", "6,1"]);
    assert_eq!(possible["possible"], true);
    let trees = possible["trees"].as_object().expect("trees");
    assert_eq!(trees.keys().collect::<Vec<_>>(), ["1", "6"]);
    let mut used = BTreeSet::new();
    for (source, relays) in trees {
        let relays = numbers(relays);
        assert!(relays.contains(&source.parse().expect("a number")));
        for relay in relays {
            assert!(used.insert(relay), "{relay} relays two sources");
        }
    }
}

#[test]
fn one_source_more_than_the_splitter_has_outputs_is_forbidden_by_a_cut() {
    let answer = ask("parallel", &SMALL, &["--sources", "0,3,6"]);
    assert_eq!((&answer["possible"], &answer["trees"]), (&json!(false), &json!({})));
    let forbidden = &answer["forbidden"];
    let cut = numbers(&forbidden["cassettes"]);
    assert!(!cut.is_empty());
    let fabric = ask("fabric", &SMALL, &[]);
    let (mut entering, mut rooted) = (0, 0);
    for edge in fabric["edges"].as_array().expect("edges") {
        let edge = numbers(edge);
        let (source, inside) = ([0, 3, 6].contains(&edge[0]), cut.contains(&edge[2]));
        rooted += u64::from(source && inside);
        entering += u64::from(!source && inside && !cut.contains(&edge[1]));
    }
    assert_eq!(forbidden["entering"], entering);
    assert_eq!(forbidden["rooted_inside"], rooted);
    assert!(entering + rooted < 3, "the cut does not forbid three streams: {answer}");
}

#[test]
fn info_has_every_promised_key() {
    let info = ask("info", &SMALL, &[]);
    let promised = [
        "tors",
        "cassettes",
        "relays_per_source",
        "rules_per_relay",
        "max_hops",
        "moore_bound",
        "parallel_sources",
        "parallel_sources_installed",
        "splitters",
        "transceivers",
        "fibres",
    ];
    for key in promised {
        assert!(info[key].is_u64(), "{key} in {info}");
    }
    let expected = json!({"tors": 8, "cassettes": 4, "relays_per_source": 4, "rules_per_relay": 4,
        "max_hops": 3, "parallel_sources": 2, "splitters": 8, "transceivers": 16, "fibres": 16});
    for (key, value) in expected.as_object().expect("an object") {
        assert_eq!(&info[key], value, "{key}");
    }
    assert_eq!(info["relay_load"], json!({"min": 4, "mean": 4.0, "max": 4}));
    // From 0: one hop to 2 ToRs of its cassette, then two hops and three (shufflecast:fig3).
    let tree = ask("tree", &SMALL, &["--source", "0"]);
    let hops: usize = tree["paths"]
        .as_object()
        .expect("paths")
        .values()
        .map(|path| path.as_array().expect("a path").len() - 1)
        .sum();
    let mean = info["mean_hops"].as_f64().expect("a number");
    assert!((mean - hops as f64 / 7.0).abs() < 1e-9, "every source of a 2,2 has the same depths");
}

#[test]
fn names_stand_for_numbers_wherever_a_tor_is_asked_for() {
    let bench = Bench::new();
    bench.write("racks.csv", crate::bench::inventory(1));
    let design = [&SMALL[..], &["--inventory", "racks.csv"]].concat();
    for (command, flag, name, number) in [
        ("tree", "--source", "R5", "5"),
        ("rules", "--tor", "R7", "7"),
        ("parallel", "--sources", "R1,6", "1,R6"),
    ] {
        let ask = |tor: &str| bench.ask(&[&[command], &design[..], &[flag, tor]].concat());
        assert_eq!(ask(name), ask(number), "{command}");
    }
}

#[test]
fn a_design_file_and_flags_give_the_same_answers() {
    let bench = Bench::new();
    bench.write("racks.csv", crate::bench::inventory(3));
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\nfamily = \"kautz\"\np = 4\n[hall]\ninventory = \"racks.csv\"\n\
         [splitters]\nhousing = \"receiver\"\n",
    );
    let flags = "--family kautz --p 4 --inventory racks.csv --housing receiver";
    let flags: Vec<&str> = flags.split(' ').collect();
    let questions: [&[&str]; 5] = [
        &["tree", "--source", "R9"],
        &["fabric"],
        &["rules", "--tor", "3"],
        &["parallel", "--sources", "0,5,17"],
        &["info"],
    ];
    for question in questions {
        let from_file = bench.ask(&[question, &["design.toml"]].concat());
        assert_eq!(from_file, bench.ask(&[question, &flags[..]].concat()), "{question:?}");
    }
    bench.plan("a", &["design.toml"]);
    bench.plan("b", &flags);
    for file in crate::reader::FILES {
        let read = |plan: &str| std::fs::read(bench.path(plan).join(file)).expect("a file");
        assert!(read("a") == read("b"), "{file}");
    }
}

#[test]
fn every_command_also_speaks_in_tables() {
    let bench = Bench::new();
    let questions: [&[&str]; 6] = [
        &["tree", "--source", "0"],
        &["fabric"],
        &["rules", "--tor", "3"],
        &["parallel", "--sources", "0,3"],
        &["parallel"],
        &["info"],
    ];
    for question in questions {
        let ran = bench.run(&[question, &SMALL[..]].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{question:?}");
        assert!(!ran.stdout.is_empty() && ran.stdout.ends_with('\n'), "{question:?}");
    }
    let planned = bench.run(&[&["plan", "--out", "plan"], &SMALL[..]].concat());
    assert!(planned.stdout.contains("Verified"), "{planned:?}");
    assert!(planned.stdout.contains("kautz"), "the other family is beside it: {planned:?}");
    bench.ask(&["verify", "plan"]);
}

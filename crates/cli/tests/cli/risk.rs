//! What is worst, against a search for cutting pairs of our own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::impact::{Broken, read};
use crate::reader::Plan;

type Edges = Vec<(usize, usize, usize)>;

fn risk(bench: &Bench, design: &[&str]) -> Value {
    bench.ask(&[&["risk"], design].concat())
}

/// Whether every cassette still reaches every other when these ToRs transmit no more.
fn holds_together(edges: &Edges, cassettes: usize, dead: [usize; 2]) -> bool {
    (0..cassettes).all(|start| {
        let mut reached = BTreeSet::from([start]);
        // As often as a way can be long.
        for _ in 0..cassettes {
            for (tor, from, to) in edges {
                if !dead.contains(tor) && reached.contains(from) {
                    reached.insert(*to);
                }
            }
        }
        reached.len() == cassettes
    })
}

/// All pairs of ToRs that cut the fabric, and those that transmit into one cassette.
fn cutting_and_mirrored(bench: &Bench, design: &[&str]) -> [BTreeSet<(usize, usize)>; 2] {
    let fabric = bench.ask(&[&["fabric"], design].concat());
    let edges: Edges = read(&fabric["edges"]);
    let cassettes: usize = read(&fabric["cassettes"]);
    let pairs = || (0..edges.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let cut = |&(a, b): &(usize, usize)| !holds_together(&edges, cassettes, [a, b]);
    let cutting = pairs().filter(cut).collect();
    [cutting, pairs().filter(|&(a, b)| edges[a].2 == edges[b].2).collect()]
}

#[test]
fn the_cutting_pairs_of_a_2_2_are_those_of_brute_force() {
    let bench = Bench::new();
    let pairs = &risk(&bench, &SMALL)["pairs"];
    let listed: BTreeSet<(usize, usize)> = read(&pairs["listed"]);
    let [cutting, mirrored] = cutting_and_mirrored(&bench, &SMALL);
    assert_eq!(listed, cutting);
    assert_eq!(mirrored.len(), 4, "a pair for each cassette");
    assert!(mirrored.is_subset(&listed), "{listed:?}");
    assert_eq!((&pairs["exhaustive"], &pairs["tried"]), (&json!(true), &json!(28)));
    assert_eq!(pairs["cutting"], listed.len());
}

#[test]
fn other_fabrics_are_cut_by_the_pairs_of_brute_force_too() {
    let bench = Bench::new();
    let text = "tor,from_cassette,to_cassette\n0,0,1\n1,1,2\n2,2,0\n3,0,2\n4,1,0\n";
    bench.write("edges.csv", text);
    let designs = [
        "--family shufflecast --p 3 --k 2",
        "--family kautz --p 2 --tors 9",
        "--family kautz --p 4 --tors 30",
        "--family kautz --p 2 --tors 2",
        "--family kautz --p 2 --tors 3",
        "--family custom --p 2 --edges edges.csv",
    ];
    for design in designs {
        let words: Vec<&str> = design.split(' ').collect();
        let pairs = &risk(&bench, &words)["pairs"];
        let [cutting, _] = cutting_and_mirrored(&bench, &words);
        let listed: Vec<(usize, usize)> = read(&pairs["listed"]);
        // With one cassette alone there is nothing to cut but the last light.
        if design != "--family kautz --p 2 --tors 2" {
            assert!(
                listed.iter().copied().eq(cutting.iter().copied().collect::<BTreeSet<_>>()),
                "{design}: {listed:?}, {cutting:?}"
            );
        }
        assert_eq!(pairs["exhaustive"], true, "{design}");
        // Three mirrors each: no two relays can cut it.
        assert!(!design.contains("--p 3") || listed.is_empty(), "{design}: {listed:?}");
    }
    let alone = &risk(&bench, &["--family", "kautz", "--p", "2", "--tors", "2"])["pairs"];
    assert_eq!(alone["listed"], json!([[0, 1]]), "nobody is left to transmit");
}

#[test]
fn the_worst_group_comes_first() {
    let bench = Bench::new();
    let designs = [
        "--family shufflecast --p 2 --k 2",
        "--family shufflecast --p 4 --k 2",
        "--family kautz --p 4 --tors 30 --housing receiver",
    ];
    for design in designs {
        let risk = risk(&bench, &design.split(' ').collect::<Vec<_>>());
        let groups = risk["groups"].as_array().expect("groups");
        let rank = |group: &Value| {
            Reverse(
                ["cut_off", "sources_hit", "parts"]
                    .map(|key| group[key].as_u64().expect("a number")),
            )
        };
        assert!(groups.is_sorted_by_key(rank), "{design}: {groups:?}");
        let starts = |with: &str| {
            groups
                .iter()
                .filter(|group| group["group"].as_str().expect("a name").starts_with(with))
                .count()
        };
        assert!(starts("tray ") > 0 && starts("racks of ") > 0, "{design}: {groups:?}");
        let housings = if design.contains("receiver") { 8 } else { 0 };
        assert_eq!(starts("housing of cassette "), housings, "{design}");
        assert_eq!(starts(""), starts("tray ") + starts("racks of ") + housings);
        assert!(groups.iter().all(|group| group["parts"].as_u64() > Some(0)), "{design}");
    }
}

/// The failures of each group, from the files of the plan.
fn groups_of(plan: &Plan) -> BTreeMap<String, BTreeSet<String>> {
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in &plan.cables {
        let failure = match row["kind"].as_str() {
            "feed" => format!("tx:{}", row["from_tor"]),
            _ => format!("branch:{}->{}", row["from_tor"], row["to_tor"]),
        };
        for tray in row["trays"].split("; ").filter(|tray| !tray.is_empty()) {
            groups.entry(format!("tray {tray}")).or_default().insert(failure.clone());
        }
    }
    for row in &plan.ports {
        let group = groups.entry(format!("racks of {}", row["row"])).or_default();
        group.insert(format!("tor:{}", row["tor"]));
    }
    groups
}

#[test]
fn sources_hit_still_transmit_and_lose_somebody_with_power() {
    let designs = [
        "--family shufflecast --p 2 --k 2",
        "--family shufflecast --p 4 --k 2 --housing receiver",
        "--family kautz --p 4 --tors 30 --housing receiver",
    ];
    for design in designs {
        let bench = Bench::new();
        let words: Vec<&str> = design.split(' ').collect();
        bench.plan("plan", &words);
        let plan = Plan::read(&bench, "plan");
        let fabric = bench.ask(&[&["fabric"], &words[..]].concat());
        let told = risk(&bench, &words);
        let mut groups = groups_of(&plan);
        for cassette in 0..read::<usize>(&fabric["cassettes"]) {
            let failed = BTreeSet::from([format!("cassette:{cassette}")]);
            groups.insert(format!("housing of cassette {cassette}"), failed);
        }
        for group in told["groups"].as_array().expect("groups") {
            let failures = &groups[group["group"].as_str().expect("a name")];
            let list = failures.iter().cloned().collect::<Vec<_>>().join(",");
            let broken = Broken::new(&fabric, &list);
            let tors = plan.rules.len();
            let is_hit = |&source: &usize| {
                let copies = broken.replay(source, source, &plan.rules, &BTreeMap::new());
                broken.sends(source)
                    && (0..tors).any(|tor| {
                        tor != source && broken.has_power(tor) && !copies.contains_key(&tor)
                    })
            };
            assert_eq!(group["sources_hit"], (0..tors).filter(is_hit).count(), "{design}: {group}");
            let failed = (0..tors).filter(|&tor| !broken.sends(tor)).count();
            assert_eq!(group["failed_sources"], failed, "{design}: {group}");
            let impact = bench.ask(&[&["impact", "--failed", &list], &words[..]].concat());
            assert_eq!(impact["failed_sources"].as_array().map(Vec::len), Some(failed));
        }
    }
}

#[test]
fn beyond_400_tors_pairs_are_drawn_the_same_each_time() {
    let bench = Bench::new();
    let most = risk(&bench, &["--family", "kautz", "--p", "4", "--tors", "400"]);
    assert_eq!(
        (&most["pairs"]["exhaustive"], &most["pairs"]["tried"]),
        (&json!(true), &json!(400 * 399 / 2))
    );
    let design = ["--family", "kautz", "--p", "4", "--tors", "401"];
    let drawn = risk(&bench, &design);
    assert_eq!(drawn["pairs"]["exhaustive"], false);
    assert!(drawn["pairs"]["tried"].as_u64() < Some(401 * 400 / 2));
    assert_eq!(drawn, risk(&bench, &design));
}

#[test]
fn risks_are_also_told_in_a_table() {
    let ran = Bench::new().run(&[&["risk"], &SMALL[..]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert!(ran.stdout.contains("tray") && ran.stdout.ends_with('\n'), "{ran:?}");
}

//! Growing a plan: what is built keeps its numbers and labels.

use std::collections::BTreeMap;

use crate::bench::Bench;
use crate::reader::Plan;

/// Racks at places along three rows, 10 places a row; `new` says which names are new.
fn inventory(is_there: impl Fn(usize) -> bool) -> String {
    let mut text = String::from("name,row,position\n");
    for i in (0..30).filter(|&i| is_there(i)) {
        text += &format!("K{i},Row {},{}\n", i / 10 + 1, i % 10 + 1);
    }
    text
}

/// Every fifth rack comes later: six new ones among the old, not after them.
fn is_old(i: usize) -> bool {
    i % 5 != 2
}

fn grown() -> Bench {
    let bench = Bench::new();
    bench.write("old.csv", inventory(is_old));
    bench.write("new.csv", inventory(|_| true));
    bench.plan(
        "old",
        &["--inventory", "old.csv", "--family", "shufflecast", "--p", "2", "--k", "3"],
    );
    bench
}

const GROW: [&str; 8] =
    ["--inventory", "new.csv", "--family", "kautz", "--p", "2", "--keep", "old"];

fn tor_by_name(plan: &Plan) -> BTreeMap<String, usize> {
    plan.names().into_iter().map(|(tor, name)| (name, tor)).collect()
}

#[test]
fn old_racks_keep_their_numbers_and_new_ones_come_after() {
    let bench = grown();
    bench.plan("new", &GROW);
    let (old, new) = (Plan::read(&bench, "old"), Plan::read(&bench, "new"));
    let (before, after) = (tor_by_name(&old), tor_by_name(&new));
    assert_eq!((before.len(), after.len()), (24, 30));
    for (name, tor) in &before {
        assert_eq!(after.get(name), Some(tor), "{name}");
    }
    let new_racks = after.iter().filter(|(name, _)| !before.contains_key(*name));
    let mut numbers: Vec<usize> = new_racks.map(|(_, tor)| *tor).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (24..30).collect::<Vec<_>>());
    assert_eq!(bench.verify("new").code, 0);
}

#[test]
fn the_label_of_a_fibre_still_means_the_same_transmitter_and_output() {
    let bench = grown();
    bench.plan("new", &GROW);
    let starts = |folder: &str| -> BTreeMap<String, (String, String)> {
        let plan = Plan::read(&bench, folder);
        let start = |row: &crate::reader::Row| {
            let (near, far) = row["near_label"].split_once(" / ").expect("two ends");
            let splitter = if row["kind"] == "feed" { far } else { near };
            (row["label"].clone(), (row["from_tor"].clone(), splitter.to_owned()))
        };
        plan.cables.iter().map(start).collect()
    };
    let after = starts("new");
    for (label, start) in starts("old") {
        assert_eq!(after.get(&label), Some(&start), "{label}");
    }
}

#[test]
fn a_plan_that_is_read_is_not_replaced() {
    let bench = grown();
    bench.refuses(&[&["plan", "--out", "old"], &GROW[..]].concat(), &["old: holds", "plan.json"]);
    assert_eq!(bench.verify("old").code, 0);
}

#[test]
fn a_rack_that_is_gone_leaves_the_others_where_they_are() {
    let bench = grown();
    bench.write("new.csv", inventory(|i| i != 8));
    bench.plan("new", &GROW);
    let before = tor_by_name(&Plan::read(&bench, "old"));
    let after = tor_by_name(&Plan::read(&bench, "new"));
    assert!(before.contains_key("K8") && !after.contains_key("K8"));
    for (name, tor) in before.iter().filter(|(name, _)| *name != "K8") {
        assert_eq!(after.get(name), Some(tor), "{name}");
    }
}

#[test]
fn too_few_tors_for_the_racks_that_stay_are_refused() {
    let bench = grown();
    let args = [&["plan", "--out", "new", "--tors", "20"], &GROW[..]].concat();
    bench.refuses(&args, &["old/plan.json", "tors", "ToR 20"]);
}

#[test]
fn something_that_is_no_plan_cannot_be_kept() {
    let bench = grown();
    let with =
        |keep: &'static str| [&["plan", "--out", "new"], &GROW[..6], &["--keep", keep]].concat();
    bench.refuses(&with("absent"), &["absent/plan.json"]);
    bench.refuses(&with("old.csv"), &["old.csv"]);
    bench.write("plan.json", "{}");
    bench.refuses(&with("."), &["plan.json"]);
}

#[test]
fn keeping_and_placing_at_once_is_refused() {
    let bench = grown();
    bench.write("place.csv", "tor,rack\n0,K5\n");
    let args = [&["fabric", "--placement", "place.csv"], &GROW[..]].concat();
    bench.refuses(&args, &["--placement", "keep"]);
}

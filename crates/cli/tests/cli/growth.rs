//! Plans that grow and shrink, from their written files alone: what moves, what keeps its label, what `verify`
//! finds, and what is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, inventory};
use crate::reader::{Row, sheet};

const SMALL: [&str; 8] =
    ["--family", "shufflecast", "--p", "4", "--k", "2", "--housing", "receiver"];
const HOUSINGS: [&str; 3] = ["receiver", "sender", "zone"];

fn small() -> Bench {
    housed("receiver")
}

fn housed(housing: &str) -> Bench {
    let bench = Bench::new();
    bench.plan("old", &[&SMALL[..7], &[housing]].concat());
    bench
}

fn rows(bench: &Bench, file: &str) -> Vec<Row> {
    sheet(&bench.path(file))
}

/// The cords of a plan by label.
fn cords(bench: &Bench, plan: &str) -> BTreeMap<String, Row> {
    let rows = rows(bench, &format!("{plan}/cables.csv"));
    rows.into_iter().map(|row| (row["label"].clone(), row)).collect()
}

/// Checks two plans against each other and `growth.csv`, from the files alone. Returns the moved labels.
fn moved(bench: &Bench, before: &str, after: &str) -> BTreeSet<String> {
    moved_of(bench, before, after, "feed")
}

/// As [`moved`]: only cords of this kind move.
fn moved_of(bench: &Bench, before: &str, after: &str, kind: &str) -> BTreeSet<String> {
    let (old, new) = (cords(bench, before), cords(bench, after));
    let mut moved = BTreeSet::new();
    for (label, cord) in &old {
        let Some(now) = new.get(label) else { continue };
        if now["near_label"] == cord["near_label"] {
            assert_eq!((&now["length_m"], &now["stock_m"]), (&cord["length_m"], &cord["stock_m"]));
        } else {
            assert_eq!(now["kind"], kind, "{label} moves");
            moved.insert(label.clone());
        }
    }
    let listed = rows(bench, &format!("{after}/growth.csv"));
    let of = |action: &str| -> BTreeSet<String> {
        let rows = listed.iter().filter(|row| row["action"] == action);
        rows.map(|row| row["label"].clone()).collect()
    };
    assert_eq!(of("move"), moved);
    let (was, is): (BTreeSet<_>, BTreeSet<_>) =
        (old.keys().cloned().collect(), new.keys().cloned().collect());
    assert_eq!(&of("build") | &of("plug"), &is - &was);
    assert_eq!(of("remove"), &was - &is);
    for row in listed.iter().filter(|row| row["action"] == "move") {
        let metres = |column: &str| row[column].parse::<f64>().expect("metres");
        assert_eq!(row["long_enough"] == "yes", metres("needed_m") <= metres("there_m"));
        assert_eq!(row["long_enough"] == "no", !row["lay_m"].is_empty());
        assert_eq!(row["needed_m"], new[&row["label"]]["length_m"]);
        assert_eq!(row["there_m"], old[&row["label"]]["stock_m"]);
    }
    moved
}

#[test]
fn a_plan_of_32_tors_grows_to_192() {
    let bench = small();
    let answer = bench.ask(&["grow", "old", "--tors", "192", "--out", "new"]);
    let moved = moved(&bench, "old", "new");
    assert!(moved.len() <= 16 && answer["moved_transmit_cords"] == moved.len(), "{answer}");
    assert_eq!(answer["moved_receive_cords"], 0);
    assert!(answer["least_parallel_sources"].as_u64() >= Some(3), "{answer}");
    assert_eq!(answer["paper"]["moved_branch_fibres"], 112);
    assert_eq!(answer["paper"]["branch_fibres"], 128);
    assert_eq!(answer["assumed_racks"], 160);
    assert_eq!(bench.verify("new").code, 0);
    // Every old ToR keeps its rack, and each of its receive ports its label.
    let ports = |plan: &str| -> BTreeMap<(String, String), (String, String)> {
        let rows = rows(&bench, &format!("{plan}/ports.csv"));
        let of = |row: &Row| {
            let key = (row["tor"].clone(), row["port"].clone());
            (key, (row["name"].clone(), row["rx_label"].clone()))
        };
        rows.iter().map(of).collect()
    };
    let (old, new) = (ports("old"), ports("new"));
    assert!(old.iter().all(|(port, label)| new[port] == *label));
    // The reference computation left seven of eight cords too short.
    assert!(answer["too_short"].as_array().is_some_and(|short| short.len() <= 2), "{answer}");
}

#[test]
fn with_splitters_at_the_senders_branches_move_and_feeds_stay() {
    let bench = housed("sender");
    let answer = bench.ask(&["grow", "old", "--tors", "192", "--out", "new"]);
    let moved = moved_of(&bench, "old", "new", "branch");
    let tors = answer["moved"].as_array().map_or(0, Vec::len);
    assert!(tors <= 16 && moved.len() == 4 * tors, "{answer}");
    assert_eq!(answer["moved_transmit_cords"], 0);
    assert_eq!(answer["moved_receive_cords"], moved.len());
    assert!(answer["least_parallel_sources"].as_u64() >= Some(3), "{answer}");
    assert_eq!(answer["racks_with_splitters_only"].as_array().map(Vec::len), Some(0));
    assert_eq!(bench.verify("new").code, 0);
    // Each splitter is in the rack of its ToR, and has the ToR's number.
    for row in rows(&bench, "new/cables.csv") {
        assert_eq!(row["from_tor"], row["splitter"]);
    }
}

#[test]
fn modules_in_frames_keep_their_places() {
    let bench = housed("zone");
    let answer = bench.ask(&["grow", "old", "--tors", "192", "--out", "new"]);
    let moved = moved(&bench, "old", "new");
    assert!(moved.len() <= 16 && answer["moved_transmit_cords"] == moved.len(), "{answer}");
    assert_eq!(answer["moved_receive_cords"], 0);
    assert!(answer["least_parallel_sources"].as_u64() >= Some(3), "{answer}");
    assert_eq!(bench.verify("new").code, 0);
    // Only the end in the frame moves.
    for row in rows(&bench, "new/growth.csv").iter().filter(|row| row["action"] == "move") {
        assert_eq!(row["old_near"], row["new_near"]);
        assert_ne!(row["old_far"], row["new_far"]);
    }
    let modules = |plan: &str| -> BTreeMap<String, Row> {
        let rows = rows(&bench, &format!("{plan}/modules.csv")).into_iter();
        let modules = rows.filter(|row| row["kind"] == "splitter module");
        modules.map(|row| (row["module"].clone(), row)).collect()
    };
    let same = |before: &str, after: &str| {
        let (old, new) = (modules(before), modules(after));
        for (name, module) in &old {
            for column in ["rack", "unit", "slot", "splitters"] {
                assert_eq!(new[name][column], module[column], "{name}");
            }
        }
    };
    same("old", "new");
    bench.ask(&["grow", "new", "--tors", "1000", "--out", "more"]);
    assert_eq!(bench.verify("more").code, 0);
    same("new", "more");
    // A splitter whose ToR leaves stays dark in its module.
    bench.ask(&["shrink", "new", "--racks", "R1.02,R12.01", "--out", "less"]);
    assert_eq!(bench.verify("less").code, 0);
    let dark = |plan: &str| -> usize {
        let modules = modules(plan).into_values();
        modules.map(|row| row["splitters"].matches("dark").count()).sum()
    };
    assert_eq!((dark("new"), dark("less")), (0, 2));
    // A module that is moved by hand is found.
    let text = fs::read_to_string(bench.path("new/plan.json")).expect("a file");
    let mut edited: Value = serde_json::from_str(&text).expect("JSON");
    edited["modules"][1]["slot"] = 1.into();
    bench.write("new/plan.json", edited.to_string());
    let ran = bench.verify("new");
    assert!(ran.code == 2 && ran.stderr.contains("slot 1 is not in free slots"), "{ran:?}");
}

#[test]
fn pinned_ports_keep_their_cords() {
    let cords_of = |bench: &Bench, plan: &str, end: &str| -> Vec<String> {
        let cords = cords(bench, plan).into_iter();
        let ends = cords.filter(|(_, row)| row["far_label"].contains(end));
        ends.map(|(label, row)| format!("{label} {}", row["near_label"])).collect()
    };
    for housing in HOUSINGS {
        let bench = housed(housing);
        let free = bench.ask(&["grow", "old", "--tors", "64"]);
        let name = free["moved"][0].as_str().expect("a rack");
        for pin in [name.to_owned(), format!("{name}:tx"), format!("{name}:0")] {
            // At a sender the feed never moves, so a pinned transmitter says nothing about the branches.
            if housing == "sender" && pin != name {
                continue;
            }
            let answer = bench.ask(&["grow", "old", "--tors", "64", "--pin", &pin]);
            let moved = answer["moved"].as_array().expect("a list");
            assert!(!moved.contains(&name.into()), "{housing} {pin} {answer}");
        }
        // What a receive port hears stays plugged into it.
        for port in 0..4 {
            let pin = format!("R2.05:rx{port}");
            bench.ask(&["grow", "old", "--tors", "64", "--pin", &pin, "--out", "new"]);
            let at = format!("R2.05-T15:{port}");
            let (old, new) = (cords_of(&bench, "old", &at), cords_of(&bench, "new", &at));
            let heard = |cords: Vec<String>| -> Vec<String> {
                cords.into_iter().filter(|cord| cord.starts_with('B')).collect()
            };
            assert_eq!(heard(old), heard(new), "{housing} {pin}");
        }
        let grow = ["grow", "old", "--tors", "64", "--pin"];
        bench.refuses(
            &[&grow[..], &["R2.05:rx4"]].concat(),
            &["--pin", "receives at ports 0, 1, 2, 3"],
        );
        bench.refuses(&[&grow[..], &["R2.05:up"]].concat(), &["--pin", "R2.05:rx1"]);
        let all: Vec<String> = (0..32).map(|tor| format!("tor:{tor}")).collect();
        // 29 pins leave three ToRs; the 29th is too many.
        let all = all.join(",");
        let refused = [&grow[..], &[&all]].concat();
        bench.refuses(&refused, &["--pin", "\"tor:28\"", "cannot be kept", "at least 4"]);
    }
}

#[test]
fn growth_and_shrinking_follow_each_other() {
    let bench = small();
    for (i, (verb, args)) in [
        ("grow", ["--tors", "77"]),
        ("shrink", ["--racks", "R1.02,R2.05,rack:R3.03"]),
        ("grow", ["--tors", "81"]),
        ("shrink", ["--tors", "40"]),
        ("grow", ["--tors", "41"]),
    ]
    .into_iter()
    .enumerate()
    {
        let (old, new) = (format!("p{i}"), format!("p{}", i + 1));
        let old = if i == 0 { "old" } else { &old };
        let ran = bench.run(&[&[verb, old, "--out", &new], &args[..]].concat());
        assert_eq!(ran.code, 0, "{verb} {args:?}: {ran:?}");
        moved(&bench, old, &new);
        let ran = bench.verify(&new);
        assert_eq!(ran.code, 0, "{verb} {args:?}: {ran:?}");
    }
}

#[test]
fn an_edited_file_of_growth_is_found() {
    let bench = small();
    bench.ask(&["grow", "old", "--tors", "40", "--out", "new"]);
    let cords = fs::read_to_string(bench.path("new/growth.csv")).expect("a file");
    bench.write("new/growth.csv", cords.replacen(",yes,", ",no,", 1).replacen("build", "plug", 1));
    assert!(bench.verify("new").stdout.contains("growth.csv:"));
    bench.write("new/growth.csv", &cords);
    let stages = fs::read_to_string(bench.path("new/stages.json")).expect("a file");
    let mut edited: Value = serde_json::from_str(&stages).expect("JSON");
    edited["stages"][0]["moves"][0] = 31.into();
    bench.write("new/stages.json", edited.to_string());
    assert!(bench.verify("new").stdout.contains("stages.json.stages[0].moves"));
    fs::remove_file(bench.path("new/stages.json")).expect("it is there");
    assert_eq!(bench.verify("new").code, 2);
    bench.write("new/stages.json", &stages);
    assert_eq!(bench.verify("new").code, 0);
    // What is no part of a plan of its own is foreign in it.
    bench.write("old/growth.csv", &cords);
    assert!(bench.verify("old").stdout.contains("is no file of a plan"));
}

#[test]
fn later_phases_are_reported_and_come_out_as_planned() {
    let bench = small();
    let answer = bench.ask(&["grow", "old", "--phases", "64,96", "--out", "64"]);
    let later = &answer["later"][0];
    assert_eq!((&later["tors_before"], &later["tors"]), (&64.into(), &96.into()));
    let second = bench.ask(&["grow", "64", "--tors", "96", "--out", "96"]);
    for key in ["moved_transmit_cords", "hops"] {
        assert_eq!(later[key], second[key], "{key}");
    }
}

#[test]
fn an_inventory_brings_racks_and_must_have_those_of_the_plan() {
    let bench = Bench::new();
    bench.write("six.csv", inventory(6));
    bench.write("nine.csv", inventory(9));
    bench.plan("old", &[&SMALL[..], &["--inventory", "six.csv"]].concat());
    let grow = ["grow", "old", "--tors", "60", "--out", "new"];
    bench.refuses(&grow, &["--tors", "48 racks", "at least 12 more"]);
    let answer = bench.ask(&[&grow[..], &["--inventory", "nine.csv"]].concat());
    assert_eq!(answer["assumed_racks"], 0);
    moved(&bench, "old", "new");
    assert_eq!(bench.verify("new").code, 0);
    bench.write("fewer.csv", inventory(9).replacen("R0,", "R900,", 1));
    let few = [&grow[..], &["--inventory", "fewer.csv"]].concat();
    bench.refuses(&few, &["fewer.csv", "lacks rack \"R0\""]);
    bench.write("moved.csv", inventory(9).replacen("R1,Row 1,2", "R1,Row 1,12", 1));
    let moved = [&grow[..], &["--inventory", "moved.csv"]].concat();
    bench.refuses(&moved, &["moved.csv:3", "rack \"R1\"", "the plan has it at"]);
}

#[test]
fn frames_of_a_plan_stay_where_they_are_in_a_new_inventory() {
    let bench = Bench::new();
    bench.write("six.csv", inventory(6));
    bench.write("twelve.csv", inventory(12));
    let zone = [&SMALL[..7], &["zone", "--inventory", "six.csv"]].concat();
    bench.plan("named", &[&zone[..], &["--frames", "R40"]].concat());
    let grow = |plan| ["grow", plan, "--tors", "80", "--inventory", "twelve.csv", "--out", "new"];
    bench.ask(&grow("named"));
    moved(&bench, "named", "new");
    assert_eq!(bench.verify("new").code, 0);
    assert!(
        rows(&bench, "new/modules.csv")
            .iter()
            .all(|row| row["kind"] == "switch" || row["kind"] == "shelf" || row["rack"] == "R40")
    );
    // Frames that the plan has to buy stand behind the last row, where the inventory has another one now.
    bench.plan("bought", &zone);
    bench.refuses(&grow("bought"), &["twelve.csv", "row \"Row 7\"", "frame \"Z.01\""]);
    let low = |rows| -> String {
        let height = |(at, line): (usize, &str)| match (at, line.starts_with("R40,")) {
            (0, _) => format!("{line},u_height\n"),
            (_, true) => format!("{line},3\n"),
            (_, false) => format!("{line},42\n"),
        };
        inventory(rows).lines().enumerate().map(height).collect()
    };
    bench.write("low.csv", low(6));
    bench.write("low12.csv", low(12));
    let low = [&SMALL[..7], &["zone", "--inventory", "low.csv", "--frames", "R40"]].concat();
    bench.plan("low", &low);
    let grow = ["grow", "low", "--tors", "80", "--inventory", "low12.csv"];
    bench.refuses(&grow, &["--tors", "the only frame has 3", "higher frames"]);
}

#[test]
fn what_cannot_grow_or_shrink_is_refused_with_the_reason() {
    let bench = small();
    let grow = |more: &[&str], parts: &[&str]| {
        bench.refuses(&[&["grow", "old", "--out", "new"], more].concat(), parts);
    };
    grow(&["--tors", "32"], &["--tors", "has 32 already"]);
    grow(&["--tors", "5000"], &["--tors", "up to 4096"]);
    grow(&["--phases", "64,64"], &["--phases", "ascend"]);
    grow(&["--tors", "96", "--phases", "64,96"], &["--tors", "one phase at a time"]);
    grow(&["--tors", "64", "--pin", "R9.99"], &["--pin", "R9.99"]);
    let all: Vec<String> = (0..32).map(|tor| format!("tor:{tor}")).collect();
    grow(&["--tors", "64", "--pin", &all.join(",")], &["--pin", "at least 4"]);
    grow(&["--tors", "64", "--most-moves", "3"], &["--most-moves", "at least 4"]);
    let shrink = |more: &[&str], parts: &[&str]| {
        bench.refuses(&[&["shrink", "old", "--out", "new"], more].concat(), parts);
    };
    shrink(&["--tors", "32"], &["--tors", "smaller number"]);
    shrink(&["--tors", "16"], &["--tors", "4 cassettes", "at least 5"]);
    shrink(&["--racks", "R99"], &["--racks", "R99"]);

    let failed = [&["recover", "--failed", "relay:8", "--apply", "around"], &SMALL[..]].concat();
    assert_eq!(bench.run(&failed).code, 0);
    bench.refuses(&["grow", "around", "--tors", "64"], &["recovery", "around failures"]);
    bench.refuses(&["shrink", "around", "--tors", "28"], &["recovery", "around failures"]);
    let cables = fs::read_to_string(bench.path("old/cables.csv")).expect("a file");
    bench.write("old/cables.csv", cables.replacen("feed", "branch", 1));
    grow(&["--tors", "64"], &["old", "verify"]);
}

//! `plan --place`: racks of ToRs are searched, and the plan says what that saves.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::{Bench, inventory};
use crate::ports::{FIVE, asked, write_hall};
use crate::reader::Plan;

const HALL: [&str; 6] = ["--family", "kautz", "--p", "2", "--tors", "40"];
const LIT: [&str; 4] = ["--transceiver", "10gbase-er", "--catalogue", "datasheets-2026"];

fn design<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&HALL[..], &LIT, more].concat()
}

fn placed(bench: &Bench, out: &str, args: &[&str]) -> Value {
    bench.ask(&[&["plan", "--out", out], args].concat())["placed"].clone()
}

/// Stock lengths of feeds and branches, and the price of all cords, from the files of a plan.
fn from_files(bench: &Bench, plan: &str) -> [f64; 3] {
    let number = |text: &String| text.parse::<f64>().expect("a number");
    let stocks = bench.column(&format!("{plan}/cables.csv"), "stock_m");
    let kinds = bench.column(&format!("{plan}/cables.csv"), "kind");
    let sum = |kind: &str| -> f64 {
        stocks
            .iter()
            .zip(&kinds)
            .filter(|(_, of)| *of == kind)
            .map(|(stock, _)| number(stock))
            .sum()
    };
    let bom = |name: &str| bench.column(&format!("{plan}/bom.csv"), name);
    let lines = bom("item").into_iter().zip(bom("quantity")).zip(bom("unit_price"));
    let cords = lines.filter(|((item, _), _)| item == "cord");
    let price = |text: &str| number(&text.split(' ').next().unwrap_or_default().to_owned());
    [
        sum("feed"),
        sum("branch"),
        cords.map(|((_, count), each)| number(&count) * price(&each)).sum(),
    ]
}

fn figures(told: &Value) -> [f64; 3] {
    ["feeds_stock_m", "branches_stock_m", "cords_cost"].map(|key| told[key].as_f64().expect(key))
}

fn near(one: [f64; 3], other: [f64; 3]) {
    for (one, other) in one.iter().zip(other) {
        assert!((one - other).abs() < 1e-6 * other.max(1.0), "{one} {other}");
    }
}

#[test]
fn a_placed_plan_is_cheaper_by_what_it_says() {
    for housing in ["sender", "receiver"] {
        let bench = Bench::new();
        let args = design(&["--housing", housing]);
        bench.plan("before", &args);
        let report = placed(&bench, "after", &[&args[..], &["--place", "2x2"]].concat());
        assert_eq!((&report["chains"], &report["rounds_done"]), (&2.into(), &2.into()));
        near(from_files(&bench, "before"), figures(&report["before"]));
        near(from_files(&bench, "after"), figures(&report["after"]));
        let cost = |when: &str| report[when]["cords_cost"].as_f64().expect("it is known");
        assert!(cost("after") < cost("before"), "{housing}: {report}");
        let share = report["assumed_share_of_gain"].as_f64().expect("money was saved");
        assert!((0.0..=1.0).contains(&share), "{share}");
        assert_eq!(bench.verify("after").code, 0);
        let names = |plan: &str| Plan::read(&bench, plan).names();
        let (old, new) = (names("before"), names("after"));
        let moved = old.iter().filter(|&(tor, name)| new.get(tor) != Some(name)).count();
        assert_eq!(report["moved_tors"], moved);
    }
}

#[test]
fn the_same_effort_and_seed_give_the_same_files() {
    let bench = Bench::new();
    let timed = placed(&bench, "timed", &design(&["--place", "20ms", "--place-seed", "3"]));
    assert_eq!(timed["rounds_done"], timed["rounds"], "{timed}");
    let effort = format!("{}x{}", timed["chains"], timed["rounds"]);
    for out in ["one", "other"] {
        let again = placed(&bench, out, &design(&["--place", &effort, "--place-seed", "3"]));
        assert_eq!(again, timed);
        for file in ["plan.json", "cables.csv", "bom.csv"] {
            let [a, b] = ["timed", out].map(|plan| std::fs::read(bench.path(plan).join(file)));
            assert_eq!(a.expect("a file"), b.expect("a file"), "{file}");
        }
    }
    let other = placed(&bench, "seed", &design(&["--place", &effort, "--place-seed", "4"]));
    assert_ne!(other["curve"], timed["curve"]);
}

/// Stock lengths of all cords and of all trunks, and the price of both, from the bill of a plan.
fn from_bill(bench: &Bench, plan: &str) -> [f64; 3] {
    let bom = |name: &str| bench.column(&format!("{plan}/bom.csv"), name);
    let number = |text: &str| text.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    let (stocks, prices) = (bom("stock_m"), bom("unit_price"));
    let mut sums = [0.0; 3];
    for (at, (item, quantity)) in bom("item").iter().zip(bom("quantity")).enumerate() {
        let of = ["cord", "trunk"].iter().position(|cable| cable == item);
        if let Some(of) = of {
            let quantity = number(&quantity).expect("a number");
            sums[of] += quantity * number(&stocks[at]).expect("a cable has a length");
            sums[2] += quantity * number(&prices[at]).expect("it has a price");
        }
    }
    sums
}

#[test]
fn tors_of_splitters_in_frames_come_nearer_to_them() {
    let bench = Bench::new();
    // Seven rows: the first five are taken, and the frames are in the middle of the hall.
    bench.write("racks.csv", inventory(7));
    for (cabling, effort) in [
        (&["--cabling", "point-to-point"][..], "2x30"),
        (&["--cabling", "trunked"], "2x30"),
        (&["--cabling", "trunked", "--shuffle", "modules"], "2x10"),
    ] {
        let args = ["--housing", "zone", "--inventory", "racks.csv", "--accept", "typical"];
        let args = design(&args);
        let args = [&args[..], cabling].concat();
        bench.plan("before", &args);
        let report = placed(&bench, "after", &[&args[..], &["--place", effort]].concat());
        let bill = |told: &Value| {
            let of = |key: &str| told[key].as_f64().expect("a number");
            let cords = of("feeds_stock_m") + of("branches_stock_m");
            [cords, of("trunks_stock_m"), of("cords_cost")]
        };
        near(from_bill(&bench, "before"), bill(&report["before"]));
        near(from_bill(&bench, "after"), bill(&report["after"]));
        let cost = |when: &str| report[when]["cords_cost"].as_f64().expect("it is known");
        assert!(cost("after") < 0.98 * cost("before"), "{cabling:?}: {report}");
        assert_eq!(report["rounds_done"], report["rounds"]);
        assert_eq!(bench.verify("after").code, 0);
        let found = format!("{}x{}", report["chains"], report["rounds"]);
        let again = placed(&bench, "again", &[&args[..], &["--place", &found]].concat());
        assert_eq!(again, report);
    }
}

/// With a price for cords and none for trunks, lengths are counted, and the answer says so.
#[test]
fn trunks_without_a_price_are_counted_by_their_lengths() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(7));
    // A price in another currency than those of the catalogue, which are unknown then.
    bench.write(
        "parts.toml",
        "[part.cord]\nprice = \"3 EUR\"\nsource = \"mine\"\ndate = \"2026-11\"\n",
    );
    let args = ["--housing", "zone", "--cabling", "trunked", "--inventory", "racks.csv"];
    let more = ["--accept", "typical", "--parts", "parts.toml", "--place", "2x30"];
    let report = placed(&bench, "after", &design(&[&args[..], &more].concat()));
    assert_eq!(report["objective"], "stock_metres", "{report}");
    assert!(report["after"]["cords_cost"].is_null());
    let stock = |when: &str| -> f64 {
        let of = |key: &str| report[when][key].as_f64().expect("a number");
        of("feeds_stock_m") + of("branches_stock_m") + of("trunks_stock_m")
    };
    assert!(stock("after") < stock("before"), "{report}");
}

#[test]
fn a_table_says_what_is_saved() {
    let bench = Bench::new();
    let ran = bench.run(&[&["plan", "--out", "plan"], &design(&["--place", "1x1"])[..]].concat());
    let said = ran.said();
    assert!(said.contains("Placed: 1 of 1 x 1 rounds with seed 0;"), "{said}");
    assert!(said.contains("stock length, branches") && said.contains("cost"), "{said}");
    assert!(said.contains("of the saved money rest on assumed prices"), "{said}");
}

#[test]
fn a_kept_plan_stays_where_it_is() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(3));
    let of = |tors: &'static str| {
        ["--family", "kautz", "--p", "2", "--tors", tors, "--inventory", "racks.csv"]
    };
    bench.plan("old", &of("12"));
    let args = [&of("20")[..], &["--keep", "old", "--place", "1x2"]].concat();
    let report = placed(&bench, "new", &args);
    assert_eq!(report["kept_tors"], 12);
    let names = |plan: &str| Plan::read(&bench, plan).names();
    let (old, new) = (names("old"), names("new"));
    assert_eq!(new.len(), 20);
    // Cords of the old plan that the new one does not have, from the two lists of cables.
    let cords = |plan: &str| {
        let column = |name: &str| bench.column(&format!("{plan}/cables.csv"), name);
        let rack = |label: &String| {
            let (here, _) = label.split_once(" / ").expect("two ends");
            here.rsplit_once('-').expect("a place").0.to_owned()
        };
        let (near, far) = (column("near_label"), column("far_label"));
        let ends = near.iter().zip(&far).map(|(near, far)| (rack(near), rack(far)));
        let mut counts: BTreeMap<(String, (String, String)), usize> = BTreeMap::new();
        for cord in column("kind").into_iter().zip(ends) {
            *counts.entry(cord).or_default() += 1;
        }
        counts
    };
    let (before, after) = (cords("old"), cords("new"));
    let stays = |(cord, &count): (&_, &usize)| count.min(after.get(cord).copied().unwrap_or(0));
    let moved = before.values().sum::<usize>() - before.iter().map(stays).sum::<usize>();
    assert_eq!(report["moved_cords"], moved);
    assert!(moved > 0, "the fabric of 20 ToRs is another one");
    for (tor, name) in &old {
        assert_eq!(new.get(tor), Some(name));
    }
    assert_eq!(bench.verify("new").code, 0);
}

#[test]
fn racks_stay_in_their_groups_and_some_stay_empty() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(3));
    let group = |rack: usize| if rack.is_multiple_of(2) { "even" } else { "odd" };
    let lines: String = (0..24).map(|rack| format!("R{rack},{}\n", group(rack))).collect();
    bench.write("groups.csv", format!("rack,group\n{lines}"));
    let args = [
        "--family",
        "kautz",
        "--p",
        "2",
        "--tors",
        "16",
        "--inventory",
        "racks.csv",
        "--rack-groups",
        "groups.csv",
        "--forbidden",
        "R20,R23",
        "--fixed",
        "R3,tor:0",
        "--place",
        "1x1",
    ];
    bench.plan("before", &args[..8]);
    placed(&bench, "after", &args);
    let names = |plan: &str| Plan::read(&bench, plan).names();
    let (old, new) = (names("before"), names("after"));
    let parity: BTreeMap<&String, usize> = old
        .values()
        .chain(new.values())
        .map(|name| (name, name[1..].parse::<usize>().unwrap_or(0) % 2))
        .collect();
    for (tor, name) in &new {
        assert_eq!(parity[name], parity[&old[tor]], "ToR {tor}");
        assert!(name != "R20" && name != "R23");
    }
    let fixed = old.iter().filter(|&(tor, name)| *tor == 0 || name == "R3");
    fixed.for_each(|(tor, name)| assert_eq!(&new[tor], name));
}

#[test]
fn racks_without_a_switch_get_no_tor() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    // The racks of the switches are far apart. Those between the first two are empty, and nearer to each other.
    let far = (0..8).map(|i| format!("R{i},A,{}\n", 20 * i + 1));
    let near = (8..16).map(|i| format!("R{i},A,{}\n", i - 5));
    let racks: String = far.chain(near).collect();
    bench.write("racks.csv", format!("name,row,position\n{racks}"));
    let places: String = (0..8).map(|i| format!("{i},R{i}\n")).collect();
    bench.write("place.csv", format!("tor,rack\n{places}"));
    let args = asked(&["--housing", "receiver", "--placement", "place.csv"]);
    let report = placed(&bench, "plan", &[&args[..], &["--place", "2x2"]].concat());
    assert_eq!(report["not_taken"], Value::Null, "{report}");
    let names = Plan::read(&bench, "plan").names();
    assert!(names.values().all(|name| name[1..].parse::<u32>().expect("R and a number") < 8));
    let [feeds, branches, _] = from_files(&bench, "plan");
    let after = figures(&report["after"]);
    assert!((feeds - after[0]).abs() < 1e-6 && (branches - after[1]).abs() < 1e-6);
    // Interfaces go with the racks: those of a ToR are its own switch's.
    for (tor, name) in &names {
        let of = bench.column("plan/ports.csv", "device");
        let tors = bench.column("plan/ports.csv", "tor");
        let switch = format!("s{}", &name[1..]);
        let own = of.iter().zip(&tors).filter(|(_, of)| **of == tor.to_string());
        assert!(own.clone().count() > 0 && own.clone().all(|(device, _)| *device == switch));
    }
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn a_placement_whose_switches_lack_ports_is_not_taken() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    let file = |name: &str| std::fs::read_to_string(bench.path(name)).expect("it was written");
    let far = (0..8).map(|i| format!("R{i},A,{}\n", 20 * i + 1));
    let near = (8..16).map(|i| format!("R{i},A,{}\n", i - 5));
    let racks: String = far.chain(near).collect();
    bench.write("racks.csv", format!("name,row,position\n{racks}"));
    // The switches in the near racks have no interface that is free.
    let leaves: String = (8..16).map(|i| format!("s{i},R{i},40,1,Leaf\n")).collect();
    bench.write("devices.csv", file("devices.csv") + &leaves);
    let ports: String =
        (8..16).map(|i| format!("s{i},Ethernet1/1,25gbase-x-sfp28,true,#1,false,,\n")).collect();
    bench.write("interfaces.csv", file("interfaces.csv") + &ports);
    let places: String = (0..8).map(|i| format!("{i},R{i}\n")).collect();
    bench.write("place.csv", format!("tor,rack\n{places}"));
    let args = asked(&["--placement", "place.csv", "--tor-role", "leaf", "--place", "1x1"]);
    let report = placed(&bench, "plan", &args);
    let why = report["not_taken"].as_str().expect("it was not taken");
    assert!(why.contains("interfaces.csv") && why.contains("the fabric needs"), "{why}");
    assert_eq!((&report["moved_tors"], &report["after"]), (&0.into(), &report["before"]));
    let names: Vec<String> = Plan::read(&bench, "plan").names().into_values().collect();
    assert_eq!(names, (0..8).map(|i| format!("R{i}")).collect::<Vec<_>>());
}

#[test]
fn a_placed_plan_grows_and_is_configured() {
    let bench = Bench::new();
    placed(&bench, "plan", &design(&["--housing", "receiver", "--place", "1x2"]));
    let before = Plan::read(&bench, "plan").names();
    let grown = bench.run(&["grow", "plan", "--tors", "48", "--out", "grown"]);
    assert_eq!(grown.code, 0, "{grown:?}");
    let after = Plan::read(&bench, "grown").names();
    assert!(before.iter().all(|(tor, name)| after.get(tor) == Some(name)));
    assert_eq!(bench.verify("grown").code, 0);
    let configs = ["configs", "grown", "--dialect", "openflow", "--out", "configs"];
    let configured = bench.run(&configs);
    assert_eq!(configured.code, 0, "{configured:?}");
}

#[test]
fn wrong_searches_are_refused() {
    let bench = Bench::new();
    bench.write("twice.csv", "rack,group\nR1.01,a\nR1.01,b\n");
    bench.write("empty.csv", "rack,group\nR1.01,\n");
    let cases: [(&[&str], &str); 13] = [
        (&["--place", "soon"], "--place: found \"soon\"; expected a time such as 60s"),
        (&["--place", "0s"], "--place: found 0s; a search takes more than nothing"),
        (&["--place", "8 d"], "--place: "),
        (&["--place", "0x4"], "--place: found \"0x4\""),
        (&["--place", "4000000000x1"], "--place: found \"4000000000x1\"; at most 256 chains"),
        (&["--place", "2x"], "--place: found \"2x\""),
        (&["--place-seed", "1"], "--place"),
        (&["--place", "1x1", "--fixed", "R99"], "--fixed: "),
        (&["--place", "1x1", "--forbidden", "R99"], "--forbidden: found \"R99\"; no rack for ToRs"),
        (&["--place", "1x1", "--forbidden", "R1.01"], "where ToR 0 stands before the search"),
        (
            &["--place", "1x1", "--rack-groups", "twice.csv"],
            "twice.csv:3: rack: found \"R1.01\" twice",
        ),
        (&["--place", "1x1", "--rack-groups", "empty.csv"], "empty.csv:2: group: is empty"),
        (
            &[
                "--place",
                "1x1",
                "--fixed",
                "R1.01",
                "--housing",
                "zone",
                "--cabling",
                "trunked",
                "--shuffle",
                "modules",
            ],
            "--fixed: with shuffle = \"modules\" only whole rows change places",
        ),
    ];
    for (more, part) in cases {
        bench.refuses(&[&["plan", "--out", "plan"], &design(more)[..]].concat(), &[part]);
    }
}

//! What a plan assumes: listed where nobody said it, and only there.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, SMALL, inventory};
use crate::reader::FILES;

/// What was assumed, by name: value, keys that would say it, racks.
type List = BTreeMap<String, (String, Vec<String>, Option<u64>)>;

fn assumed(answer: &Value) -> List {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let entry = |entry: &Value| {
        let keys = entry["said_by"].as_array().expect("a list").iter().map(text).collect();
        (text(&entry["what"]), (text(&entry["value"]), keys, entry["racks"].as_u64()))
    };
    answer["assumed"].as_array().expect("a list").iter().map(entry).collect()
}

fn planned(bench: &Bench, args: &[&str]) -> List {
    let answer = bench.ask(&[&["plan", "--out", "plan"], args].concat());
    let list = assumed(&answer);
    assert_eq!(bench.verify("plan").code, 0);
    let said = bench.run(&[&["plan", "--out", "plan"], args].concat()).said();
    for (value, ..) in list.values() {
        assert!(said.contains(value.as_str()), "{value:?} in {said}");
    }
    list
}

#[test]
fn what_nobody_says_is_listed() {
    let bench = Bench::new();
    let list = planned(&bench, &SMALL);
    for (what, value, key) in [
        ("rack_pitch", "0.6 m", "hall.rack_pitch"),
        ("row_pitch", "2.4 m", "hall.row_pitch"),
        ("tray_height", "2.7 m", "hall.tray_height"),
        ("tray_width", "0.3 m", "hall.tray_width"),
        ("slack", "2 m", "hall.slack"),
        ("rack_entry", "0.3 m", "hall.rack_entry"),
        ("housing", "sender", "splitters.housing"),
        ("spares", "5", "order.spares_percent"),
        ("catalogue", "datasheets-2026", "optics.catalogue"),
    ] {
        let (found, keys, _) = &list[what];
        assert_eq!((found.as_str(), keys.as_slice()), (value, &[key.to_owned()][..]), "{what}");
    }
    assert_eq!(list["rack_height"], ("42 units".into(), vec!["u_height".into()], Some(8)));
    assert_eq!(list["tor_unit"].2, Some(8));
    for said in ["family", "fan_out", "columns", "sampled_proof", "ignored_columns", "transceiver"]
    {
        assert!(!list.contains_key(said), "{said}");
    }
}

/// Keys of which the list says what a design file would.
const KEYS: [&str; 16] = [
    "tor.fault_signalling",
    "hall.rack_pitch",
    "hall.row_pitch",
    "hall.width",
    "hall.depth",
    "hall.tray_height",
    "hall.tray_width",
    "hall.tray_depth",
    "hall.fibre_diameter",
    "hall.rack_entry",
    "hall.slack",
    "splitters.housing",
    "optics.catalogue",
    "optics.penalty",
    "optics.margin",
    "optics.headroom",
];

#[test]
fn saying_what_is_assumed_changes_the_list_and_nothing_else() {
    let bench = Bench::new();
    let design = |more: &str| {
        format!(
            "version = 1\nfabric = {{ family = \"shufflecast\", p = 2, k = 2 }}\n\
             optics.catalogue = \"datasheets-2026\"\noptics.transceiver = \"10g-l40\"\n{more}"
        )
    };
    bench.write("design.toml", design(""));
    let before = planned(&bench, &["design.toml"]);
    let read = |file: &str| fs::read(bench.path("plan").join(file)).expect("a file");
    let bytes = FILES.map(read);
    for (what, (value, keys, _)) in &before {
        let Some(key) = keys.iter().find(|key| KEYS.contains(&key.as_str())) else { continue };
        bench.write("design.toml", design(&format!("{key} = \"{value}\"\n")));
        let mut after = planned(&bench, &["design.toml"]);
        assert!(FILES.map(read) == bytes, "{what}");
        assert!(!after.contains_key(what), "{what} was said");
        after.insert(what.clone(), before[what].clone());
        assert_eq!(after, before, "{what}");
    }
    for listed in ["penalty", "margin", "headroom"] {
        assert!(before.contains_key(listed), "{listed} in {before:?}");
    }
    assert!(!before.contains_key("catalogue"), "{before:?}");
    // The pad that was chosen is listed; a design that names it gets the same plan.
    assert_eq!(before["pad"].0, "lc-3db at each transmitter");
    bench.write("design.toml", design("optics.pad = \"lc-3db\"\n"));
    let mut named = planned(&bench, &["design.toml"]);
    assert!(FILES.map(read) == bytes && !named.contains_key("pad"), "{named:?}");
    named.insert("pad".into(), before["pad"].clone());
    assert_eq!(named, before);
    // By a flag as by a file.
    bench.write("design.toml", design(""));
    let after = planned(&bench, &["design.toml", "--housing", "sender"]);
    assert!(before.contains_key("housing") && !after.contains_key("housing"));
}

#[test]
fn what_an_inventory_leaves_open_is_counted() {
    let bench = Bench::new();
    let mut text = String::from("name,row,position,u_height,unit,Colour,serial\n");
    for i in 0..8 {
        let (height, unit) = (if i < 3 { "47" } else { "" }, if i < 5 { "40" } else { "" });
        text += &format!("R{i},A,{},{height},{unit},red,{i}\n", i + 1);
    }
    bench.write("racks.csv", text);
    let list = planned(&bench, &["--inventory", "racks.csv"]);
    assert_eq!(list["tor_unit"].2, Some(3), "R5, R6 and R7");
    assert_eq!(list["rack_height"].2, Some(3), "of R3 and R4 the unit is known");
    assert_eq!(list["ignored_columns"].0, "Colour, serial");
    assert!(!list.contains_key("hall"), "the inventory says where racks stand");
    assert!(list.contains_key("family") && list.contains_key("fan_out"));
}

#[test]
fn measured_racks_in_a_measured_hall_need_no_pitch() {
    let bench = Bench::new();
    let rows: String = (0..8).map(|i| format!("R{i},{},1\n", i + 1)).collect();
    bench.write("racks.csv", format!("name,x_m,y_m\n{rows}"));
    let design = "version = 1\nhall.inventory = \"racks.csv\"\nhall.width = \"20 m\"\nhall.depth = \"10 m\"\n";
    bench.write("design.toml", design);
    let list = planned(&bench, &["design.toml"]);
    assert!(!list.contains_key("rack_pitch") && !list.contains_key("row_pitch"), "{list:?}");
    bench.write("racks.csv", inventory(1));
    let list = planned(&bench, &["design.toml"]);
    assert!(list.contains_key("rack_pitch") && list.contains_key("row_pitch"), "{list:?}");
}

#[test]
fn a_proof_by_a_sample_is_an_assumption() {
    let bench = Bench::new();
    let list = planned(&bench, &["--family", "kautz", "--p", "8", "--tors", "4104"]);
    assert_eq!(list["sampled_proof"].0.split_once(',').expect("a seed").0, "64 of 4104 sources");
}

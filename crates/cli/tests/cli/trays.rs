//! Trays: a warning over the planned share, no plan over all of it.

use std::f64::consts::PI;
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, SMALL, inventory};
use crate::reader::{Plan, number};

const DEPTH_MM: f64 = 10.0;

/// Eight racks in one row, trays of this width in micrometres.
fn design(width_um: u64) -> String {
    format!(
        "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\n[hall]\ninventory = \"racks.csv\"\n\
         tray_width = \"{width_um} um\"\ntray_depth = \"{DEPTH_MM} mm\"\n"
    )
}

/// The design, and the most fibres side by side with the first gap between racks that has them
/// (0 is the one behind the first rack), counted from the list of cables.
fn counted() -> (Bench, u64, usize) {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(1));
    bench.write("design.toml", design(1_000_000));
    bench.plan("plan", &["design.toml"]);
    let plan = Plan::read(&bench, "plan");
    // Racks of one row hold the ToRs in order, and splitters are in the racks of their senders.
    let mut gaps = [0; 7];
    for row in plan.of_kind("branch") {
        let (from, to) = (number(row, "from_tor"), number(row, "to_tor"));
        gaps[from.min(to)..from.max(to)].iter_mut().for_each(|fibres| *fibres += 1);
    }
    let most = gaps.into_iter().max().expect("seven gaps");
    let at = gaps.iter().position(|&fibres| fibres == most).expect("the fullest");
    (bench, most, at)
}

/// The width at which this many fibres of 2 mm take this share.
fn width_um(fibres: u64, share: f64) -> u64 {
    let width = fibres as f64 * PI / DEPTH_MM / share * 1000.0;
    format!("{width:.0}").parse().expect("a whole number")
}

#[test]
fn a_tray_over_the_planned_share_is_a_warning_with_its_place() {
    let (bench, fibres, gap) = counted();
    for share in [0.26, 0.5, 0.99] {
        bench.write("design.toml", design(width_um(fibres, share)));
        let answer = bench.ask(&["plan", "--out", "plan", "design.toml"]);
        let warnings = answer["warnings"].as_array().expect("a list");
        let [warning] = &warnings[..] else { panic!("one tray, one warning: {warnings:?}") };
        assert_eq!(warning["kind"], "tray_over_planned_share");
        assert_eq!((&warning["tray"], &warning["fibres"]), (&"row Row 1".into(), &fibres.into()));
        assert_eq!(warning["planned_percent"], 25.0);
        let close = |key: &str, expected: f64| {
            let found = warning[key].as_f64().expect("a number");
            assert!((found - expected).abs() < 0.01, "{key}: {found}, not {expected}");
        };
        close("fill_percent", 100.0 * share);
        // Racks stand 0.6 m apart, the first one 0.3 m from the corner.
        close("from_m", 0.3 + 0.6 * gap as f64);
        let to = warning["to_m"].as_f64().expect("a number");
        assert!(to >= 0.89 + 0.6 * gap as f64, "{to}");
        let said = bench.run(&["plan", "--out", "plan", "design.toml"]).said();
        let line = format!("Warning: {}.", warning["message"].as_str().expect("a sentence"));
        assert!(said.contains(&line), "{line:?} in {said}");
        for part in ["row Row 1", &format!("{:.1} %", 100.0 * share), "25 %"] {
            assert!(line.contains(part), "{part:?} in {line}");
        }
        assert_eq!(bench.verify("plan").code, 0);
        assert_eq!(Plan::read(&bench, "plan").document["report"]["warnings"], answer["warnings"]);
    }
}

#[test]
fn a_tray_within_the_planned_share_is_no_warning() {
    let (bench, fibres, _) = counted();
    bench.write("design.toml", design(width_um(fibres, 0.249)));
    let answer = bench.ask(&["plan", "--out", "plan", "design.toml"]);
    assert_eq!(answer["warnings"], Value::Array(Vec::new()));
}

#[test]
fn a_tray_with_no_room_left_is_no_plan() {
    let (bench, fibres, _) = counted();
    bench.write("design.toml", design(width_um(fibres, 1.01)));
    let count = format!("{fibres} cables");
    let parts = [
        "design.toml:",
        "hall.tray_width",
        "row Row 1",
        "101.0 %",
        &count,
        "hall.tray_depth",
        "--housing receiver",
    ];
    bench.refuses(&["plan", "--out", "new", "design.toml"], &parts);
    bench.refuses(&["plan", "--out", "plan", "design.toml"], &parts);
    bench.refuses(&["recover", "design.toml", "--failed", "relay:3", "--apply", "new"], &parts);
}

#[test]
fn trays_that_are_full_beyond_measure_are_all_told() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(4));
    let text = design(1).replace("depth = \"10 mm\"", "depth = \"1 um\"")
        + "fibre_diameter = \"500 mm\"\n";
    bench.write("design.toml", text);
    let parts = ["hall.tray_width", "tray \"", "e14", " and ", " more trays"];
    bench.refuses(&["plan", "--out", "plan", "design.toml"], &parts);
}

#[test]
fn the_check_of_a_folder_judges_trays_alike() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let path = bench.path("plan/plan.json");
    let mut document: Value =
        serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    document["hall"]["tray_width"] = "1 um".into();
    fs::write(&path, document.to_string()).expect("written");
    let ran = bench.verify("plan");
    assert!(ran.code == 1 && ran.said().contains("the fibres do not fit"), "{ran:?}");
}

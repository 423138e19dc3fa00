//! Plans with trunks grow and shrink: strands in use keep their ends and what they carry, free strands come first, and
//! new trunks are laid beside the old.

use std::collections::{BTreeMap, BTreeSet};

use crate::bench::Bench;
use crate::reader::{Row, sheet};

const TRUNKED: [&str; 8] =
    ["--family", "kautz", "--p", "4", "--housing", "zone", "--cabling", "trunked"];

fn rows(bench: &Bench, file: &str) -> Vec<Row> {
    sheet(&bench.path(file))
}

/// Both ends of each strand, and what it carries, by trunk and number.
fn strands(bench: &Bench, plan: &str) -> BTreeMap<(String, String), (String, String)> {
    let rows = rows(bench, &format!("{plan}/strands.csv")).into_iter();
    rows.map(|row| {
        let ends =
            ["near_module", "near_port", "near_position", "far_module", "far_port", "far_position"];
        let ends: Vec<&str> = ends.iter().map(|column| row[*column].as_str()).collect();
        ((row["trunk"].clone(), row["strand"].clone()), (ends.join(" "), row["carries"].clone()))
    })
    .collect()
}

/// Strands of both plans have the same ends, and a fibre that is lit in both lies in the same strand.
fn keeps_strands(bench: &Bench, before: &str, after: &str) {
    let (old, new) = (strands(bench, before), strands(bench, after));
    let lit: BTreeSet<&String> =
        new.values().map(|(_, carries)| carries).filter(|carries| *carries != "dark").collect();
    for (strand, (ends, carries)) in &old {
        let (now, carried) = new.get(strand).unwrap_or_else(|| panic!("{strand:?} is gone"));
        assert_eq!(now, ends, "{strand:?} has other ends");
        if lit.contains(carries) {
            assert_eq!(carried, carries, "{strand:?}");
        }
    }
}

/// The trunks of `after` that `before` lacks, with their row.
fn new_trunks(bench: &Bench, before: &str, after: &str) -> Vec<(String, String)> {
    let trunks = |plan: &str| -> BTreeMap<String, String> {
        let rows = rows(bench, &format!("{plan}/trunks.csv")).into_iter();
        rows.map(|row| (row["label"].clone(), row["near_row"].clone())).collect()
    };
    let old = trunks(before);
    trunks(after).into_iter().filter(|(label, _)| !old.contains_key(label)).collect()
}

#[test]
fn free_strands_come_first_and_then_trunks_beside_the_old() {
    let bench = Bench::new();
    bench.plan("old", &[&TRUNKED[..], &["--tors", "30"]].concat());
    // Two seats are empty, and row 5 of the square hall has racks left.
    let answer = bench.ask(&["grow", "old", "--tors", "32", "--out", "little"]);
    assert_eq!(answer["new_trunks"], new_trunks(&bench, "old", "little").len());
    keeps_strands(&bench, "old", "little");
    assert_eq!(bench.verify("little").code, 0);
    let answer = bench.ask(&["grow", "little", "--tors", "72", "--out", "new"]);
    keeps_strands(&bench, "little", "new");
    let laid = new_trunks(&bench, "little", "new");
    assert_eq!(answer["new_trunks"], laid.len());
    assert!(!laid.is_empty());
    // A row gets a new trunk only if its old ones are full.
    let old: BTreeMap<String, String> = rows(&bench, "little/trunks.csv")
        .into_iter()
        .map(|row| (row["label"].clone(), row["near_row"].clone()))
        .collect();
    for ((trunk, strand), (_, carries)) in strands(&bench, "new") {
        if let Some(row) = old.get(&trunk) {
            let gets_one = laid.iter().any(|(_, of)| of == row);
            assert!(!(gets_one && carries == "dark"), "{trunk}.{strand} of row {row} is free");
        }
    }
    // Only ends of jumpers in the frames move.
    let growth = rows(&bench, "new/growth.csv");
    let moved: Vec<&Row> = growth.iter().filter(|row| row["action"] == "move").collect();
    assert_eq!(answer["moved_transmit_cords"], moved.len());
    for row in moved {
        assert!(row["label"].ends_with('J') && row["kind"] == "feed", "{row:?}");
        assert_eq!(row["old_near"], row["new_near"]);
    }
    let trunks: Vec<&Row> = growth.iter().filter(|row| row["kind"] == "trunk").collect();
    assert_eq!(trunks.len(), laid.len());
    assert!(trunks.iter().all(|row| row["action"] == "build" && row["stage"] == "0"));
    assert_eq!(bench.verify("new").code, 0);
    bench.ask(&["shrink", "new", "--tors", "40", "--out", "back"]);
    keeps_strands(&bench, "new", "back");
    assert_eq!(bench.verify("back").code, 0);
    let answer = bench.ask(&["grow", "back", "--tors", "64", "--out", "again"]);
    keeps_strands(&bench, "back", "again");
    assert_eq!(answer["new_trunks"], 0, "what became free is used again");
    assert_eq!(bench.verify("again").code, 0);
    for question in [
        &["report", "new", "--out", "new.html"][..],
        &["netbox", "new", "--site", "Here", "--out", "netbox"],
        &["draw", "new", "--out", "drawn"],
        &["configs", "new", "--dialect", "openflow", "--out", "configs"],
    ] {
        let ran = bench.run(question);
        assert_eq!(ran.code, 0, "{question:?}: {ran:?}");
    }
}

#[test]
fn what_the_trunks_cannot_take_is_refused() {
    let bench = Bench::new();
    bench.plan("shuffled", &[&TRUNKED[..], &["--tors", "32", "--shuffle", "modules"]].concat());
    bench.refuses(&["grow", "shuffled", "--tors", "40"], &["shuffle", "jumpers"]);
    bench.refuses(&["shrink", "shuffled", "--tors", "28"], &["shuffle", "jumpers"]);
    // A trunk that is moved by hand is found.
    bench.plan("old", &[&TRUNKED[..], &["--tors", "32"]].concat());
    bench.ask(&["grow", "old", "--tors", "40", "--out", "new"]);
    let text = std::fs::read_to_string(bench.path("new/plan.json")).expect("a file");
    let edit = |change: &dyn Fn(&mut serde_json::Value), part: &str| {
        let mut edited: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        change(&mut edited["trunks"]);
        bench.write("new/plan.json", edited.to_string());
        let ran = bench.verify("new");
        assert!(ran.code == 2 && ran.stderr.contains(part), "{part}: {ran:?}");
    };
    edit(&|trunks| trunks["panels"][0]["slot"] = 9.into(), "is not in a free slot");
    edit(&|trunks| trunks["trunks"][0]["legs"][0][1] = 9.into(), "in no socket");
    edit(
        &|trunks| trunks["trunks"][0]["legs"][1] = trunks["trunks"][0]["legs"][0].clone(),
        "in one socket",
    );
    edit(
        &|trunks| trunks["trunks"][0]["strands"][1] = trunks["trunks"][0]["strands"][0].clone(),
        "another strand",
    );
    edit(&|trunks| trunks["trunks"][0]["strands"][0] = "X1".into(), "no label of a fibre");
}

#[test]
fn a_tray_that_new_trunks_overfill_is_named() {
    let bench = Bench::new();
    let design = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 4\ntors = 30\n[splitters]\nhousing = \"zone\"\n\
                  cabling = \"trunked\"\n[hall]\ntray_width = \"6 mm\"\ntray_depth = \"2 cm\"\n";
    bench.write("tight.toml", design);
    bench.plan("old", &["tight.toml"]);
    let grow = ["grow", "old", "--tors", "40", "--out", "new"];
    bench.refuses(&grow, &["the fibres do not fit", "tray \"row Z\""]);
}

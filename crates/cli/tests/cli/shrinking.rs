//! ToRs leave a plan: no cord of those that stay moves unless their light needs it.

use std::collections::BTreeMap;

use crate::bench::Bench;
use crate::reader::sheet;

/// The labels of the ends of each cord of a plan, by label.
fn cords(bench: &Bench, plan: &str) -> BTreeMap<String, String> {
    let rows = sheet(&bench.path(&format!("{plan}/cables.csv"))).into_iter();
    rows.map(|row| (row["label"].clone(), row["near_label"].clone())).collect()
}

/// Takes one ToR out, writes `less`, and checks that every cord that is left is where it was.
fn leaves_alone(bench: &Bench, racks: &str) {
    let answer = bench.ask(&["shrink", "old", "--racks", racks, "--out", "less"]);
    assert_eq!(answer["moved"].as_array().map(Vec::len), Some(0), "{racks}: {answer}");
    assert_eq!(answer["moved_transmit_cords"], 0, "{racks}");
    assert_eq!(answer["moved_receive_cords"], 0, "{racks}");
    let (old, new) = (cords(bench, "old"), cords(bench, "less"));
    assert!(new.len() < old.len());
    for (label, ends) in &new {
        assert_eq!(old.get(label), Some(ends), "{racks}: {label}");
    }
    let growth = sheet(&bench.path("less/growth.csv"));
    assert!(growth.iter().all(|row| row["action"] == "remove"), "{racks}");
    let ran = bench.verify("less");
    assert_eq!(ran.code, 0, "{racks}: {ran:?}");
}

#[test]
fn any_tor_leaves_two_mirrored_relays_without_a_move() {
    for housing in ["receiver", "sender", "zone"] {
        let bench = Bench::new();
        bench.plan(
            "old",
            &["--family", "shufflecast", "--p", "2", "--k", "2", "--housing", housing],
        );
        for tor in 0..8 {
            leaves_alone(&bench, &format!("tor:{tor}"));
        }
    }
}

#[test]
fn a_tor_of_any_slot_leaves_without_a_move() {
    let bench = Bench::new();
    bench
        .plan("old", &["--family", "shufflecast", "--p", "4", "--k", "2", "--housing", "receiver"]);
    for tor in [0, 7, 11, 30] {
        leaves_alone(&bench, &format!("tor:{tor}"));
    }
    bench.plan("old", &["--family", "kautz", "--p", "4", "--tors", "300", "--housing", "receiver"]);
    leaves_alone(&bench, "tor:0,tor:1,tor:2");
}

#[test]
fn empty_slots_are_filled_again_and_ports_keep_their_numbers() {
    let bench = Bench::new();
    bench
        .plan("old", &["--family", "shufflecast", "--p", "4", "--k", "2", "--housing", "receiver"]);
    leaves_alone(&bench, "tor:0,tor:9");
    let ports = |plan: &str| -> BTreeMap<(String, String), String> {
        let rows = sheet(&bench.path(&format!("{plan}/ports.csv"))).into_iter();
        rows.map(|row| ((row["name"].clone(), row["port"].clone()), row["rx_label"].clone()))
            .collect()
    };
    let (old, less) = (ports("old"), ports("less"));
    // A port that lost its light is listed only if it transmits.
    assert!(less.iter().all(|(port, label)| label.is_empty() || old[port] == *label));
    let deaf: Vec<_> = less.iter().filter(|(_, label)| label.is_empty()).collect();
    assert!(!deaf.is_empty() && deaf.iter().all(|((_, port), _)| port == "0"), "{deaf:?}");
    bench.ask(&["grow", "less", "--tors", "32", "--out", "back"]);
    assert_eq!(bench.verify("back").code, 0);
    assert!(ports("back").values().all(|label| !label.is_empty()));
    for (label, ends) in &cords(&bench, "less") {
        assert_eq!(cords(&bench, "back").get(label), Some(ends), "{label}");
    }
}

/// With link fault signalling on, a transmit port without light sends no data.
#[test]
fn transmit_ports_keep_their_light_where_they_need_it() {
    let bench = Bench::new();
    let design = ["--family", "shufflecast", "--p", "4", "--k", "2", "--housing", "receiver"];
    bench.plan("old", &[&design[..], &["--fault-signalling", "on"]].concat());
    let answer = bench.ask(&["shrink", "old", "--racks", "tor:0", "--out", "less"]);
    assert_eq!(answer["moved_transmit_cords"], 1, "{answer}");
    let ports = sheet(&bench.path("less/ports.csv"));
    assert!(ports.iter().all(|row| !row["rx_label"].is_empty()));
    assert_eq!(bench.verify("less").code, 0);
    // A ToR of another slot moves nothing.
    leaves_alone(&bench, "tor:31");
}

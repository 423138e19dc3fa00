//! Port labels of a written plan: no two ports share one, whatever racks are called.

use std::collections::BTreeMap;
use std::fs;

use crate::bench::{Bench, SMALL};
use crate::reader::Plan;

/// Racks whose names spell the labels of others: `R0` with its ToR in unit 42 and `R0-42` without a
/// unit; a name like a splitter's label; names with the separators; names that a sheet neutralises.
const RACKS: &str = "name,row,position,unit\nR0,A,1,42\nR0-42,A,2,\nR0-S0,A,3,\nR0-S0:IN,A,4,7\n\
                     R0-42:0 / R0,A,5,1\n=R0,A,6,5\n'=R0,A,7,5\nR0%3A0,A,8,\n";

fn planned() -> Bench {
    let bench = Bench::new();
    bench.write("racks.csv", RACKS);
    bench.plan("plan", &[&SMALL[..], &["--inventory", "racks.csv"]].concat());
    bench
}

#[test]
fn a_label_is_of_one_port_and_a_port_has_one_label() {
    let plan = Plan::read(&planned(), "plan");
    let (mut by_label, mut by_port) = (BTreeMap::new(), BTreeMap::new());
    for row in &plan.cables {
        // The two halves of a label, told apart by the other one: the far label is the near one
        // turned round.
        let near = &row["near_label"];
        let mut cuts =
            near.match_indices(" / ").map(|(at, mark)| (&near[..at], &near[at + mark.len()..]));
        let turned = cuts.find(|(a, b)| row["far_label"] == format!("{b} / {a}"));
        let (near, far) = turned.unwrap_or_else(|| panic!("the labels of {row:?} do not match"));
        let input = format!("splitter {} in", row["splitter"]);
        let output = format!("splitter {} out {}", row["splitter"], row["branch"]);
        let (here, there) = if row["kind"] == "feed" {
            (format!("ToR {} port {}", row["from_tor"], row["from_port"]), input)
        } else {
            (output, format!("ToR {} port {}", row["to_tor"], row["to_port"]))
        };
        for (port, label) in [(here, near.to_owned()), (there, far.to_owned())] {
            let first = by_label.entry(label.clone()).or_insert_with(|| port.clone());
            assert_eq!(*first, port, "both have the label {label:?}");
            let first = by_port.entry(port.clone()).or_insert_with(|| label.clone());
            assert_eq!(*first, label, "both are labels of {port}");
        }
    }
    // 8 ToRs of two ports, 8 splitters of an input and two outputs.
    assert_eq!(by_port.len(), 8 * 2 + 8 * 3);
}

#[test]
fn the_check_of_a_folder_tells_a_label_of_two_ports_from_the_cable_list_alone() {
    let bench = planned();
    let path = bench.path("plan/cables.csv");
    let text = fs::read_to_string(&path).expect("cables");
    let (seven, five) = ("R0-S0%3AIN-07:1", "%3DR0-05:1");
    assert!(text.contains(seven) && text.contains(five), "{text}");
    fs::write(&path, text.replace(seven, five)).expect("written");
    let ran = bench.verify("plan");
    assert_eq!(ran.code, 1, "{ran:?}");
    let told = format!("{five:?} is the label of port 1 of ToR 3 and of port 1 of ToR 5");
    assert!(ran.stdout.contains(&told), "{ran:?}");
}

#[test]
fn the_check_of_a_folder_tells_a_port_of_two_labels() {
    let bench = planned();
    let path = bench.path("plan/cables.csv");
    let text = fs::read_to_string(&path).expect("cables");
    // Port 0 of ToR 0 sends one fibre and receives another.
    let feed = text.lines().find(|line| line.starts_with("F0,")).expect("a feed");
    let renamed = text.replace(feed, &feed.replace("R0-42:0", "R0-43:0"));
    fs::write(&path, renamed).expect("written");
    let ran = bench.verify("plan");
    assert!(ran.code == 1 && ran.stdout.contains("port 0 of ToR 0 has two labels"), "{ran:?}");
}

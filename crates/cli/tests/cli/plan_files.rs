//! What the six files say, and that they agree with each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::json;

use crate::bench::Bench;
use crate::reader::{FILES, Plan, Row, number};

const DESIGNS: [(&[&str], usize); 4] = [
    (&["--family", "shufflecast", "--p", "2", "--k", "3"], 2),
    (&["--family", "kautz", "--p", "4", "--tors", "32"], 4),
    (&["--family", "kautz", "--p", "4", "--tors", "32", "--housing", "receiver"], 4),
    (&["--family", "shufflecast", "--p", "3", "--k", "2", "--housing", "receiver"], 3),
];

fn plans() -> impl Iterator<Item = (Plan, usize)> {
    DESIGNS.into_iter().map(|(args, p)| {
        let bench = Bench::new();
        bench.plan("plan", args);
        assert_eq!(bench.names("plan"), FILES);
        (Plan::read(&bench, "plan"), p)
    })
}

#[test]
fn every_tor_has_one_feed_and_every_splitter_p_branches() {
    for (plan, p) in plans() {
        let tors = plan.rules.len();
        let feeds: Vec<usize> = plan.of_kind("feed").map(|row| number(row, "from_tor")).collect();
        assert_eq!(feeds, (0..tors).collect::<Vec<_>>());
        assert_eq!(plan.cables.len(), tors * (p + 1));
        let mut outputs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for row in plan.of_kind("branch") {
            outputs.entry(number(row, "splitter")).or_default().push(number(row, "branch"));
        }
        assert_eq!(outputs.len(), tors);
        for mut branches in outputs.into_values() {
            branches.sort_unstable();
            assert_eq!(branches, (0..p).collect::<Vec<_>>());
        }
    }
}

#[test]
fn every_receive_port_takes_exactly_one_fibre() {
    for (plan, p) in plans() {
        let ends: BTreeSet<(usize, usize)> = plan
            .of_kind("branch")
            .map(|row| (number(row, "to_tor"), number(row, "to_port")))
            .collect();
        let all = (0..plan.rules.len()).flat_map(|tor| (0..p).map(move |port| (tor, port)));
        assert_eq!(ends, all.collect());
        assert_eq!(plan.branches().len(), ends.len());
    }
}

#[test]
fn ports_name_the_fibres_that_cables_bring_to_them() {
    for (plan, _) in plans() {
        let mut brought: BTreeMap<(usize, usize), (&str, usize)> = BTreeMap::new();
        for row in plan.of_kind("branch") {
            let end = (number(row, "to_tor"), number(row, "to_port"));
            brought.insert(end, (&row["label"], number(row, "from_tor")));
        }
        assert_eq!(plan.ports.len(), brought.len());
        for row in &plan.ports {
            let (tor, port) = (number(row, "tor"), number(row, "port"));
            assert_eq!(
                (row["rx_label"].as_str(), number(row, "rx_from_tor")),
                brought[&(tor, port)]
            );
            let sends = if port == 0 { format!("F{tor}") } else { String::new() };
            assert_eq!(row["tx_label"], sends, "port 0 also transmits");
        }
    }
}

#[test]
fn the_label_at_the_far_end_is_the_near_one_turned_round() {
    for (plan, _) in plans() {
        let mut seen = BTreeSet::new();
        for row in &plan.cables {
            let (near, far) = row["near_label"].split_once(" / ").expect("two ends");
            assert_eq!(row["far_label"], format!("{far} / {near}"));
            assert!(seen.insert(&row["label"]), "{} is there twice", row["label"]);
        }
        let ends: BTreeSet<&String> = plan.cables.iter().map(|row| &row["near_label"]).collect();
        assert_eq!(ends.len(), plan.cables.len(), "no two fibres have the same ends");
    }
}

#[test]
fn the_bill_of_materials_sums_to_the_cables() {
    for (plan, p) in plans() {
        let tors = plan.rules.len();
        let quantity = |item: &str| -> usize {
            plan.bom
                .iter()
                .filter(|row| row["item"] == item)
                .map(|row| number(row, "quantity"))
                .sum()
        };
        assert_eq!(quantity("splitter"), tors);
        assert_eq!(quantity("transceiver"), p * tors);
        assert_eq!(quantity("cord"), plan.cables.len());
        for row in plan.bom.iter().filter(|row| row["item"] == "cord") {
            let same = |cable: &&Row| cable["stock_m"] == row["stock_m"];
            assert_eq!(number(row, "quantity"), plan.cables.iter().filter(same).count(), "{row:?}");
        }
        for row in &plan.bom {
            let (quantity, spares) = (number(row, "quantity"), number(row, "spares"));
            assert_eq!(spares, (quantity * 5).div_ceil(100), "5 % unless asked otherwise: {row:?}");
            assert_eq!(number(row, "order"), quantity + spares);
        }
    }
}

#[test]
fn the_pull_sheet_has_every_cable_once_with_its_piece() {
    for (plan, _) in plans() {
        let pieces = |rows: &[Row]| -> BTreeSet<(String, String, String)> {
            let of =
                |row: &Row| (row["label"].clone(), row["stock_m"].clone(), row["trays"].clone());
            rows.iter().map(of).collect()
        };
        assert_eq!(plan.pull.len(), plan.cables.len());
        assert_eq!(pieces(&plan.pull), pieces(&plan.cables));
        let mut runs: Vec<[&String; 4]> = plan
            .pull
            .iter()
            .map(|row| ["row", "to_row", "rack", "to_rack"].map(|column| &row[column]))
            .collect();
        runs.dedup();
        let distinct: BTreeSet<&[&String; 4]> = runs.iter().collect();
        assert_eq!(distinct.len(), runs.len(), "each run has one stretch of the sheet");
    }
}

#[test]
fn rules_are_exactly_the_promised_document() {
    for (args, _) in DESIGNS {
        let bench = Bench::new();
        bench.plan("plan", args);
        let bytes = fs::read(bench.path("plan/rules.json")).expect("rules");
        let rules: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&bytes).expect("an object");
        assert_eq!(rules.keys().collect::<Vec<_>>(), ["accept", "relays", "via"]);
        assert_eq!((&rules["accept"], &rules["via"]), (&json!({}), &json!({})));
        for (tor, list) in rules["relays"].as_object().expect("an object") {
            let list: Vec<u64> = serde_json::from_value(list.clone()).expect("numbers");
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{tor}: {list:?}");
            assert!(list.contains(&tor.parse().expect("a number")), "{tor} lacks itself");
        }
    }
}

#[test]
fn the_same_design_gives_the_same_bytes() {
    let bench = Bench::new();
    bench.write("racks.csv", crate::bench::inventory(3));
    fs::create_dir(bench.path("elsewhere")).expect("a folder");
    fs::copy(bench.path("racks.csv"), bench.path("elsewhere/racks.csv")).expect("a copy");
    let args =
        ["plan", "--inventory", "racks.csv", "--family", "kautz", "--p", "4", "--out", "plan"];
    for (folder, plan) in [(".", "plan"), (".", "plan"), ("elsewhere", "elsewhere/plan")] {
        assert_eq!(bench.run_in(folder, &args).code, 0);
        assert_eq!(bench.verify(plan).code, 0);
    }
    for file in FILES {
        let read = |folder: &str| fs::read(bench.path(folder).join(file)).expect("a file");
        assert!(read("plan") == read("elsewhere/plan"), "{file} differs");
    }
}

#[test]
fn receivers_take_one_long_run_a_tor_and_senders_p() {
    for (tors, p) in [("64", 4), ("63", 4), ("30", 2)] {
        let bench = Bench::new();
        let p_text = p.to_string();
        let args = ["--family", "kautz", "--p", &p_text, "--tors", tors];
        bench.plan("sender", &args);
        bench.plan("receiver", &[&args[..], &["--housing", "receiver"]].concat());
        let housings = |folder: &str| {
            let report = Plan::read(&bench, folder).document["report"]["housings"].clone();
            report.as_array().expect("two housings").clone()
        };
        let (sender, receiver) = (housings("sender"), housings("receiver"));
        assert_eq!([&sender[0], &sender[1]], [&receiver[1], &receiver[0]], "the same two sums");
        let branches = Plan::read(&bench, "sender").branches().len();
        assert_eq!(sender[0]["long_runs"], branches);
        assert_eq!(receiver[0]["long_runs"], tors.parse::<u64>().expect("a number"));
        assert_eq!(bench.verify("receiver").code, 0);
    }
}

//! `budget --spec` and `acceptance.csv`: what to buy and how to measure, recomputed by hand.

use serde_json::Value;

use crate::bench::Bench;
use crate::reader::{Plan, Row, micrometres, sheet};

/// 10GBASE-ER over 1:4: -4.7 to 4 dBm out; -15.8 to -1 dBm in; a pad of 1 ± 0.5 dB at each transmitter.
const ER: [&str; 8] =
    ["--family", "kautz", "--p", "4", "--tors", "24", "--transceiver", "10gbase-er"];
/// Splitter 1:4 with its polarisation, two LC pairs, and the pad, in dB.
const MOST: f64 = 7.4 + 0.3 + 2.0 * 0.75 + 1.5;
/// The even share of a quarter less the uniformity, and the pad.
const LEAST: f64 = 6.020_599_913 - 0.8 + 0.5;

fn near(found: &Value, expected: f64) {
    let number = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    assert!((number - expected).abs() < 2e-6, "found {number}, by hand {expected}");
}

/// Writes a plan and reads it back.
fn written(bench: &Bench, args: &[&str]) -> Plan {
    bench.plan("plan", args);
    Plan::read(bench, "plan")
}

fn acceptance(bench: &Bench) -> Vec<Row> {
    sheet(&bench.path("plan/acceptance.csv"))
}

/// Kilometres of fibre of each branch of a plan, by its label.
fn kilometres(plan: &Plan) -> Vec<(String, f64)> {
    let length = |splitter: &str| {
        let feed = plan.of_kind("feed").find(|row| row["splitter"] == splitter).expect("a feed");
        micrometres(feed, "length_m")
    };
    let whole = |row: &Row| {
        let um = length(&row["splitter"]) + micrometres(row, "length_m");
        (row["label"].clone(), um as f64 / 1e9)
    };
    plan.of_kind("branch").map(whole).collect()
}

#[test]
fn the_spec_by_hand() {
    let bench = Bench::new();
    let plan = written(&bench, &ER);
    let longest = kilometres(&plan).into_iter().map(|(_, km)| km).fold(0.0, f64::max);
    let spec = bench.ask(&[&["budget", "--spec"], &ER[..]].concat());
    let most = MOST + 0.4 * longest;
    near(&spec["most_loss_db"], most);
    near(&spec["least_loss_db"], LEAST);
    // Overload -1 dBm, 1 dB of headroom.
    near(&spec["greatest_launch_dbm"], -1.0 + LEAST - 1.0);
    assert_eq!(spec["keeps_greatest_launch"], false);
    let average = spec["transceivers"].as_array().expect("demands").iter();
    let average: Vec<&Value> = average.filter(|demand| demand["launch"] == "average").collect();
    assert_eq!(average.len(), 1);
    // Sensitivity, loss and 1 dB of margin; and the launch power less both.
    near(&average[0]["required_launch_dbm"], -15.8 + most + 1.0);
    near(&average[0]["worst_sensitivity_dbm"], -4.7 - most - 1.0);
    assert_eq!(average[0]["met"], -4.7 >= -15.8 + most + 1.0);
    near(&spec["splitter"]["loss_max_db"], 7.7);
    near(&spec["splitter"]["loss_min_db"], LEAST - 0.5);
    assert_eq!(spec["splitter"]["return_loss_db"], 50.0);
    let text = bench.run(&[&["budget", "--spec"], &ER[..]].concat());
    assert_eq!(text.code, 0, "{text:?}");
    assert!(text.said().contains("10gbase-er DOES NOT KEEP this"), "{text:?}");
}

#[test]
fn a_part_that_meets_the_spec_keeps_the_policies() {
    let bench = Bench::new();
    for (name, meets) in [("10g-l40", true), ("10gbase-lr", false), ("10g-er-cwdm", true)] {
        let args = [&ER[..7], &[name]].concat();
        let spec = bench.ask(&[&["budget", "--spec"], &args[..]].concat());
        let demands = spec["transceivers"].as_array().expect("demands");
        let met = demands.iter().all(|demand| demand["met"] == true);
        let kept = spec["keeps_greatest_launch"] == true;
        let budget = bench.ask(&[&["budget"], &args[..]].concat());
        assert_eq!(met && kept, meets, "{name}: {spec}");
        assert_eq!(budget["verdict"] == "pass", meets, "{name}");
    }
}

#[test]
fn acceptance_limits_by_hand() {
    let bench = Bench::new();
    let plan = written(&bench, &ER);
    let rows = acceptance(&bench);
    let expected = kilometres(&plan);
    assert_eq!(rows.len(), expected.len());
    for (row, (label, km)) in rows.iter().zip(expected) {
        assert_eq!(row["label"], label);
        // The cord of the reference adds its pair to the two of the splitter.
        let most = format!("{:.2}", MOST + 0.75 + 0.4 * km);
        assert_eq!((row["least_db"].as_str(), row["most_db"].as_str()), ("5.72", most.as_str()));
        let branch =
            plan.of_kind("branch").find(|cable| cable["label"] == label).expect("a branch");
        let (near, far) = branch["near_label"].split_once(" / ").expect("two ends");
        assert_eq!((row["meter_at"].as_str(), row["otdr_from"].as_str()), (far, far));
        let feed =
            plan.of_kind("feed").find(|cable| cable["label"] == row["feed"]).expect("a feed");
        let (source, splitter) = feed["near_label"].split_once(" / ").expect("two ends");
        assert_eq!(row["source_at"], source);
        assert_eq!(splitter.split(':').next(), near.split(':').next(), "one splitter");
        assert_eq!(row["wavelength"], "1550 nm");
        // Without its pad of 1 ± 0.5 dB a branch measures up to 9.95 dB and more, so 5.72 dB show nothing.
        assert_eq!(row["pad"], "lc-1db at the transmitter");
        assert_eq!(row["limits_show_pad"], "no");
        assert!(row["pad_test"].contains("falls by 0.30 to 1.70 dB"), "{row:?}");
    }
}

/// A pad of 8 ± 0.5 dB lifts the least limit to 12.72 dB, above all that a branch without it can measure.
#[test]
fn limits_that_show_the_pad_ask_for_nothing_more() {
    let bench = Bench::new();
    let plan = written(&bench, &[&ER[..7], &["10g-zr"]].concat());
    assert_eq!(plan.document["report"]["light"]["pad"], "lc-8db at the transmitter");
    let rows = acceptance(&bench);
    assert!(rows.iter().all(|row| row["limits_show_pad"] == "yes" && row["pad_test"].is_empty()));
    assert!(rows.iter().all(|row| row["least_db"] == "12.72"));
    assert_eq!(bench.verify("plan").code, 0);
    // A design without a pad has no such columns.
    let bench = Bench::new();
    written(&bench, &[&ER[..7], &["10g-l40"]].concat());
    assert!(acceptance(&bench).iter().all(|row| !row.contains_key("pad")));
}

/// The page that is signed says how many branches could pass without their pad, and which test shows it.
#[test]
fn the_report_says_which_limits_do_not_show_a_pad() {
    let bench = Bench::new();
    written(&bench, &ER);
    let page = |plan: &str| {
        let ran = bench.run(&["report", plan, "--out", "page.html"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let text = std::fs::read_to_string(bench.path("page.html")).expect("a page");
        std::fs::remove_file(bench.path("page.html")).expect("a page");
        text
    };
    let told = page("plan");
    assert!(told.contains("limits of 96 of 96 branches do not show whether the pad is in"));
    assert!(told.contains("falls by 0.30 to 1.70 dB"));
    bench.plan("other", &[&ER[..7], &["10g-zr"]].concat());
    assert!(!page("other").contains("do not show whether the pad is in"));
}

#[test]
fn without_optics_there_are_no_limits_and_a_changed_limit_is_found() {
    let bench = Bench::new();
    let plain = ["--family", "shufflecast", "--p", "2", "--k", "2"];
    written(&bench, &plain);
    let rows = acceptance(&bench);
    assert_eq!(rows.len(), 16);
    assert!(rows.iter().all(|row| row["least_db"].is_empty() && !row["source_at"].is_empty()));
    let bench = Bench::new();
    written(&bench, &[&plain[..], &["--transceiver", "10g-l40"]].concat());
    let text = std::fs::read_to_string(bench.path("plan/acceptance.csv")).expect("a file");
    let row = text.lines().nth(3).expect("a third branch");
    let most = row.rsplit(',').next().expect("a limit");
    bench.write("plan/acceptance.csv", text.replacen(&format!(",{most}\n"), ",99.00\n", 1));
    let ran = bench.verify("plan");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.said().contains("acceptance.csv") && ran.said().contains("99.00"), "{ran:?}");
}

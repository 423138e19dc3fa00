//! `compare`: all that is built beside the packet core, and what each source at line rate costs.

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::light_budget::{FIFTY, PAPER};

const FOUR_FOUR: [&str; 6] = ["--family", "shufflecast", "--p", "4", "--k", "4"];

/// With the paper's catalogue.
fn ask(args: &[&str]) -> Value {
    Bench::new().ask(&[&["compare"], args, &PAPER].concat())
}

fn close(found: &Value, expected: f64, what: &str) {
    let number = found.as_f64().unwrap_or_else(|| panic!("{what}: {found} is no number"));
    assert!((number - expected).abs() < 1e-6 * expected, "{what}: {number}, by hand {expected}");
}

/// 4,4 at 10 Gb/s with shufflecast:table1: a port and its transceiver are 55.50 + 27 USD and 2.64 + 1 W, a 1:4
/// splitter 9.30 USD, 100 m of a pair 37.37 USD and a strand half of that.
#[test]
fn the_whole_4_4_by_hand() {
    let report = ask(&FOUR_FOUR);
    // Every ToR has 4 ports, a splitter and 4 strands to others.
    let fabric = 4096.0 * 82.5 + 1024.0 * 9.3 + 4096.0 * 37.37 / 2.0;
    // 1,024 ToRs under 34 switches of 32 ports, under 2, under one.
    let core = 2.0 * (1024.0 + 34.0 + 2.0) * 82.5 + (1024.0 + 34.0 + 2.0) * 37.37;
    let chain = 2048.0 * 82.5 + 2048.0 * 37.37;
    let powers = [4096.0 * 3.64, 2120.0 * 3.64, 2048.0 * 3.64];
    let sources = [4.0, 1.0, 2.0];
    let sides = ["splitter_fabric", "ip_multicast", "peer_to_peer"];
    for (((side, cost), power), sources) in
        sides.into_iter().zip([fabric, core, chain]).zip(powers).zip(sources)
    {
        let whole = &report["whole_fabric"][side];
        close(&whole["cost_usd"], cost, side);
        close(&whole["power_w"], power, side);
        let each = &report["at_line_rate"][side];
        close(&each["sources"], sources, side);
        close(&each["cost_usd"], cost / sources, side);
        close(&each["power_w"], power / sources, side);
        assert_eq!(each["unknown"], Value::Null, "{side}");
    }
    let ratios = &report["whole_fabric"]["ratios"];
    close(&ratios["cost_ip_multicast"], core / fabric, "cost");
    close(&ratios["power_peer_to_peer"], powers[2] / powers[0], "power");
    // What the old keys say of one multicast stays.
    let one = 1280.0 * 82.5 + 256.0 * 9.3 + 1024.0 * 37.37 / 2.0;
    close(&report["splitter_fabric"]["cost_usd"], one, "one multicast");
    close(&report["ratios"]["cost_ip_multicast"], core / one, "one multicast");

    let said = report["summary"].as_array().expect("sentences");
    let said: Vec<&str> = said.iter().map(|line| line.as_str().expect("a sentence")).collect();
    for (line, parts) in [
        (
            0,
            &[
                "423976.96 USD",
                "214512.20 USD",
                "245493.76 USD",
                "14909.4 W",
                "7716.8 W",
                "7454.7 W",
            ][..],
        ),
        (1, &["1.98 times", "1.93 times", "packet core"]),
        (2, &["4 ToRs", "1 ToR can", "2 ToRs", "10 Gbps", "at once"]),
        (
            3,
            &[
                "105994.24 USD here",
                "214512.20 USD with the packet core",
                "122746.88 USD with the chain",
            ],
        ),
        (4, &["127114.24 USD", "214512.20 USD", "1.69 times"]),
    ] {
        for part in parts {
            assert!(said[line].contains(part), "{part} in {:?}", said[line]);
        }
    }
    let text = Bench::new().run(&[&["compare"], &FOUR_FOUR[..], &PAPER].concat()).said();
    assert!(text.starts_with(&said.join(" ")), "the whole comes first: {text}");
    for cell in ["sources at line rate", "105994.24 USD"] {
        assert!(text.contains(cell), "{cell}");
    }
}

/// As many sources as `parallel` finds trees for: not p where seats are empty.
#[test]
fn sources_are_those_that_parallel_finds() {
    let ring = "tor,from_cassette,to_cassette\n0,0,1\n1,1,2\n2,2,0\n3,0,2\n4,1,0\n";
    let bench = Bench::new();
    bench.write("edges.csv", ring);
    let custom = ["--family", "custom", "--p", "2", "--edges", "edges.csv"];
    let odd = ["--family", "kautz", "--p", "4", "--tors", "30"];
    let eight = ["--family", "kautz", "--p", "8", "--tors", "64"];
    let mut found = Vec::new();
    for design in [&FIFTY[..], &SMALL[..], &odd, &eight, &custom] {
        let parallel = bench.ask(&[&["parallel"], design].concat());
        let sources = parallel["trees"].as_object().expect("trees").len();
        let report = bench.ask(&[&["compare"], design].concat());
        assert_eq!(report["at_line_rate"]["splitter_fabric"]["sources"], sources, "{design:?}");
        assert_eq!(report["at_line_rate"]["ip_multicast"]["sources"], 1, "{design:?}");
        found.push(sources);
    }
    assert_eq!(found[1], 2);
    assert!(found[0] < 4, "empty seats take a source away");
}

/// Every ToR can send at once where the others of each are no more than its ports.
#[test]
fn two_and_three_tors() {
    for (tors, core, chain) in [("2", 2, 2), ("3", 1, 3), ("4", 1, 2)] {
        let report = ask(&["--family", "kautz", "--p", "2", "--tors", tors]);
        assert_eq!(report["at_line_rate"]["ip_multicast"]["sources"], core, "{tors}");
        assert_eq!(report["at_line_rate"]["peer_to_peer"]["sources"], chain, "{tors}");
    }
}

#[test]
fn what_is_not_known_is_said_and_not_guessed() {
    // No splitter 1:9 has a price.
    let report = ask(&["--family", "kautz", "--p", "9", "--tors", "60"]);
    let here = &report["at_line_rate"]["splitter_fabric"];
    assert_eq!((&here["cost"], &here["cost_usd"]), (&Value::Null, &Value::Null));
    assert!(here["power_w"].is_number());
    assert!(here["unknown"].as_str().is_some_and(|why| why.contains("price")), "{here}");
    assert!(report["at_line_rate"]["ip_multicast"]["cost_usd"].is_number());
    assert_eq!(report["whole_fabric"]["ratios"]["cost_ip_multicast"], Value::Null);
    let said = report["summary"].to_string();
    for part in ["and more", "costs an unknown number of times", "costs an unknown amount here"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    // The transceiver has no power: 16 ports of 3.75 W are what is known.
    let er = ["--catalogue", "datasheets-2026", "--transceiver", "25gbase-er"];
    let report = Bench::new().ask(&[&["compare"], &SMALL[..], &er[..]].concat());
    assert_eq!(report["at_line_rate"]["splitter_fabric"]["power_w"], Value::Null);
    let said = report["summary"].to_string();
    for part in ["draws 60.0 W and more", "draws an unknown number of times as much"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(!said.contains("NaN") && !said.contains("inf "), "{said}");
    assert_eq!(report["at_line_rate"]["ip_multicast"]["sources"], json!(1));
}

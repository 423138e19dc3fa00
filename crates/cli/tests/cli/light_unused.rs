//! `unused-ports`: racks filled by hand, and questions that make no sense.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};

fn ask(args: &[&str]) -> Value {
    Bench::new().ask(&[&["unused-ports"], args].concat())
}

#[test]
fn one_rack_by_hand() {
    // 42 units, one for the switch: 41 servers of 1 x 10 Gb/s leave 7 of 48 ports. At 3:1 they want
    // 136.7 Gb/s of uplinks: all 4 x 40 Gb/s (three are not enough).
    let rack = ["--rack-units", "42", "--oversubscription", "3:1", "--server-ports", "1 x 10 Gb/s"];
    let report = ask(&[&["--model", "arista-7050sx-64"], &rack[..]].concat());
    assert_eq!((&report["racks"], &report["impossible"]), (&json!(1), &json!(0)));
    let case = &report["cases"][0];
    assert_eq!(case["model"], "arista-7050sx-64");
    assert_eq!((&case["unused_ports"], &case["unused_gbps"]), (&json!(7), &json!(70.0)));
    // At 1:1 they want 410 Gb/s; 4 x 40 and 7 x 10 are 230.
    let even = ["--rack-units", "42", "--oversubscription", "1:1", "--server-ports", "1 x 10 Gb/s"];
    let report = ask(&[&["--model", "arista-7050sx-64"], &even[..]].concat());
    assert_eq!((&report["racks"], &report["impossible"]), (&json!(1), &json!(1)));
    assert_eq!((&report["cases"], &report["at_one_to_one"]), (&json!([]), &Value::Null));
    assert_eq!(report["all"]["share_with_2_ports"], Value::Null, "no rack, and no share");
}

/// Racks, servers and oversubscriptions of shufflecast:B.
#[test]
fn the_shares_are_those_of_the_cases() {
    let report = ask(&[]);
    let cases = report["cases"].as_array().expect("cases");
    let impossible = report["impossible"].as_u64().expect("a number");
    assert_eq!(report["racks"], cases.len() as u64 + impossible);
    assert_eq!(report["racks"], 9 * 12 * 5);
    let share = |with: &dyn Fn(&Value) -> bool| {
        cases.iter().filter(|case| with(case)).count() as f64 / cases.len() as f64
    };
    let ports = |case: &Value| case["unused_ports"].as_u64().expect("ports");
    let gbps = |case: &Value| case["unused_gbps"].as_f64().expect("Gb/s");
    let all = &report["all"];
    assert_eq!(all["share_with_2_ports"], share(&|case| ports(case) >= 2));
    assert_eq!(all["share_with_10_ports"], share(&|case| ports(case) >= 10));
    assert_eq!(all["share_with_100_gbps"], share(&|case| gbps(case) >= 100.0));
    let both = share(&|case| ports(case) >= 10 && gbps(case) >= 500.0);
    assert_eq!(all["share_with_10_ports_and_500_gbps"], both);
    let mut by_ports: BTreeMap<String, u64> = BTreeMap::new();
    for case in cases {
        *by_ports.entry(ports(case).to_string()).or_default() += 1;
    }
    assert_eq!(all["by_ports"], json!(by_ports));
    assert!(!report["assumed"].as_array().expect("notes").is_empty());
}

#[test]
fn whether_a_design_has_ports_to_spare() {
    let rack = ["--rack-units", "42", "--oversubscription", "3:1", "--server-ports", "1 x 10 Gb/s"];
    let rack = [&["--model", "arista-7050sx-64"], &rack[..]].concat();
    assert_eq!(ask(&rack)["design"], Value::Null);
    let of = |p: &str| ask(&[&["--family", "kautz", "--tors", "64", "--p", p], &rack[..]].concat());
    for (p, enough) in [("7", true), ("8", false)] {
        let design = &of(p)["design"];
        assert_eq!(design["ports_needed"].to_string(), p);
        assert_eq!(design["every_rack_has_enough"], enough, "7 ports are left, {p} are needed");
        assert_eq!(design["share_with_enough"], if enough { 1.0 } else { 0.0 });
    }
    // The ports that are left run at 10 Gb/s.
    for faster in [
        &["--catalogue", "shufflecast-2022", "--rate", "25 Gb/s"][..],
        &["--transceiver", "25gbase-er"],
    ] {
        let design = ask(&[&SMALL[..], &rack[..], faster].concat());
        assert_eq!(design["design"]["every_rack_has_enough"], false, "{faster:?}");
    }
}

#[test]
fn models_of_ones_own() {
    let bench = Bench::new();
    bench.write(
        "parts.toml",
        "[switch.mine]\nports = [\"20 x 10 Gb/s\"]\nheight = 2\nsource = \"mine\"\ndate = \"2026-11\"\n",
    );
    let rack = ["--rack-units", "12", "--oversubscription", "2:1", "--server-ports", "1 x 10 Gb/s"];
    let flags = [&["unused-ports", "--parts", "parts.toml", "--model", "mine"], &rack[..]].concat();
    // 10 servers, 5 uplinks.
    assert_eq!(bench.ask(&flags)["cases"][0]["unused_ports"], 5);
}

#[test]
fn racks_that_nobody_has() {
    let bench = Bench::new();
    for (flag, values) in [
        ("--rack-units", &["1", "61", "4294967295", "x", "18446744073709551616"][..]),
        ("--oversubscription", &["0:1", "1:0", "3", "a:b", "1:1001", "-1:1", "1:1:1"]),
        ("--server-ports", &["2", "0 x 10 Gb/s", "17 x 10 Gb/s", "1 x 0 Gb/s", "1 x 10", "x"]),
        ("--model", &["nobody-9000", "", "Cisco-9364C"]),
    ] {
        for value in values {
            bench.refuses(&["unused-ports", &format!("{flag}={value}")], &[flag]);
        }
    }
}

#[test]
fn rates_at_the_edge_of_numbers() {
    let bench = Bench::new();
    bench.write(
        "parts.toml",
        "[switch.huge]\nports = [\"400 x 18000000000 Gb/s\"]\nsource = \"mine\"\ndate = \"2026-11\"\n",
    );
    let flags = ["unused-ports", "--parts", "parts.toml", "--model", "huge"];
    let ran = bench.run(&[&flags[..], &["--server-ports", "1 x 9000000000 Gb/s"]].concat());
    assert!(ran.code == 0 || ran.code == 2, "{ran:?}");
}

//! `compare`: the paper's figures from shufflecast:table1, computed here again.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::light_budget::{FIFTY, PAPER};

const SIDES: [&str; 3] = ["splitter_fabric", "ip_multicast", "peer_to_peer"];

/// With the paper's catalogue.
fn ask(args: &[&str]) -> Value {
    Bench::new().ask(&[&["compare"], args, &PAPER].concat())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// shufflecast:VI-A.power, shufflecast:fig1
#[test]
fn the_papers_small_example() {
    let report = ask(&[&SMALL[..], &["--core-ports", "4"]].concat());
    let ports = SIDES.map(|side| report[side]["ports"].as_u64().expect("ports"));
    assert_eq!(ports, [12, 22, 16]);
    assert_eq!(report["excess_resource_percent"], 175.0);
    for side in SIDES {
        let side = &report[side];
        let keys: BTreeSet<&str> =
            side.as_object().expect("an object").keys().map(String::as_str).collect();
        for key in ["ports", "transceivers", "splitters", "fibres", "power_w", "cost_usd"] {
            assert!(keys.contains(key) && side[key].is_number(), "{key} in {side}");
        }
        assert_eq!(side["ports"], side["transceivers"]);
    }
    assert_eq!(report["splitter_fabric"]["splitters"], 4);
    assert_eq!(report["splitter_fabric"]["fibres"], 8);
    assert_eq!(report["ip_multicast"]["fibres"], 11);
    assert_eq!(report["ratios"]["ports_ip_multicast"], 22.0 / 12.0);
    assert_eq!(report["ratios"]["ports_peer_to_peer"], 16.0 / 12.0);
    let assumed = report["assumed"].to_string();
    assert!(assumed.contains("shufflecast-2022") && assumed.contains("10g-10km"), "{assumed}");
    assert!(assumed.contains("100 m"), "{assumed}");
    assert_eq!(report["catalogue"]["currency"], "USD");
}

#[test]
fn the_papers_larger_example() {
    // 192 = 4 x 48 racks; 7 switches of 32 ports under one more.
    let report = ask(&["--family", "kautz", "--p", "4", "--tors", "192", "--core-ports", "32"]);
    let percent = number(&report["excess_resource_percent"]);
    assert!((percent - 100.0 * (192.0 + 14.0) / 192.0).abs() < 1e-9);
    assert_eq!(percent.round(), 107.0);
    assert_eq!(report["core_ports"], 32);
}

/// shufflecast:table1 by rate in Gb/s: what a port and its transceiver draw and cost, and what splitters and fibre
/// cost.
const TABLE_I: [(f64, f64, f64); 3] = [
    (10.0, 2.64 + 1.0, 55.5 + 27.0),
    (25.0, 3.75 + 1.0, 86.2 + 59.0),
    (100.0, 14.06 + 3.5, 237.5 + 189.0),
];
const PAIR_OF_100_M: f64 = 37.37;

/// Uplinks of the layers of a core of 32-port switches, above the ToRs'.
fn uplinks(tors: u64) -> u64 {
    let (mut level, mut sum) = (tors, 0);
    while level > 32 {
        level = level.div_ceil(31);
        sum += level;
    }
    sum
}

/// Every Shufflecast of p = 3 … 8 with 50 to 1,024 ToRs.
fn shufflecasts() -> Vec<(u64, u32, u64)> {
    let sizes = (3..=8_u64).flat_map(|p| (1..=8).map(move |k| (p, k, u64::from(k) * p.pow(k))));
    sizes.filter(|(.., tors)| (50..=1024).contains(tors)).collect()
}

/// shufflecast:fig6b, shufflecast:fig6c
#[test]
fn the_ratios_of_figure_6_from_table_i() {
    let found = shufflecasts();
    assert_eq!(found.len(), 10);
    for (p, k, tors) in found {
        for (gbps, watts, price) in TABLE_I {
            let (p_text, k_text) = (p.to_string(), k.to_string());
            let rate = format!("{gbps} Gb/s");
            let report = ask(&[
                "--family",
                "shufflecast",
                "--p",
                &p_text,
                "--k",
                &k_text,
                "--rate",
                &rate,
                "--core-ports",
                "32",
                "--fibre-accounting",
                "half",
                "--fibre-length",
                "100 m",
            ]);
            let n = tors as f64;
            let splitter = if p <= 4 { 9.3 } else { 12.0 };
            let relays = n / p as f64;
            let links = n + uplinks(tors) as f64;
            // Ports; money: ports, splitters, strands at half a pair, pairs.
            let sides = [
                (n + relays, (n + relays) * price + relays * splitter + n * PAIR_OF_100_M / 2.0),
                (2.0 * links, 2.0 * links * price + links * PAIR_OF_100_M),
                (2.0 * n, 2.0 * n * price + 2.0 * n * PAIR_OF_100_M),
            ];
            let what = format!("{p},{k} at {rate}");
            for (side, (ports, cost)) in SIDES.into_iter().zip(sides) {
                let side = &report[side];
                assert_eq!(number(&side["ports"]), ports, "{what}");
                assert!((number(&side["power_w"]) / (ports * watts) - 1.0).abs() < 1e-9, "{what}");
                assert!((number(&side["cost_usd"]) / cost - 1.0).abs() < 1e-9, "{what}: {side}");
                assert_eq!(side["missing"], json!([]), "{what}");
                let joules = ports * watts * 8.0 / gbps;
                assert!(
                    (number(&side["joules_per_gigabyte"]) / joules - 1.0).abs() < 1e-9,
                    "{what}"
                );
            }
            let [fabric, ip, chain] = sides;
            let ratios = &report["ratios"];
            for (name, expected) in [
                ("power_ip_multicast", ip.0 / fabric.0),
                ("power_peer_to_peer", chain.0 / fabric.0),
                ("cost_ip_multicast", ip.1 / fabric.1),
                ("cost_peer_to_peer", chain.1 / fabric.1),
            ] {
                let found = number(&ratios[name]);
                assert!((found - expected).abs() < 1e-9, "{what} {name}: {found}, not {expected}");
            }
            let cents = |ratio: f64| (ratio * 100.0).round() / 100.0;
            let overlay = cents(number(&ratios["power_peer_to_peer"]));
            assert!((1.50..=1.78).contains(&overlay), "{what}: {overlay}");
            let core = cents(number(&ratios["power_ip_multicast"]));
            assert!((1.55..=1.85).contains(&core), "{what}: {core}");
            let money = number(&ratios["cost_ip_multicast"]);
            assert!((1.57 * 0.98..=1.89 * 1.02).contains(&money), "{what}: {money}");
        }
    }
}

#[test]
fn splitters_without_a_price_take_the_next_larger_and_it_is_said() {
    for (p, listed) in [("3", "1x4"), ("5", "1x8"), ("7", "1x8")] {
        let report = ask(&["--family", "kautz", "--p", p, "--tors", "60"]);
        let assumed = report["assumed"].to_string();
        assert!(assumed.contains(&format!("1:{p}")) && assumed.contains(listed), "{assumed}");
    }
    let report = ask(&["--family", "kautz", "--p", "9", "--tors", "60"]);
    let missing = report["splitter_fabric"]["missing"].as_array().expect("a list");
    assert_eq!(missing.len(), 1, "beyond the largest row nothing is guessed: {missing:?}");
    assert_eq!((&missing[0]["value"], &missing[0]["quantity"]), (&json!("price"), &json!(7)));
    assert!(missing[0]["reason"].as_str().is_some_and(|why| why.contains("shufflecast-2022")));
    assert_eq!(report["ratios"]["cost_ip_multicast"], Value::Null);
    assert!(report["ratios"]["power_ip_multicast"].is_number());
    let nine = ["compare", "--family", "kautz", "--p", "9", "--tors", "60"];
    let table = Bench::new().run(&[&nine[..], &PAPER].concat());
    assert!(
        table.stdout.contains("and more") && table.stdout.contains("Not in the sums"),
        "{table:?}"
    );
}

#[test]
fn a_catalogue_without_prices_or_power() {
    let with = |transceiver: &str| {
        let sourced = ["--prices", "sourced"];
        let flags = ["--catalogue", "datasheets-2026", "--transceiver", transceiver];
        let flags = [&flags[..], &sourced].concat();
        Bench::new().ask(&[&["compare"], &SMALL[..], &flags[..]].concat())
    };
    let report = with("25gbase-er");
    for side in SIDES {
        let side = &report[side];
        let missing = side["missing"].to_string();
        assert!(missing.contains("25gbase-er") && missing.contains("power"), "{missing}");
        assert_eq!(side["joules_per_gigabyte"], Value::Null);
    }
    for ratio in
        ["power_ip_multicast", "power_peer_to_peer", "cost_ip_multicast", "cost_peer_to_peer"]
    {
        assert_eq!(report["ratios"][ratio], Value::Null, "{ratio}");
    }
    assert!(report["ratios"]["ports_ip_multicast"].is_number());
    // No paper prints a price of 400 Gb/s optics.
    let report = with("400gbase-fr4");
    let missing = report["splitter_fabric"]["missing"].to_string();
    assert!(missing.contains("transceiver 400gbase-fr4"), "{missing}");
}

#[test]
fn the_whole_fabric_is_what_its_plan_orders() {
    for (housing, design) in [("sender", &FIFTY[..]), ("receiver", &SMALL[..])] {
        let bench = Bench::new();
        let flags = ["--housing", housing, "--transceiver", "10g-10km", "--accept", "best"];
        let design = [design, &flags, &PAPER].concat();
        bench.plan("plan", &design);
        let report = bench.ask(&[&["compare"], &design[..]].concat());
        let whole = &report["whole_fabric"]["splitter_fabric"];
        let plan = crate::reader::Plan::read(&bench, "plan");
        let count = |item: &str, variant: &str| -> usize {
            let rows = plan.bom.iter();
            let rows =
                rows.filter(|row| row["item"] == item && row["variant"].starts_with(variant));
            rows.map(|row| crate::reader::number(row, "quantity")).sum()
        };
        assert_eq!(whole["transceivers"], count("transceiver", ""));
        assert_eq!(whole["ports"], count("switch port", ""));
        assert_eq!(whole["splitters"], count("splitter", ""));
        assert_eq!(
            whole["fibres"],
            plan.cables.iter().filter(|row| row["kind"] == "branch").count()
        );
        assert_eq!(report["bill"], plan.document["report"]["bill"]);
    }
}

#[test]
fn years_of_energy() {
    let years = ["--years", "5", "--energy-price", "0.123457 USD"];
    let report = ask(&[&SMALL[..], &years[..]].concat());
    for side in SIDES {
        let side = &report[side];
        let over = &side["over_years"];
        let kwh = number(&side["power_w"]) * 5.0 * 8766.0 / 1000.0;
        assert!((number(&over["energy_kwh"]) / kwh - 1.0).abs() < 1e-9, "{side}");
        let amount = |value: &Value| -> f64 {
            let text = value.as_str().expect("an amount").strip_suffix(" USD").expect("dollars");
            text.parse().expect("a number")
        };
        assert!((amount(&over["energy_cost"]) - kwh * 0.123457).abs() < 1e-3, "{over}");
        let sum = amount(&side["cost"]) + amount(&over["energy_cost"]);
        assert!((amount(&over["cost"]) - sum).abs() < 1e-6, "{over}");
    }
    assert!(ask(&SMALL)["splitter_fabric"]["over_years"].is_null());
}

#[test]
fn whole_fibre_accounting_charges_the_pair() {
    let cost = |said: &str| {
        let report = ask(&[&SMALL[..], &["--fibre-accounting", said]].concat());
        assert_eq!(report["catalogue"]["fibre_accounting"], said);
        SIDES.map(|side| number(&report[side]["cost_usd"]))
    };
    let (half, whole) = (cost("half"), cost("whole"));
    assert!((whole[0] - half[0] - 8.0 * PAIR_OF_100_M / 2.0).abs() < 1e-6);
    assert_eq!(half[1..], whole[1..], "pairs are pairs");
}

#[test]
fn cores_lengths_and_years_that_make_no_sense() {
    let bench = Bench::new();
    let small = |args: &[&str], parts: &[&str]| {
        bench.refuses(&[&["compare"], &SMALL[..], args].concat(), parts);
    };
    for ports in ["0", "1", "2"] {
        small(&["--core-ports", ports], &["--core-ports", ports, "3 to 4096"]);
    }
    small(&["--core-ports=-1"], &["--core-ports"]);
    for length in ["0 m", "-1 m", "100001 m", "100", "NaN m"] {
        small(&[&format!("--fibre-length={length}")], &["--fibre-length"]);
    }
    small(&["--fibre-accounting", "third"], &["--fibre-accounting", "third", "half", "whole"]);
    small(&["--years", "5"], &["--energy-price", "missing"]);
    small(&["--energy-price", "0.1 USD"], &["--years", "missing"]);
    for years in ["0", "-1", "101", "99999999999"] {
        small(&["--years", years, "--energy-price", "0.1 USD"], &["--years", years, "1 to 100"]);
    }
    for price in ["-1 USD", "0.1", "cheap", "1001 USD", "0.1 usd"] {
        small(&["--years", "5", &format!("--energy-price={price}")], &["--energy-price"]);
    }
    for ports in ["4097", "99999999999", "18446744073709551615"] {
        small(&["--core-ports", ports], &["--core-ports", ports, "3 to 4096"]);
    }
    let most = bench.ask(&[&["compare"], &SMALL[..], &["--core-ports", "4096"]].concat());
    assert_eq!(most["ip_multicast"]["ports"], 16);
}

#[test]
fn energy_in_a_currency_that_prices_are_not_in_is_refused_at_its_flag() {
    let years = ["--years", "5", "--energy-price", "0.1 EUR"];
    for catalogue in ["shufflecast-2022", "datasheets-2026"] {
        let args = [&["compare", "--catalogue", catalogue], &SMALL[..], &years[..]].concat();
        Bench::new().refuses(&args, &["--energy-price", "EUR", "USD"]);
    }
}

#[test]
fn parts_that_draw_nothing_make_no_ratio_and_it_is_said() {
    let bench = Bench::new();
    let of = "power = \"0 W\"\nprice = \"1 USD\"\nsource = \"mine\"\ndate = \"2026-11\"\n";
    bench.write(
        "parts.toml",
        format!(
            "[transceiver.10g-10km]\nrate = \"10 Gb/s\"\nmodulation = \"nrz\"\n{of}\
             [switch_port.10g]\nrate = \"10 Gb/s\"\n{of}"
        ),
    );
    let asked = [&["compare", "--parts", "parts.toml"], &SMALL[..], &PAPER].concat();
    let report = bench.ask(&asked);
    assert_eq!(report["ratios"]["power_ip_multicast"], Value::Null);
    assert_eq!(report["splitter_fabric"]["power_w"], 0.0);
    let table = bench.run(&asked);
    assert!(!table.stdout.contains("NaN"), "{table:?}");
}

/// A core of circuit switches for unicast stands beside the splitters (shufflecast:I.core): an uplink of each ToR to
/// each circuit switch, and a port there. What a port there draws and costs is unknown until somebody says it.
#[test]
fn a_core_of_circuit_switches_is_counted_beside_the_splitters() {
    let bench = Bench::new();
    let asked = [&["compare"], &SMALL[..], &["--circuit-switches", "3"], &PAPER[..]].concat();
    let report = bench.ask(&asked);
    let core = &report["circuit_core"];
    assert_eq!(
        (&core["switches"], &core["switch_ports"], &core["ports"]),
        (&json!(3), &json!(8), &json!(24))
    );
    assert_eq!(core["row"], Value::Null);
    let parts = &core["parts"];
    for (field, count) in [("ports", 24), ("transceivers", 24), ("splitters", 0), ("fibres", 24)] {
        assert_eq!(parts[field], count, "{field}");
    }
    assert_eq!(parts["fibre"], "pair");
    assert!(parts["missing"].to_string().contains("circuit switch port"), "{parts}");
    bench.write(
        "own.toml",
        "[circuit_port.a]\npower = \"0.5 W\"\nprice = \"200 USD\"\nsource = \"me\"\ndate = \"2026-11\"\n",
    );
    let priced = bench.ask(&[&asked[..], &["--parts", "own.toml"]].concat());
    let core = &priced["circuit_core"];
    assert_eq!(core["row"], "a");
    let more = |field: &str| number(&core["parts"][field]) - number(&parts[field]);
    assert!((more("power_w") - 12.0).abs() < 1e-9 && (more("cost_usd") - 4800.0).abs() < 1e-6);
    assert!(!core["parts"]["missing"].to_string().contains("circuit"));
    // Everything else is as without it.
    let mut plain = priced.clone();
    plain.as_object_mut().expect("an object").remove("circuit_core");
    let without = [&["compare"], &SMALL[..], &PAPER[..], &["--parts", "own.toml"]].concat();
    assert_eq!(plain, bench.ask(&without));
    bench.write(
        "two.toml",
        "[circuit_port.a]\nsource = \"me\"\ndate = \"2026-11\"\n\
         [circuit_port.b]\nsource = \"me\"\ndate = \"2026-11\"\n",
    );
    let refuses = |more: &[&str], parts: &[&str]| {
        bench.refuses(&[&["compare"], &SMALL[..], &PAPER[..], more].concat(), parts);
    };
    refuses(&["--circuit-switches", "0"], &["--circuit-switches", "1 to 7"]);
    refuses(&["--circuit-switches", "8"], &["--circuit-switches", "1 to 7"]);
    refuses(&["--circuit-port", "a"], &["--circuit-port", "how many"]);
    refuses(
        &["--circuit-switches", "2", "--circuit-port", "a"],
        &["--circuit-port", "circuit_port"],
    );
    refuses(&["--circuit-switches", "2", "--parts", "two.toml"], &["--circuit-port", "a, b"]);
    bench.write(
        "own.toml",
        "[circuit_port.a]\nrate = \"1 Gbps\"\nsource = \"me\"\ndate = \"2026-11\"\n",
    );
    refuses(&["--parts", "own.toml"], &["own.toml:2", "circuit_port.a.rate", "unknown"]);
}

//! Plans with light: the verdict, the exit code, the bill, and optics that were tampered with.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, Ran, SMALL};
use crate::light_budget::{FIFTY, L40, PAPER, SIXTEEN, branches_of};
use crate::reader::{FILES, Plan, Row};

/// A catalogue file that prices everything that a 1:4 or 1:3 design with fittings orders, in amounts
/// that no rounding survives.
pub(crate) const PRICED: &str = r#"
[transceiver.10gbase-lr]
rate = "10 Gb/s"
modulation = "nrz"
launch_min = "-3 dBm"
launch_max = "0 dBm"
sensitivity = "-18 dBm"
overload = "0.5 dBm"
ber = 1e-12
power = "1.000001 W"
price = "27.333333 USD"
source = "mine"
date = "2026-11"
[switch_port.10g]
rate = "10 Gb/s"
power = "2.640007 W"
price = "55.500001 USD"
source = "mine"
date = "2026-11"
[splitter.plc-1x4]
fan_out = 4
loss_max = "7.4 dB"
price = "9.300003 USD"
source = "mine"
date = "2026-11"
[shelf.sender]
price = "41.000017 USD"
source = "mine"
date = "2026-11"
[shelf.receiver]
price = "97.000019 USD"
source = "mine"
date = "2026-11"
[splice.fusion]
loss_max = "0.1 dB"
price = "3.000007 USD"
source = "mine"
date = "2026-11"
[panel.lc]
loss_max = "0.5 dB"
price = "1.100011 USD"
source = "mine"
date = "2026-11"
[inline.tap]
loss_min = "0.1 dB"
loss_max = "0.2 dB"
power = "0.000003 W"
price = "5.000013 USD"
source = "mine"
date = "2026-11"
[fibre_price]
price = "37.123457 USD"
per = "100 m"
source = "mine"
date = "2026-11"
"#;

/// Millionths of a cell such as `1.30795 USD`.
fn micros(cell: &str, unit: &str) -> i128 {
    let number = cell.strip_suffix(unit).unwrap_or_else(|| panic!("{cell:?} is not in{unit}"));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    format!("{whole}{part:0<6}").parse().unwrap_or_else(|_| panic!("{cell:?}"))
}

fn sum(plan: &Plan, column: &str, unit: &str) -> i128 {
    let rows = plan.bom.iter().filter(|row| !row[column].is_empty());
    rows.map(|row| micros(&row[column], unit) * micros(&row["quantity"], "") / 1_000_000).sum()
}

fn quantity(plan: &Plan, of: impl Fn(&Row) -> bool) -> usize {
    plan.bom.iter().filter(|row| of(row)).map(|row| crate::reader::number(row, "quantity")).sum()
}

#[test]
fn totals_are_the_sum_of_the_bill_to_the_millionth() {
    for housing in ["sender", "receiver"] {
        let bench = Bench::new();
        bench.write("parts.toml", PRICED);
        bench.write(
            "design.toml",
            format!(
                "version = 1\n[fabric]\nfamily = \"kautz\"\np = 4\ntors = 50\n[splitters]\n\
                 housing = \"{housing}\"\n[optics]\ncatalogue = \"datasheets-2026\"\n\
                 parts = \"parts.toml\"\ntransceiver = \"10gbase-lr\"\nfeed_splices = 2\n\
                 branch_splices = 1\nbranch_panels = 3\nfeed_inline = [\"tap\"]\n\
                 branch_inline = [\"tap\", \"tap\"]\n"
            ),
        );
        let planned = bench.ask(&["plan", "--out", "plan", "design.toml"]);
        let plan = Plan::read(&bench, "plan");
        let bill = &planned["bill"];
        assert_eq!(bill["missing"], json!([]), "{housing}");
        let cost = micros(bill["cost"].as_str().expect("an amount"), " USD");
        assert_eq!(cost, sum(&plan, "unit_price", " USD"), "{housing}");
        let watts = bill["power_w"].as_f64().expect("watts");
        let drawn = sum(&plan, "unit_power", " W");
        assert_eq!(
            format!("{watts:.6}"),
            format!("{}.{:06}", drawn / 1_000_000, drawn % 1_000_000)
        );
        assert_eq!(plan.document["report"]["bill"], *bill);
        let compare = bench.ask(&["compare", "design.toml"]);
        assert_eq!(compare["bill"], *bill, "{housing}");
        let branches = branches_of(&FIFTY);
        let of = |item: &str, variant: &str| {
            quantity(&plan, |row| row["item"] == item && row["variant"].starts_with(variant))
        };
        assert_eq!(of("splice", "on a fibre"), 2 * 50 + branches);
        assert_eq!(of("coupler", "patch panel"), 3 * branches);
        assert_eq!(of("inline part", "on a "), 50 + 2 * branches);
        assert_eq!(of("housing", ""), if housing == "sender" { 50 } else { 13 });
        assert_eq!(of("cord", "simplex"), 50 + branches);
        let whole = &compare["whole_fabric"]["splitter_fabric"];
        for (key, count) in [
            ("ports", of("switch port", "")),
            ("transceivers", of("transceiver", "")),
            ("splitters", of("splitter", "")),
            ("fibres", branches),
        ] {
            assert_eq!(whole[key], count, "{key}");
        }
    }
}

#[test]
fn what_has_no_price_is_missing_and_nothing_else_is() {
    let bench = Bench::new();
    let sourced = ["plan", "--out", "plan", "--prices", "sourced"];
    let planned = bench.ask(&[&sourced[..], &SMALL[..], &L40[..]].concat());
    let plan = Plan::read(&bench, "plan");
    let empty = |row: &&Row| row["unit_price"].is_empty();
    let without: Vec<&Row> = plan.bom.iter().filter(empty).collect();
    let missing = planned["bill"]["missing"].as_array().expect("a list");
    let prices = missing.iter().filter(|missing| missing["value"] == "price").count();
    assert_eq!(prices, without.len());
    for row in without {
        let named = |missing: &&Value| {
            let part = missing["part"].as_str().expect("a part");
            let count = missing["quantity"].to_string();
            part.starts_with(&row["item"]) && count == row["quantity"]
        };
        let found = missing.iter().find(named).unwrap_or_else(|| panic!("{row:?} in {missing:?}"));
        assert!(found["reason"].as_str().is_some_and(|why| why.contains("datasheets-2026")));
    }
    let cost = micros(planned["bill"]["cost"].as_str().expect("an amount"), " USD");
    assert_eq!(cost, sum(&plan, "unit_price", " USD"));
}

#[test]
fn a_plan_without_optics_is_not_assessed() {
    let bench = Bench::new();
    let planned = bench.ask(&[&["plan", "--out", "plan"], &SMALL[..]].concat());
    let document = Plan::read(&bench, "plan").document;
    for report in [&planned, &document["report"]] {
        assert_eq!(report["optical"], "not assessed");
        assert!(report["light"].is_null() && report["bill"].is_null());
    }
    assert!(document["optics"].is_null());
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn a_plan_whose_light_closes() {
    let bench = Bench::new();
    let best = [&PAPER[..], &["--rate", "10 Gb/s", "--accept", "best"]].concat();
    // The pad that fits leaves less headroom than the policy wants.
    let er = ["--catalogue", "datasheets-2026", "--transceiver", "10gbase-er"];
    for (flags, optical) in [(&L40[..], "pass"), (&best, "warn"), (&er, "marginal")] {
        let planned = bench.ask(&[&["plan", "--out", "plan"], &SMALL[..], flags].concat());
        assert_eq!(
            (&planned["optical"], &planned["light"]["verdict"]),
            (&json!(optical), &json!(optical))
        );
        assert_eq!(Plan::read(&bench, "plan").document["report"]["optical"], optical);
        assert_eq!(bench.verify("plan").code, 0, "{optical}");
    }
}

/// A plan of 50 ToRs with the optic of [`L40`] under splitters 1:`p`.
fn plan_of(bench: &Bench, p: &str, more: &[&str]) -> Ran {
    let fabric = ["--family", "kautz", "--tors", "50", "--p", p];
    bench.run(&[&["plan", "--out", "plan", "--json"], &fabric[..], &L40[..], more].concat())
}

#[test]
fn a_plan_whose_worst_case_fails_is_written_marked_and_wrong() {
    let bench = Bench::new();
    let ran = plan_of(&bench, "16", &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert_eq!(ran.document()["optical"], "fail");
    assert_eq!(bench.names("plan"), FILES);
    let document = Plan::read(&bench, "plan").document;
    assert_eq!(document["report"]["optical"], "fail");
    assert_eq!(document["report"]["light"]["worst"]["branches"]["fail"], branches_of(&SIXTEEN));
    let verified = bench.verify("plan");
    assert!(
        verified.code == 1 && verified.stdout.contains("the light does not arrive"),
        "{verified:?}"
    );
    let table = bench.run(&[&["plan", "--out", "plan"], &SIXTEEN[..], &L40[..]].concat());
    assert!(table.code == 1 && table.stdout.contains("THE LIGHT DOES NOT ARRIVE"), "{table:?}");
    // Light about which too little is known does not arrive either: the paper's parts have a best case only,
    // and this part a stressed sensitivity, which no launch power is like.
    bench.write(
        "parts.toml",
        "[transceiver.x]\nrate = \"10 Gb/s\"\nmodulation = \"nrz\"\nlaunch_min = \"-6 dBm\"\n\
         stressed_sensitivity_oma = \"-11 dBm\"\nsource = \"mine\"\ndate = \"2026-11\"\n",
    );
    let paper = [&PAPER[..], &["--transceiver", "10g-10km"]].concat();
    for flags in [&paper[..], &["--parts", "parts.toml", "--transceiver", "x"]] {
        let ran = bench.run(&[&["plan", "--out", "other"], &SMALL[..], flags].concat());
        assert_eq!(ran.code, 1, "{ran:?}");
        assert_eq!(Plan::read(&bench, "other").document["report"]["optical"], "unknown");
        assert_eq!(bench.verify("other").code, 1);
    }
}

#[test]
fn an_accepted_case_decides() {
    let bench = Bench::new();
    for (accept, splitter, percentile, code) in [
        ("typical", "16", "1", 0),
        // More than one draw in a hundred leaves some branch open, and fewer than five do.
        ("monte-carlo", "16", "1", 1),
        ("monte-carlo", "16", "5", 0),
        ("worst", "16", "1", 1),
        ("typical", "32", "1", 1),
        ("monte-carlo", "32", "5", 1),
        ("typical", "8", "1", 0),
    ] {
        let what = format!("{accept} at 1:{splitter}, {percentile} %");
        let flags = ["--accept", accept, "--percentile", percentile];
        let ran = plan_of(&bench, splitter, &flags);
        assert_eq!(ran.code, code, "{what}: {ran:?}");
        let light = &ran.document()["light"];
        let decided = if accept == "worst" || splitter == "8" { "worst" } else { accept };
        assert_eq!(light["decided_by"], decided, "{what}");
        assert_eq!(light["verdict"] == "fail", code == 1, "{what}");
        assert_eq!(bench.verify("plan").code, code, "{what}");
        let before = bench.snapshot();
        plan_of(&bench, splitter, &flags);
        assert!(bench.snapshot() == before, "{what}: the same input, other bytes");
    }
}

#[test]
fn optics_without_a_transceiver_are_refused() {
    let bench = Bench::new();
    for flags in
        [&["--catalogue", "datasheets-2026"][..], &["--accept", "typical"], &["--percentile", "5"]]
    {
        let args = [&["plan", "--out", "plan"], &SMALL[..], flags].concat();
        bench.refuses(&args, &["--transceiver", "missing"]);
    }
    let dr4 = ["--catalogue", "datasheets-2026", "--transceiver", "400gbase-dr4"];
    let args = [&["plan", "--out", "plan"], &SMALL[..], &dr4[..]].concat();
    bench.refuses(&args, &["--transceiver", "400gbase-dr4", "4 fibres"]);
}

/// The code and the words of `verify` on a 1:2 plan that closes with a pad, or a 1:16 plan that does not,
/// with `plan.json` changed.
pub(crate) fn tampered(closes: bool, pointer: &str, value: &Value) -> (i32, String) {
    let bench = Bench::new();
    let fabric = if closes { &SMALL[..] } else { &SIXTEEN[..] };
    bench.run(&[&["plan", "--out", "plan"], fabric, &L40[..]].concat());
    let path = bench.path("plan/plan.json");
    let mut document: Value =
        serde_json::from_slice(&fs::read(&path).expect("a plan")).expect("JSON");
    *document.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value.clone();
    fs::write(&path, serde_json::to_vec_pretty(&document).expect("JSON")).expect("written");
    let ran = bench.verify("plan");
    (ran.code, ran.stdout + &ran.stderr)
}

#[test]
fn optics_that_were_tampered_with() {
    for (pointer, value) in [
        ("transceiver/launch_min", json!("-5 dBm")),
        ("transceiver/launch_min", json!("2 dBm")),
        ("transceiver/launch_min", json!("NaN dBm")),
        ("transceiver/launch_min", json!(-6.0)),
        ("transceiver/launch_min", json!(null)),
        ("transceiver/sensitivity", json!("-20 dBm")),
        ("transceiver/sensitivity", json!("5 dBm")),
        ("transceiver/overload", json!("-30 dBm")),
        ("transceiver/launch_max", json!("9999999999 dBm")),
        ("transceiver/name", json!("10gbase-er")),
        ("transceiver/fibres", json!(4)),
        ("transceiver/power", json!("2 W")),
        ("transceiver/power", json!("18446744073709 W")),
        ("transceiver/price", json!("5 USD")),
        ("transceiver/price", json!("5 EUR")),
        ("transceiver/ber", json!(1.0)),
        ("transceiver/fec", json!("rs255")),
        ("splitter/fan_out", json!(4)),
        ("splitter/fan_out", json!(0)),
        ("splitter/loss_max", json!("3.5 dB")),
        ("splitter/loss_max", json!("-3.5 dB")),
        ("fibre", json!(null)),
        ("fibre/attenuation_max", json!("9 dB/km")),
        ("connector/loss_max", json!("0.3 dB")),
        ("connector", json!(null)),
        ("feed/splices", json!(4_000_000_000_u32)),
        ("feed/splices", json!(1)),
        ("branch/panels", json!(65)),
        ("branch/panels", json!(-1)),
        ("branch/panels", json!(18_446_744_073_709_551_615_u64)),
        ("penalty", json!("1 dB")),
        ("ageing", json!("-100 dB")),
        ("least_margin", json!("6 dB")),
        ("least_headroom", json!("2 dB")),
        ("pad", json!(null)),
        ("pad/at", json!("receiver")),
        ("pad/at", json!("splitter")),
        ("pad/pad/name", json!("lc-2db")),
        ("pad/pad/attenuation", json!("2 dB")),
        ("pad/pad/attenuation", json!("0 dB")),
        ("pad/pad/attenuation", json!("-3 dB")),
        ("pad/pad/tolerance", json!("0.25 dB")),
        ("pad/pad/tolerance", json!("0 dB")),
        ("pad/pad/price", json!("1 USD")),
    ] {
        let (code, said) = tampered(true, &format!("/optics/optics/{pointer}"), &value);
        assert!(code == 1 || code == 2, "{pointer} = {value}: {said}");
        let named = ["plan.json", "cables.csv", "acceptance.csv", "bom.csv", "EUR"]
            .iter()
            .any(|place| said.contains(place));
        assert!(named, "{pointer}: {said}");
    }
}

#[test]
fn draws_and_acceptance_that_were_tampered_with() {
    for (pointer, value) in [
        ("/optics/accept", json!("typical")),
        ("/optics/accept", json!("monte-carlo")),
        ("/optics/accept", json!("hope")),
        ("/optics/sampling/samples", json!(0)),
        ("/optics/sampling/samples", json!(1_000_000_000_000_000_000_u64)),
        ("/optics/sampling/samples", json!(-1)),
        ("/optics/sampling/percentile", json!(500.0)),
        ("/optics/sampling/percentile", json!(0.0)),
        ("/optics/sampling/percentile", json!(-1)),
        ("/optics/sampling/percentile", json!("NaN")),
        ("/optics/sampling/seed", json!(-1)),
        ("/optics/switch_port", json!(null)),
        ("/optics/switch_port/price", json!("1 USD")),
        ("/optics", json!(null)),
        ("/report/optical", json!("pass")),
        ("/report/light/verdict", json!("pass")),
        ("/report/light/worst/worst_margin_db", json!(3.0)),
        ("/report/bill/power_w", json!(1.0)),
        ("/report/bill/missing", json!(["a part"])),
    ] {
        let (code, said) = tampered(false, pointer, &value);
        assert!(code == 1 || code == 2, "{pointer} = {value}: {said}");
        assert!(said.contains("plan.json") || said.contains("bom.csv"), "{pointer}: {said}");
    }
}

#[test]
fn a_recovered_plan_whose_light_fails_says_so() {
    let bench = Bench::new();
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\nfamily = \"kautz\"\np = 4\ntors = 50\n[optics]\n\
         catalogue = \"datasheets-2026\"\ntransceiver = \"10gbase-lr\"\n",
    );
    let ran = bench.run(&["recover", "design.toml", "--failed", "relay:8", "--apply", "plan"]);
    assert_eq!(Plan::read(&bench, "plan").document["report"]["optical"], "fail");
    assert_eq!(bench.verify("plan").code, 1);
    assert_eq!(ran.code, 1, "it wrote a plan that is wrong: {ran:?}");
}

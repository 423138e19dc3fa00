//! `lint`, and what `configs` refuses: models that cannot hold or do what their switches are told.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::{Bench, SMALL};
use crate::reader::{Plan, number};

/// A switch model of one's own.
fn own(bench: &Bench, fields: &str) {
    bench.write(
        "own.toml",
        format!(
            "[switch.own]\nports = [\"8 x 10 Gb/s\"]\nsource = \"me\"\ndate = \"2026-11\"\n\
             interfaces = [{{ names = \"Ethernet{{1-8}}\", rate = \"10 Gb/s\", connector = \"lc\" }}]\n{fields}\n"
        ),
    );
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[optics]\nparts = \"own.toml\"\n\
         [tor]\nmodel = \"own\"\n",
    );
    let mut groups = "version = 1\n[servers]\nper_tor = 2\n".to_owned();
    for group in 0..5 {
        groups += &format!("[[group]]\nname = \"g{group}\"\nmembers = [\"all\"]\n");
    }
    bench.write("groups.toml", groups);
}

const DESIGN: [&str; 3] = ["design.toml", "--groups", "groups.toml"];

fn found(report: &Value, rule: &str) -> Vec<Value> {
    let all = report["findings"].as_array().expect("findings").iter();
    all.filter(|finding| finding["rule"] == rule).cloned().collect()
}

/// The answer and the exit code.
fn lint(bench: &Bench, args: &[&str]) -> (Value, i32) {
    let ran = bench.run(&[&["lint"], args, &["--json"]].concat());
    let text = bench.run(&[&["lint"], args].concat());
    assert_eq!(ran.code, text.code);
    (serde_json::from_str(&ran.stdout).expect("JSON"), ran.code)
}

#[test]
fn a_design_that_says_nothing_of_its_switches_has_warnings_only() {
    let bench = Bench::new();
    let (report, code) = lint(&bench, &SMALL);
    assert_eq!((code, &report["errors"]), (0, &Value::from(0)));
    for rule in ["fault-signalling-unknown", "table-unknown", "hairpin", "time-to-live"] {
        assert_eq!(found(&report, rule).len(), 1, "{rule}");
    }
    assert_eq!(report["warnings"], 4);
    // Depth 3 of a 2,2-Shufflecast, and one to arrive.
    let text = found(&report, "time-to-live")[0]["text"].as_str().expect("a text").to_owned();
    assert!(text.contains("at least 4;"), "{text}");
    bench.plan("plan", &SMALL);
    let (of_plan, _) = lint(&bench, &["plan"]);
    assert_eq!(of_plan, report);
    bench.refuses(&["lint", "plan", "--router", "algorithm1"], &["takes no other settings"]);
}

#[test]
fn a_pipeline_too_small_is_refused() {
    let bench = Bench::new();
    own(&bench, "ternary_entries = 5");
    let refuse = |dialect, parts: &[&str]| {
        let args = [&["configs", "--dialect", dialect, "--out", "out"], &DESIGN[..]].concat();
        bench.refuses(&args, parts);
    };
    // Two servers with two entries each, an own copy, four relays, a delivery; two relays without members.
    refuse("openflow", &["ToR 0 needs 12 entries that match with a mask", "own holds 5"]);
    let (report, code) = lint(&bench, &DESIGN);
    assert_eq!(code, 1);
    assert_eq!(found(&report, "table-too-small").len(), 8);
    assert_eq!(report["needs"]["exact_entries"], 15);
    for (fields, parts) in [
        ("exact_entries = 14", &["needs 15 entries that match exactly", "holds 14"][..]),
        ("multicast_groups = 16", &["needs 17 replication groups", "holds 16"]),
        ("stages = 1\nternary_entries = 40", &["one stage takes the product", "holds 40"]),
    ] {
        own(&bench, fields);
        refuse("openflow", parts);
    }
    own(&bench, "ternary_entries = 12\nexact_entries = 15\nmulticast_groups = 17\nstages = 2");
    assert_eq!(lint(&bench, &DESIGN).1, 0);
    // The same model with flows of EOS, which have one stage.
    refuse("eos", &["one stage takes the product"]);
    assert_eq!(lint(&bench, &[&DESIGN[..], &["--dialect", "eos"]].concat()).1, 1);
    for (fields, field) in [
        ("stages = 3", "stages"),
        ("ternary_entries = 0", "ternary_entries"),
        ("hairpin = \"no\"", "hairpin"),
    ] {
        own(&bench, fields);
        refuse("openflow", &["own.toml", field]);
    }
}

#[test]
fn a_model_that_cannot_send_back_is_refused() {
    let bench = Bench::new();
    own(&bench, "hairpin = false");
    let args = [&["configs", "--dialect", "openflow", "--out", "out"], &DESIGN[..]].concat();
    bench.refuses(&args, &["ToR 0", "the port that it came in on", "a port of its own"]);
    let (report, code) = lint(&bench, &DESIGN);
    assert_eq!(code, 1);
    assert_eq!(found(&report, "hairpin").len(), 8);
    own(&bench, "hairpin = true");
    let (report, code) = lint(&bench, &DESIGN);
    assert_eq!((code, found(&report, "hairpin").len()), (0, 0));
    assert_eq!(bench.run(&args).code, 0);
}

#[test]
fn too_few_ports_are_found() {
    let bench = Bench::new();
    own(&bench, "");
    let text = std::fs::read_to_string(bench.path("own.toml")).expect("it was written");
    let text = text.replace("8 x 10 Gb/s", "1 x 10 Gb/s\", \"1 x 1 Gb/s").replace("{1-8}", "{1-1}");
    let text: String =
        text.lines().filter(|line| !line.starts_with("interfaces")).collect::<Vec<_>>().join("\n");
    bench.write("own.toml", text);
    let design = std::fs::read_to_string(bench.path("design.toml")).expect("it was written");
    bench.write("design.toml", design.replace("[tor]", "transceiver = \"10gbase-er\"\n[tor]"));
    let (report, code) = lint(&bench, &["design.toml"]);
    assert_eq!(code, 1);
    assert_eq!(found(&report, "too-few-ports").len(), 8, "{report}");
}

#[test]
fn ports_that_signal_to_the_wrong_tors_are_named() {
    let bench = Bench::new();
    let on = [&SMALL[..], &["--fault-signalling", "on"]].concat();
    bench.plan("plan", &on);
    let plan = Plan::read(&bench, "plan");
    let (report, code) = lint(&bench, &["plan"]);
    assert_eq!(code, 1);
    // Who hears whom, from the sheet of ports.
    let mut hearers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for row in &plan.ports {
        hearers.entry(number(row, "rx_from_tor")).or_default().push(number(row, "tor"));
    }
    let faults = found(&report, "remote-fault");
    assert_eq!(faults.len(), 8);
    for fault in &faults {
        let tor = usize::try_from(fault["tor"].as_u64().expect("a ToR")).expect("small");
        assert_eq!(fault["port"], 1);
        let mut reached: Vec<usize> = hearers[&tor].clone();
        reached.sort_unstable();
        let reached: Vec<String> = reached.iter().map(ToString::to_string).collect();
        let text = fault["text"].as_str().expect("a text");
        assert!(text.ends_with(&format!("reaches ToRs {}", reached.join(", "))), "{text}");
        let transmits = |row: &&BTreeMap<String, String>| {
            number(row, "tor") == tor && !row["tx_label"].is_empty()
        };
        let heard = number(plan.ports.iter().find(transmits).expect("a port"), "rx_from_tor");
        assert!(text.contains(&format!("hears nothing from ToR {heard},")), "{text}");
    }
    assert_eq!(found(&report, "link-down").len(), 8);
    assert!(found(&report, "fault-signalling-unknown").is_empty());
    let able = [&SMALL[..], &["--tor-model", "extreme-slx-9540"]].concat();
    let (report, code) = lint(&bench, &able);
    assert_eq!(code, 0);
    assert!(found(&report, "fault-signalling-unknown").is_empty());
}

#[test]
fn what_a_dialect_cannot_express_is_a_finding() {
    let bench = Bench::new();
    let model = [&SMALL[..], &["--tor-model", "arista-7050sx-64"]].concat();
    let (sonic, code) = lint(&bench, &[&model[..], &["--dialect", "sonic"]].concat());
    assert_eq!(code, 0);
    let texts: Vec<String> = found(&sonic, "not-expressed")
        .iter()
        .map(|finding| finding["text"].as_str().expect("a text").to_owned())
        .collect();
    assert!(texts.iter().any(|text| text.starts_with("relay by source (8 switches)")), "{texts:?}");
    // Receivers behind a transmit port lose packets, because nothing says that flows can turn around.
    let (eos, code) = lint(&bench, &[&model[..], &["--dialect", "eos"]].concat());
    assert_eq!(code, 1);
    let first = &eos["findings"][0];
    assert_eq!((&first["rule"], &first["severity"]), (&"not-expressed".into(), &"error".into()));
    assert!(found(&lint(&bench, &model).0, "not-expressed").is_empty());
}

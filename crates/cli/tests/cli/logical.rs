//! Switches that are several logical ToRs: what a plan says of them, what falls with one, and what is refused.
//!
//! shufflecast:V.logical

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};

const LOGICAL: [&str; 2] = ["--logical", "4"];
const GROUPS: &str =
    "version = 1\n[servers]\nper_tor = 2\n[[group]]\nname = \"all\"\nmembers = [\"all\"]\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.plan("plan", &[&SMALL[..], &LOGICAL].concat());
    bench.write("groups.toml", GROUPS);
    bench
}

fn lines(bench: &Bench, file: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(bench.path(file)).expect("a file");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn a_plan_says_which_tors_are_one_switch_and_numbers_their_ports() {
    let bench = bench();
    assert_eq!(bench.verify("plan").code, 0);
    let answer = bench.ask(&[&["plan", "--out", "again"], &SMALL[..], &LOGICAL].concat());
    let logical = &answer["platform"]["logical"];
    let due =
        json!({ "per_switch": 4, "switches": 2, "mirrors_together": [], "mirrors_on_one": [] });
    assert_eq!(logical, &due);
    assert_eq!(answer["spare_racks"], 0);
    let mut ports: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for row in lines(&bench, "plan/ports.csv") {
        ports
            .entry(row["name"].clone())
            .or_default()
            .push(row["switch_port"].parse().expect("a number"));
    }
    assert_eq!(ports.len(), 2);
    for (rack, mut of_rack) in ports {
        of_rack.sort_unstable();
        assert_eq!(of_rack, (0..8).collect::<Vec<_>>(), "{rack}");
    }
    // Both ends of a fibre are found by the ports of switches, so no label is there twice.
    let mut ends: Vec<String> = bench.column("plan/cables.csv", "far_label");
    ends.sort_unstable();
    let all = ends.len();
    ends.dedup();
    assert_eq!(ends.len(), all);
    let modules = lines(&bench, "plan/modules.csv");
    let switches: Vec<_> = modules.iter().filter(|row| row["kind"] == "switch").collect();
    assert_eq!(switches.len(), 2);
    assert!(switches.iter().all(|row| row["front_ports"] == "8"));
}

#[test]
fn mirrors_that_fall_together_are_told() {
    let bench = Bench::new();
    let shape = ["--p", "4", "--k", "2"];
    let warned = |logical: &str| -> Value {
        let out = format!("plan-{logical}");
        let answer =
            bench.ask(&[&["plan", "--out", &out, "--logical", logical], &shape[..]].concat());
        let warnings = answer["warnings"].as_array().expect("a list").clone();
        warnings.into_iter().find(|one| one["kind"] == "mirrors_together").unwrap_or(Value::Null)
    };
    // Four switches keep the four mirrors of each of the eight cassettes apart, and two cannot.
    assert_eq!(warned("8"), Value::Null);
    let two = warned("16");
    assert_eq!((&two["cassettes"], &two["on_one"]), (&json!(8), &json!(0)));
    let one = warned("32");
    assert_eq!((&one["cassettes"], &one["on_one"]), (&json!(8), &json!(8)));
    assert!(one["message"].as_str().expect("a text").contains("all relays of 8 of them"), "{one}");
}

#[test]
fn all_tors_of_a_switch_fall_together() {
    let bench = bench();
    let racks = bench.column("plan/ports.csv", "name");
    let tors = bench.column("plan/ports.csv", "tor");
    let mut of_first: Vec<String> = tors
        .into_iter()
        .zip(&racks)
        .filter(|(_, rack)| **rack == racks[0])
        .map(|(tor, _)| tor)
        .collect();
    of_first.dedup();
    let due: Vec<String> = of_first.iter().map(|tor| format!("tor:{tor}")).collect();
    for failed in ["tor:0", &due.join(",")] {
        assert_eq!(bench.ask(&["impact", "plan", "--failed", failed])["failed"], json!(due));
        let recovered = bench.run(&["recover", "plan", "--failed", failed]);
        assert!(recovered.said().contains(&due.join(", ")), "{recovered:?}");
    }
    // A relay that fails is a transmitter of one of them.
    assert_eq!(bench.ask(&["impact", "plan", "--failed", "relay:0"])["failed"], json!(["relay:0"]));
    bench.refuses(&["impact", "plan", "--failed", "tor:0,tor:0"], &["tor:0 is there twice"]);
    // 8 relays, 16 branches, 2 switches, 4 cassettes.
    let repairs = bench.run(&["repairs", "plan", "--out", "repairs"]);
    let text = fs::read_to_string(bench.path("repairs/repairs.jsonl")).expect("the repairs");
    let failed: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("an object")["failed"].clone())
        .collect();
    assert_eq!(failed.len(), 30, "{repairs:?}");
    assert!(failed.contains(&json!(due)) && !failed.contains(&json!(["tor:0"])));
    let index: Value =
        serde_json::from_slice(&fs::read(bench.path("repairs/index.json")).expect("the index"))
            .expect("an object");
    let line = failed.iter().position(|one| *one == json!(due)).expect("the switch");
    assert_eq!(index[due.join(",")], json!(line), "{index}");
}

#[test]
fn risk_knows_switches_as_one_part() {
    let bench = bench();
    let rate = "rate = \"1000 FIT\"\nrepair = \"4 h\"\nsource = \"me\"\ndate = \"2026-11\"\n";
    let kinds = ["tor", "transceiver", "splitter", "fibre"].map(|kind| format!("[{kind}]\n{rate}"));
    bench.write("rates.toml", kinds.concat());
    let answer = bench.ask(&["risk", "plan", "--rates", "rates.toml"]);
    let groups: Vec<&str> = answer["groups"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|group| group["group"].as_str())
        .filter(|group| group.starts_with("switch"))
        .collect();
    assert_eq!(groups, ["switch in R1.01", "switch in R1.02"]);
    let outages = &answer["outages"];
    let of_kind = |kind: &str| {
        let kinds = outages["kinds"].as_array().expect("a list");
        kinds.iter().find(|one| one["kind"] == kind).expect("the kind").clone()
    };
    assert_eq!(of_kind("tor")["parts"], 2);
    // A switch takes the 28 - 6 = 22 pairs, both ways, of which one end is on it, and those of its four ToRs.
    let failures = of_kind("tor")["outages"]["failures_per_year"].as_f64().expect("a number");
    let cut = of_kind("tor")["outages"]["after_recovery_per_year"].as_f64().expect("a number");
    assert!((failures - 2.0 * 1000e-9 * 8766.0).abs() < 1e-4, "{failures}");
    assert!(cut / failures >= 44.0 && cut / failures <= 56.0, "{}", cut / failures);
    // Sets of mirrors that share switches do not fail independently.
    assert_eq!(outages["mirrors"]["at_a_time"], Value::Null);
}

#[test]
fn a_placement_gives_a_rack_to_no_more_tors_than_its_switch_is() {
    let bench = bench();
    let racks = "name,row,position\nA,1,1\nB,1,2\nC,1,3\n";
    bench.write("racks.csv", racks);
    let lines = |racks: [&str; 8]| -> String {
        let lines = racks.iter().enumerate().map(|(tor, rack)| format!("{tor},{rack}\n"));
        format!("tor,rack\n{}", lines.collect::<String>())
    };
    let flags =
        [&SMALL[..], &LOGICAL, &["--inventory", "racks.csv", "--placement", "place.csv"]].concat();
    bench.write("place.csv", lines(["A", "A", "A", "B", "B", "C", "C", "C"]));
    bench.plan("placed", &flags);
    assert_eq!(bench.verify("placed").code, 0);
    let names = bench.column("placed/ports.csv", "name");
    assert_eq!(names.iter().filter(|name| *name == "B").count(), 4);
    bench.write("place.csv", lines(["A", "A", "A", "A", "A", "C", "C", "C"]));
    let plan = [&["plan", "--out", "no"], &flags[..]].concat();
    bench.refuses(&plan, &["place.csv:6", "rack", "more than 4 ToRs", "tor.logical"]);
    // Without a file, two racks are enough, and one is not.
    let flags = [&SMALL[..], &LOGICAL, &["--inventory", "racks.csv"]].concat();
    bench.plan("two", &flags);
    assert_eq!(bench.ask(&["verify", "two"])["good"], true);
    bench.write("racks.csv", "name,row,position\nA,1,1\n");
    let plan = [&["plan", "--out", "no"], &flags[..]].concat();
    bench.refuses(&plan, &["8 ToRs", "1 racks", "up to 4 logical ToRs"]);
    // The number of ToRs follows from that of the racks.
    bench.write("racks.csv", "name,row,position\nA,1,1\nB,1,2\n");
    bench.plan("asked", &["--inventory", "racks.csv", "--logical", "4", "--p", "2"]);
    let tors = bench.column("asked/ports.csv", "tor");
    assert_eq!(tors.last().map(String::as_str), Some("7"));
}

#[test]
fn names_of_racks_name_no_logical_tor() {
    let bench = bench();
    let parts =
        ["R1.01", "ToRs 0, 1, 4 and 5", "logical ToRs of one switch", "by its number, 0 to 7"];
    bench.refuses(&["tree", "plan", "--source", "R1.01"], &parts);
    bench.write("groups.toml", GROUPS.replace("\"all\"]", "\"rack:R1.02\"]"));
    let configs =
        ["configs", "plan", "--dialect", "openflow", "--groups", "groups.toml", "--out", "no"];
    bench.refuses(&configs, &["groups.toml:6", "ToRs 2, 3, 6 and 7"]);
}

#[test]
fn what_needs_a_switch_for_each_tor_is_refused() {
    let bench = bench();
    let only = "only where each ToR is a switch of its own; say logical = 1";
    bench.refuses(
        &["grow", "plan", "--tors", "9", "--out", "no"],
        &["tor.logical", "plans grow and shrink", only],
    );
    bench.refuses(&["shrink", "plan", "--tors", "6", "--out", "no"], &["tor.logical", only]);
    let place = [&["plan", "--place", "2x10", "--out", "no"], &SMALL[..], &LOGICAL].concat();
    bench.refuses(&place, &["tor.logical", "a search finds places", only]);
    bench.refuses(
        &[&["plan", "--out", "no", "--logical", "33"], &SMALL[..]].concat(),
        &["--logical", "33", "32"],
    );
    bench.refuses(
        &[&["plan", "--out", "no", "--logical", "0"], &SMALL[..]].concat(),
        &["--logical", "0"],
    );
    let lossless = "[lossless]\nbuffer = \"2 MB\"\ncell = \"256 B\"\necn_min = \"40 kB\"\necn_max = \"160 kB\"\n\
                    ecn_percent = 20\n";
    bench.write("groups.toml", GROUPS.replace("[servers]", &format!("{lossless}[servers]")));
    let configs =
        ["configs", "plan", "--dialect", "sonic", "--groups", "groups.toml", "--out", "no"];
    bench.refuses(&configs, &["lossless", "share its buffer", "logical = 1"]);
}

#[test]
fn an_edited_plan_is_read_as_what_it_says() {
    let bench = bench();
    let path = bench.path("plan/plan.json");
    let text = fs::read_to_string(&path).expect("a plan");
    assert!(text.contains("\"logical\": 4"), "{text}");
    for (found, parts) in [
        ("\"logical\": 3", vec!["plan.json: tors", "at most 3 logical ToRs"]),
        ("\"logical\": 0", vec!["plan.json: tor", "found 0 logical ToRs"]),
        ("\"logical\": 33", vec!["plan.json: tor", "found 33 logical ToRs"]),
        ("\"logical\": 1", vec!["plan.json: tors", "found 2 racks for 8 ToRs"]),
    ] {
        fs::write(&path, text.replace("\"logical\": 4", found)).expect("written");
        bench.refuses(&["info", "plan"], &parts);
    }
}

#[test]
fn a_kept_plan_keeps_its_switches() {
    let bench = bench();
    let keep = [&["--keep", "plan"], &SMALL[..], &LOGICAL].concat();
    bench.plan("kept", &keep);
    assert_eq!(bench.column("kept/ports.csv", "name"), bench.column("plan/ports.csv", "name"));
    assert_eq!(
        bench.column("kept/cables.csv", "near_label"),
        bench.column("plan/cables.csv", "near_label")
    );
}

#[test]
fn tables_and_ports_of_a_switch_hold_all_of_its_tors() {
    let bench = bench();
    let model = |more: &str| {
        format!(
            "[switch.own]\nports = [\"16 x 10 Gb/s\"]\nsource = \"me\"\ndate = \"2026-11\"\n{more}\n\
             interfaces = [{{ names = \"Ethernet{{1-16}}\", rate = \"10 Gb/s\", connector = \"lc\" }}]\n"
        )
    };
    let design = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[tor]\nmodel = \"own\"\nlogical = 4\n\
                  [optics]\nparts = \"own.toml\"\n";
    bench.write("design.toml", design);
    bench.write("own.toml", model(""));
    let configs = |out| {
        ["configs", "design.toml", "--dialect", "openflow", "--groups", "groups.toml", "--out", out]
    };
    let answer = bench.ask(&configs("all"));
    let sizes: Vec<u64> = answer["switches"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|switch| switch["second_stage"].as_u64().expect("a number"))
        .collect();
    let groups_of_four: u64 = sizes.iter().take(4).sum();
    let lint = bench.ask(&["lint", "design.toml", "--groups", "groups.toml"]);
    assert_eq!(
        (&lint["switches"], &lint["needs"]["multicast_groups"]),
        (&json!(2), &json!(groups_of_four))
    );
    bench.write("own.toml", model(&format!("multicast_groups = {}", groups_of_four - 1)));
    bench.refuses(&configs("no"), &["the switch of ToR 0 needs", "replication groups"]);
    bench.write("own.toml", model(&format!("multicast_groups = {groups_of_four}")));
    assert_eq!(bench.run(&configs("fits")).code, 0);
    // 16 ports: eight of the fabric and two servers at each of four ToRs. Three servers do not fit.
    bench.write("groups.toml", GROUPS.replace("per_tor = 2", "per_tor = 3"));
    bench.refuses(&configs("no"), &["groups.toml:3", "the switch of ToR", "own has 16"]);
    let servers = "[[server]]\nname = \"a\"\ntor = \"tor:0\"\ninterface = \"Ethernet9\"\n\
                   [[server]]\nname = \"b\"\ntor = \"tor:1\"\ninterface = \"Ethernet9\"\n";
    bench.write("groups.toml", format!("version = 1\n{servers}"));
    bench.refuses(&configs("no"), &["groups.toml:9", "Ethernet9 of ToR 1 has another server"]);
    bench.write(
        "groups.toml",
        format!(
            "version = 1\n{}",
            servers.replace("tor:1\"\ninterface = \"Ethernet9", "tor:1\"\ninterface = \"Ethernet1")
        ),
    );
    bench.refuses(&configs("no"), &["groups.toml:9", "Ethernet1 of ToR 0 is a port of the fabric"]);
}

#[test]
fn a_run_loses_all_tors_of_a_switch_together() {
    let bench = bench();
    let scenario = |failure: &str| {
        format!(
            "version = 1\nuntil = \"2 ms\"\n[network]\nkind = \"design\"\nfile = \"plan\"\nhosts_per_tor = 1\n\
             spines = 1\nrate = \"10 Gb/s\"\nlength = \"20 m\"\n\
             [[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n\
             [[multicast]]\ngroup = \"all\"\nfrom = 2\nsize = \"10 kB\"\n[[failure]]\n{failure}\nat = \"0 ns\"\n"
        )
    };
    let mut answers = Vec::new();
    for failure in
        ["tor = \"tor:0\"", "tor = \"tor:5\"", "failed = \"tor:4\"", "node = \"R1.01 ToR 1\""]
    {
        bench.write("run.toml", scenario(failure));
        let answer = bench.ask(&["simulate", "run.toml"]);
        let lacks = answer["groups"]["lacks"].as_array().cloned().unwrap_or_default();
        answers.push((lacks, answer["groups"]["delivered"].clone(), answer["network"].clone()));
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:#?}");
}

//! Accelerators beside the switches of a design: what a plan says of them, what grows with it, what a run takes over,
//! what configurations say, and what is refused.
//!
//! cepheus:IV.accelerator

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};

const BOARD: [&str; 2] = ["--accelerator", "cepheus-board"];
const NAMED: [&str; 4] = ["--tor-model", "cisco-93180yc-ex", "--transceiver", "25gbase-lr"];
const OWN: &str = "[accelerator.cepheus-board]\nlatency = \"1 us\"\npower = \"45 W\"\nprice = \"1000 USD\"\n\
                   source = \"a quote\"\ndate = \"2026-11\"\n";
const GROUPS: &str = "version = 1\n[servers]\nper_tor = 2\n[[group]]\nname = \"all\"\ntransport = \"rc\"\n\
                      members = [\"all\"]\n[[group]]\nname = \"plain\"\nmembers = [\"all\"]\n";

fn sheet(bench: &Bench, file: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(bench.path(file)).expect("a file");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// The interfaces to accelerators, by rack, in the order of the accelerator's ports.
fn beside(bench: &Bench, plan: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in sheet(bench, &format!("{plan}/ports.csv")) {
        if !row["accelerator_port"].is_empty() {
            let of = found.entry(row["name"].clone()).or_default();
            assert_eq!(row["accelerator_port"], of.len().to_string());
            for empty in ["transceiver", "tx_label", "rx_label", "rx_from_tor", "tx"] {
                assert!(row[empty].is_empty(), "{empty}");
            }
            of.push(row["interface"].clone());
        }
    }
    found
}

#[test]
fn a_plan_has_one_beside_each_switch_with_its_ports_and_says_what_is_unknown() {
    let bench = Bench::new();
    let asked = [&SMALL[..], &BOARD, &NAMED].concat();
    bench.plan("plan", &asked);
    assert_eq!(bench.verify("plan").code, 0);
    let named = beside(&bench, "plan");
    assert_eq!(named.len(), 8);
    let last: Vec<String> = (51..=54).map(|port| format!("Ethernet1/{port}")).collect();
    assert!(named.values().all(|names| *names == last), "{named:?}");
    let answer = bench.ask(&["info", "plan"]);
    let told = &answer["accelerators"];
    assert_eq!((&told["count"], &told["ports"]), (&json!(8), &json!(4)));
    assert_eq!(told["unknown"], json!(["latency", "power", "price"]));
    assert_eq!(
        (&told["port_rate_bps"], &told["rate_bps"]),
        (&json!(100_000_000_000_u64), &json!(400_000_000_000_u64))
    );
    // Unknown is no number: the sums say that they lack it.
    let bom = sheet(&bench, "plan/bom.csv");
    let of = |item: &str, variant: &str| {
        let is = |row: &&BTreeMap<String, String>| {
            row["item"] == item && row["variant"].contains(variant)
        };
        bom.iter().find(is).expect("a line").clone()
    };
    assert_eq!(of("accelerator", "")["quantity"], "8");
    assert_eq!(of("switch port", "to accelerators")["quantity"], "32");
    assert_eq!(of("switch port", "on the ToRs")["quantity"], "16");
    let compared = bench.ask(&[&["compare"], &asked[..]].concat());
    let lacks = |total: &Value| total["missing"].to_string().contains("cepheus-board");
    assert!(lacks(&compared["accelerators"]) && lacks(&compared["bill"]), "{compared:#}");
    assert!(!lacks(&compared["splitter_fabric"]));
    assert_eq!(compared["accelerators"]["switch_ports"], 32);
    assert_eq!(compared["accelerators"]["packet_core_switches"], 1);
}

#[test]
fn a_row_of_ones_own_gives_price_and_power_and_they_are_in_every_sum() {
    let bench = Bench::new();
    bench.write("own.toml", OWN);
    let plain = [&SMALL[..], &NAMED, &["--parts", "own.toml"]].concat();
    let asked = [&plain[..], &BOARD].concat();
    let bill = |args: &[&str]| bench.ask(&[&["compare"], args].concat());
    let (without, with) = (bill(&plain), bill(&asked));
    assert_eq!(without.get("accelerators"), None);
    let told = &with["accelerators"];
    // 8 boards of 45 W and 32 ports of 14.06 W.
    let watts = |answer: &Value| answer["power_w"].as_f64().expect("known");
    assert!((watts(told) - (8.0 * 45.0 + 32.0 * 14.06)).abs() < 1e-6, "{told:#}");
    assert!((watts(&with["bill"]) - watts(&without["bill"]) - watts(told)).abs() < 1e-6);
    assert_eq!(
        with["splitter_fabric"], without["splitter_fabric"],
        "the ways that are compared stay"
    );
    assert!(told["missing"].to_string().matches("cepheus-board").next().is_none(), "{told:#}");
    // The plan keeps the row: what is read back says the same.
    bench.plan("plan", &asked);
    let again = bench.ask(&["info", "plan"]);
    assert_eq!(again["accelerators"]["unknown"], json!([]));
    assert_eq!(again["accelerators"]["latency_ps"], 1_000_000);
}

#[test]
fn a_plan_that_grows_and_shrinks_keeps_the_ports_of_its_accelerators() {
    let bench = Bench::new();
    bench.plan("plan", &[&SMALL[..], &BOARD, &NAMED].concat());
    let grown = bench.run(&["grow", "plan", "--tors", "12", "--out", "grown"]);
    assert_eq!(grown.code, 0, "{}", grown.stderr);
    assert_eq!(bench.verify("grown").code, 0);
    let (old, new) = (beside(&bench, "plan"), beside(&bench, "grown"));
    assert_eq!(new.len(), 12, "each new ToR has one");
    assert!(old.iter().all(|(rack, names)| new[rack] == *names));
    let shrunk = bench.run(&["shrink", "grown", "--racks", "tor:11", "--out", "less"]);
    assert_eq!(shrunk.code, 0, "{}", shrunk.stderr);
    assert_eq!(bench.verify("less").code, 0);
    assert_eq!(beside(&bench, "less").len(), 11);
    // A plan that keeps another one keeps these ports, too.
    bench.plan("kept", &[&SMALL[..], &BOARD, &NAMED, &["--keep", "plan"]].concat());
    assert_eq!(beside(&bench, "kept"), old);
}

#[test]
fn too_few_ports_and_what_does_not_go_together_are_refused_by_name() {
    let bench = Bench::new();
    let refuses = |args: &[&str], words: &[&str]| {
        let ran = bench.run(&[&["plan", "--out", "none"], &SMALL[..], args].concat());
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        for word in [&["accelerator"], words].concat() {
            assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
        }
        assert!(!bench.path("none").exists());
    };
    refuses(&["--accelerator", "board"], &["\"board\"", "cepheus-board"]);
    refuses(&[&BOARD[..], &["--logical", "4"]].concat(), &["4 logical ToRs"]);
    // 2 ports of 100 Gb/s are what the fabric itself takes at most; the model has 4 of 40 Gb/s.
    let small = ["--tor-model", "extreme-x670-g2-48x-4q", "--fault-signalling", "on"];
    refuses(&[&BOARD[..], &small].concat(), &["extreme-x670-g2-48x-4q", "0 ports", "4 ports"]);
    // All 100 Gb/s ports but two are reserved, so interfaces are missing.
    let reserved = ["--tor-reserved", "Ethernet1/5[1-4]"];
    refuses(&[&BOARD[..], &NAMED, &reserved].concat(), &["2", "free", "100 Gbps"]);
    bench.write("own.toml", OWN.replace("latency = \"1 us\"", "rate = \"500 Gb/s\""));
    refuses(
        &[&BOARD[..], &["--parts", "own.toml"]].concat(),
        &["own.toml:", "rate", "500 Gbps", "400 Gbps"],
    );
    bench.write("own.toml", OWN.replace("latency", "lateness"));
    refuses(&[&BOARD[..], &["--parts", "own.toml"]].concat(), &["own.toml:2", "latency"]);
}

#[test]
fn a_run_takes_the_accelerators_of_its_design_and_makes_no_latency_up() {
    let bench = Bench::new();
    bench.write("own.toml", OWN);
    let scenario = |name: &str, more: &str| {
        bench.write(
            name,
            format!(
                "version = 1\nuntil = \"20 ms\"\n[network]\nkind = \"design\"\nfile = \"d.toml\"\nhosts_per_tor = 2\n\
                 spines = 2\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n{more}"
            ),
        );
        bench.run(&["simulate", name, "--json"])
    };
    let design = |more: &str| {
        bench.write(
            "d.toml",
            format!(
                "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[optics]\n\
                 transceiver = \"100gbase-lr4\"\n{more}[tor]\naccelerator = \"cepheus-board\"\n"
            ),
        );
    };
    let cast = "[[multicast]]\ngroup = \"all\"\nfrom = 0\nsize = \"100 kB\"\n";
    let reliable = format!("[[group]]\nname = \"all\"\nmembers = \"all\"\n{cast}");
    let datagrams =
        format!("[[group]]\nname = \"all\"\ntransport = \"datagram\"\nmembers = \"all\"\n{cast}");
    design("");
    let refused = scenario("s.toml", &reliable);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("accelerator") && refused.stderr.contains("latency is unknown"),
        "{}",
        refused.stderr
    );
    // A group of datagrams does not go there.
    let plain = scenario("s.toml", &datagrams);
    assert_eq!(plain.code, 0, "{}", plain.stderr);
    design("parts = \"own.toml\"\n");
    let ran = scenario("s.toml", &reliable);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(answer["accelerators"]["switches"], 8, "beside the ToRs, and not beside spines");
    // A row goes before the design, for one switch or for all that have none.
    let row = "[[accelerator]]\nports = 1\nport_rate = \"10 Gb/s\"\nlatency = \"1 us\"\n";
    let slow = scenario("s.toml", &format!("{reliable}{row}"));
    let slow: Value = serde_json::from_str(&slow.stdout).expect("JSON");
    assert_eq!(
        slow["accelerators"]["switches"], 10,
        "a row without a switch is beside spines, too"
    );
    let last =
        |answer: &Value| answer["to_groups"]["completion"]["max_ps"].as_u64().expect("a time");
    assert!(last(&slow) > 2 * last(&answer));
    // The same as the same row by hand.
    design("");
    let racks = ["R1.01", "R1.02", "R1.03", "R1.04", "R1.05", "R2.01", "R2.02", "R2.03"];
    let row = |rack: &str| {
        format!(
            "[[accelerator]]\nnode = \"{rack}\"\nports = 4\nport_rate = \"100 Gb/s\"\nlatency = \"1 us\"\n"
        )
    };
    let by_hand: String = racks.map(row).concat();
    let same = scenario("s.toml", &format!("{reliable}{by_hand}"));
    let same: Value = serde_json::from_str(&same.stdout).expect("JSON");
    assert_eq!(same["accelerators"], answer["accelerators"]);
    assert_eq!(same["to_groups"], answer["to_groups"]);
}

#[test]
fn configurations_tell_dialects_that_can_and_say_of_others_that_they_cannot() {
    let bench = Bench::new();
    bench.plan("plan", &[&SMALL[..], &BOARD, &NAMED].concat());
    bench.write("groups.toml", GROUPS);
    bench
        .write("rc.toml", GROUPS.split_once("[[group]]\nname = \"plain\"").expect("it is there").0);
    bench.write("plain.toml", "version = 1\n[servers]\nper_tor = 2\n");
    let configs = |dialect: &str, more: &[&str]| {
        let told =
            ["configs", "plan", "--dialect", dialect, "--groups", "groups.toml", "--out", dialect];
        bench.run(&[&told[..], more].concat())
    };
    for (dialect, more) in [("openflow", &[][..]), ("p4runtime", &[])] {
        let ran = configs(dialect, more);
        assert!(ran.stderr.is_empty(), "{}", ran.stderr);
        // Light is not assessed with these parts, or it is: both are told elsewhere.
        let copies = sheet(&bench, &format!("{dialect}/copies.csv"));
        assert_eq!(copies.len(), 8 * 4);
        let vlans: Vec<&str> = copies.iter().take(4).map(|row| row["vlan"].as_str()).collect();
        assert_eq!(vlans, ["2000", "2001", "2101", "2102"]);
        let groups = bench.column(&format!("{dialect}/groups.csv"), "transport");
        assert_eq!((groups[0].as_str(), groups[16].as_str()), ("rc", "datagram"));
    }
    let masked = ["--encoding", "masked-destination"];
    for (dialect, more) in [("p4runtime-sonic", &masked[..]), ("sonic", &[]), ("eos", &[])] {
        let ran = configs(dialect, more);
        assert!(ran.stderr.is_empty(), "{}", ran.stderr);
        let manifest = fs::read_to_string(bench.path(&format!("{dialect}/configs.json")))
            .expect("it is there");
        let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
        let told = manifest["not_expressed"].as_array().expect("a list");
        let told =
            told.iter().find(|one| one["what"] == "groups of accelerators").expect("it is told");
        assert_eq!((&told["loses_packets"], &told["switches"]), (&json!(true), &json!(8)));
        assert!(!bench.path(&format!("{dialect}/copies.csv")).exists());
        // A group that comes changes nothing that is written, and no phase is said to lack anything.
        let out = format!("{dialect}-rollout");
        let told = ["configs", "diff", "plan", "plan", "--dialect", dialect, "--groups", "rc.toml"];
        let old = ["--old-groups", "plain.toml", "--out", &out, "--json"];
        let ran = bench.run(&[&told[..], &old, more].concat());
        let manifest: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let told = manifest["not_expressed"].as_array().expect("a list");
        assert!(told.iter().any(|one| one["what"] == "groups of accelerators"), "{manifest:#}");
        assert!(!told.iter().any(|one| one["what"] == "phase members"), "{manifest:#}");
        let lint = bench.run(
            &[&["lint", "plan", "--dialect", dialect, "--groups", "groups.toml"], more].concat(),
        );
        assert_eq!(lint.code, 1, "groups that lose packets are an error");
    }
    // Without accelerators nothing could serve the group.
    bench.plan("bare", &[&SMALL[..], &NAMED].concat());
    let refused = bench.run(&[
        "configs",
        "bare",
        "--dialect",
        "openflow",
        "--groups",
        "groups.toml",
        "--out",
        "none",
    ]);
    assert_eq!(refused.code, 2);
    for word in ["groups.toml:6", "transport", "accelerator"] {
        assert!(refused.stderr.contains(word), "{word}: {}", refused.stderr);
    }
    // A server cannot have an interface that leads to an accelerator.
    let row = "[[server]]\nname = \"a\"\ntor = \"tor:0\"\ninterface = \"Ethernet1/53\"\n";
    bench.write("own.toml", format!("version = 1\n{row}"));
    let refused = bench.run(&[
        "configs",
        "plan",
        "--dialect",
        "openflow",
        "--groups",
        "own.toml",
        "--out",
        "none",
    ]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("leads to its accelerator"), "{}", refused.stderr);
}

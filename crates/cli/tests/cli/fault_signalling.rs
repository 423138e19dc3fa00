//! Link fault signalling: what settings and catalogues say of it, and what its cascade adds to the answers. The
//! cascade itself is followed by `tests/peers/test_fault_signalling.py`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::impact::read;
use crate::reader::{Plan, number};
use crate::recover::recover;

const FIGURE_4: [&str; 6] = ["--family", "shufflecast", "--p", "2", "--k", "3"];
const ON: [&str; 2] = ["--fault-signalling", "on"];
const ABLE: [&str; 2] = ["--tor-model", "extreme-slx-9540"];
const UNABLE: [&str; 2] = ["--tor-model", "extreme-x670-g2-48x-4q"];

fn ask(bench: &Bench, command: &[&str], more: &[&str]) -> Value {
    bench.ask(&[command, &FIGURE_4[..], more].concat())
}

/// The ToRs that a dead transmitter silences, from the ports that the plan lists: first those whose port 0
/// hears it, then those whose port 0 hears these.
fn silenced(ports: &BTreeMap<usize, usize>, dead: usize) -> [BTreeSet<usize>; 2] {
    let hear = |from: &BTreeSet<usize>| -> BTreeSet<usize> {
        let hears = ports.iter().filter(|(tor, heard)| **tor != dead && from.contains(heard));
        hears.map(|(tor, _)| *tor).collect()
    };
    let dark = hear(&BTreeSet::from([dead]));
    let idle = hear(&dark).difference(&dark).copied().collect();
    [dark, idle]
}

#[test]
fn every_single_dead_transmitter_of_a_2_3_silences_those_whose_port_0_hears_it_and_theirs() {
    let bench = Bench::new();
    bench.plan("plan", &FIGURE_4);
    let plan = Plan::read(&bench, "plan");
    let transmits = plan.ports.iter().filter(|row| !row["tx_label"].is_empty());
    let ports: BTreeMap<usize, usize> =
        transmits.map(|row| (number(row, "tor"), number(row, "rx_from_tor"))).collect();
    assert_eq!(ports.len(), 24);
    let mut silencing = 0;
    for dead in 0..24 {
        let failed = format!("tx:{dead}");
        let answer = ask(&bench, &["impact", "--failed", &failed], &ON);
        let [dark, idle] = silenced(&ports, dead);
        let causes = [(&dark, "local_fault"), (&idle, "remote_fault")];
        let mut due: BTreeMap<usize, Value> = BTreeMap::new();
        for (tors, cause) in causes {
            let one = |tor: &usize| json!({"tor": tor, "cause": cause, "hears": ports[tor]});
            due.extend(tors.iter().map(|tor| (*tor, one(tor))));
        }
        let due: Vec<Value> = due.into_values().collect();
        assert_eq!(answer["fault_signalling"]["silenced"], json!(due), "{failed}");
        // The same as if all of them had failed, with signalling off.
        let all: Vec<String> =
            dark.iter().chain(&idle).chain([&dead]).map(|tor| format!("tx:{tor}")).collect();
        let equal = ask(&bench, &["impact", "--failed", &all.join(",")], &[]);
        for field in ["sources", "failed_sources", "distribution", "unaffected_fraction", "worst"] {
            assert_eq!(answer[field], equal[field], "{failed}: {field}");
        }
        let alone = ask(&bench, &["impact", "--failed", &failed], &[]);
        assert!(alone.get("fault_signalling").is_none());
        let without = &answer["fault_signalling"]["without"];
        for field in ["failed_sources", "distribution", "unaffected_fraction"] {
            assert_eq!(without[field], alone[field], "{failed}: {field}");
        }
        silencing += usize::from(!dark.is_empty());
    }
    let risk = ask(&bench, &["risk"], &ON);
    let cascade = &risk["fault_signalling"];
    assert_eq!(cascade["silencing"], silencing);
    assert_eq!((&cascade["transmitters"], &cascade["most_silenced"]), (&json!(24), &json!(6)));
    let groups = risk["groups"].as_array().expect("groups").iter();
    let is_single = |group: &&Value| {
        group["group"].as_str().expect("a name").starts_with("transmitter of ToR ")
    };
    assert_eq!(groups.filter(is_single).count(), silencing);
}

#[test]
fn a_repair_counts_the_silenced_and_is_verified_so() {
    let bench = Bench::new();
    let on = [&FIGURE_4[..], &ON].concat();
    let answer = recover(&bench, &on, "tx:0", &["--apply", "out"]);
    // ToRs 4, 12 and 13 send as before, but all who hear them are silenced.
    let unreachable: BTreeMap<usize, Vec<usize>> = read(&answer["unreachable"]);
    for source in [4, 12, 13] {
        assert_eq!(unreachable[&source].len(), 21, "{source}");
    }
    let failed: BTreeSet<usize> = read(&answer["failed_sources"]);
    assert_eq!(failed.len(), 7);
    let via: BTreeMap<usize, usize> = read(&answer["via"]);
    assert!(via.keys().eq(&failed) && via.values().all(|root| !failed.contains(root)));
    let without = &answer["fault_signalling"]["without"];
    assert_eq!((&without["failed_sources"], &without["stand_ins"]), (&json!(1), &json!(1)));
    assert!(bench.verify("out").stdout.starts_with("Cut off"));
    let plan = Plan::read(&bench, "out");
    // The dead and the silenced relay nothing but what their own servers would send.
    for tor in &failed {
        assert!(plan.rules[tor].iter().all(|source| failed.contains(source)), "{tor}");
    }
    // With signalling off, these rules would be wrong: the plan says that it is on.
    let mut document = plan.document;
    assert_eq!(document["tor"], json!({"fault_signalling": "on"}));
    document["tor"] = json!({"fault_signalling": "off"});
    bench.write("out/plan.json", document.to_string());
    let ran = bench.verify("out");
    assert!(ran.code == 1 && ran.stdout.starts_with("Wrong"), "{ran:?}");
}

#[test]
fn repairs_in_advance_count_the_silenced() {
    let bench = Bench::new();
    let args = [&["repairs", "--out", "repairs"], &FIGURE_4[..], &ON].concat();
    assert_eq!(bench.run(&args).code, 0);
    let text = std::fs::read_to_string(bench.path("repairs/repairs.jsonl")).expect("repairs");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for tor in 0..24 {
        let failed = format!("relay:{tor}");
        let line = lines.iter().find(|line| line["failed"] == json!([failed])).expect("a repair");
        let impact = ask(&bench, &["impact", "--failed", &failed], &ON);
        assert_eq!(line["failed_sources"], impact["failed_sources"], "{failed}");
    }
}

#[test]
fn a_plan_says_how_its_switches_must_be_set() {
    let bench = Bench::new();
    let planned = |more: &[&str]| {
        let args = [&["plan", "--out", "plan"], &SMALL[..], more].concat();
        let answer = bench.ask(&args);
        assert_eq!(bench.verify("plan").code, 0, "{more:?}");
        (answer, bench.run(&args).said())
    };
    for (more, can, signalling, says) in [
        (&[][..], Value::Null, "off", "Check that the ToR switches can switch link fault"),
        (&ON[..], Value::Null, "on", "Warning: the design leaves link fault signalling of the ToR"),
        (&ABLE[..], json!("off"), "off", "(link-fault-signal rx off tx off)"),
        (&UNABLE[..], json!("on"), "on", "Warning: extreme-x670-g2-48x-4q cannot switch link"),
    ] {
        let (answer, said) = planned(more);
        let platform = &answer["platform"];
        assert_eq!((&platform["can"], &platform["fault_signalling"]), (&can, &json!(signalling)));
        assert!(said.contains(says), "{more:?}: {said}");
        for off in ["UDLD", "LACP", "auto-negotiation"] {
            assert!(said.contains(off), "{more:?}: {said}");
        }
        let is_on = signalling == "on";
        assert_eq!(said.contains("Switch off on every fabric port: link fault"), !is_on, "{said}");
        let warnings = answer["warnings"].as_array().expect("warnings");
        let kinds: Vec<&Value> = warnings.iter().map(|warning| &warning["kind"]).collect();
        assert_eq!(kinds, if is_on { vec!["fault_signalling_on"] } else { vec![] }, "{more:?}");
        assert_eq!(platform["source"].is_string(), !can.is_null());
        let assumed = answer["assumed"].as_array().expect("a list").iter();
        let is_assumed = assumed.filter(|one| one["what"] == "fault_signalling").count() == 1;
        assert_eq!(is_assumed, more.is_empty());
    }
}

#[test]
fn impact_and_recovery_follow_the_model_of_the_design() {
    let bench = Bench::new();
    let impact = |more: &[&str]| ask(&bench, &["impact", "--failed", "tx:0"], more);
    assert_eq!(impact(&UNABLE), impact(&ON));
    assert_eq!(impact(&ABLE), impact(&[]));
    assert_eq!(impact(&[&ABLE[..], &ON].concat()), impact(&ON));
    // A model of one's own, and a row that corrects a shipped one.
    bench.write(
        "parts.toml",
        "[switch.mine]\nports = [\"20 x 10 Gb/s\"]\nfault_signalling = \"on\"\nsource = \"mine\"\n\
         date = \"2026-11\"\n[switch.extreme-slx-9540]\nfault_signalling = \"on\"\nsource = \"tried\"\n\
         date = \"2026-11\"\n",
    );
    for model in ["mine", "extreme-slx-9540"] {
        bench.write(
            "design.toml",
            format!(
                "version = 1\nfabric = {{ family = \"shufflecast\", p = 2, k = 3 }}\n\
                 tor.model = \"{model}\"\noptics.parts = \"parts.toml\"\n"
            ),
        );
        let found = bench.ask(&["impact", "design.toml", "--failed", "tx:0"]);
        assert_eq!(found, impact(&ON), "{model}");
    }
}

#[test]
fn a_new_design_keeps_what_was_said_of_its_switches() {
    let bench = Bench::new();
    bench.ask(&[&["new", "-o", "design.toml"], &FIGURE_4[..], &UNABLE].concat());
    let found = bench.ask(&["impact", "design.toml", "--failed", "tx:0"]);
    assert_eq!(found, ask(&bench, &["impact", "--failed", "tx:0"], &ON));
}

#[test]
fn wrong_settings_are_refused_with_their_line() {
    let bench = Bench::new();
    let failed = ["--failed", "tx:0"];
    for (tor, parts) in [
        ("fault_signalling = \"perhaps\"", &["tor.fault_signalling", "perhaps", "off, on"][..]),
        ("fault_signalling = true", &["tor.fault_signalling", "found a boolean"]),
        ("model = \"nobody-9000\"", &["tor.model", "nobody-9000", "extreme-slx-9540"]),
        (
            "fault_signalling = \"off\"\nmodel = \"extreme-x670-g2-48x-4q\"",
            &["tor.fault_signalling", "cannot switch link fault signalling off", "always enabled"],
        ),
        ("speed = 3", &["tor.speed"]),
    ] {
        let fabric = "version = 1\nfabric = { family = \"shufflecast\", p = 2, k = 2 }\n";
        bench.write("design.toml", format!("{fabric}[tor]\n{tor}\n"));
        let parts = [&["design.toml:4"], parts].concat();
        bench.refuses(&[&["impact", "design.toml"], &failed[..]].concat(), &parts);
    }
    let flag = ["--fault-signalling", "perhaps"];
    bench.refuses(&[&["impact"], &SMALL[..], &failed, &flag].concat(), &["--fault-signalling"]);
    // A catalogue that contradicts itself.
    let row = "[switch.mine]\nports = [\"20 x 10 Gb/s\"]\nsource = \"mine\"\ndate = \"2026-11\"\n";
    for (more, parts) in [
        ("fault_signalling = \"maybe\"", &["parts.toml:5", "fault_signalling", "off, on"][..]),
        (
            "fault_signalling = \"on\"\nfault_signalling_command = \"x\"",
            &["parts.toml:6", "switch.mine.fault_signalling_command"],
        ),
    ] {
        bench.write("parts.toml", format!("{row}{more}\n"));
        let args = [&["budget", "--parts", "parts.toml", "--rate", "10 Gb/s"], &SMALL[..]].concat();
        bench.refuses(&args, parts);
    }
}

#[test]
fn people_read_whom_signalling_silences() {
    let bench = Bench::new();
    let said = |command: &str, more: &[&str]| {
        bench.run(&[&[command], &FIGURE_4[..], &ON, more].concat()).said()
    };
    let failed = ["--failed", "tx:0"];
    for command in ["impact", "recover"] {
        let said = said(command, &failed);
        for part in
            ["no light arrives at port 0: 8, 9", "port 0 hears remote fault: 16, 17, 18, 19"]
        {
            assert!(said.contains(part), "{command}: {said}");
        }
    }
    let none = said("impact", &["--failed", "tx:4"]);
    assert!(none.contains("Link fault signalling is on. It silences no ToR."), "{none}");
    let risk = said("risk", &[]);
    assert!(risk.contains("12 of 24 transmitters silence other ToRs"), "{risk}");
}

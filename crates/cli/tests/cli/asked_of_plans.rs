//! Questions that are asked of a plan in a folder: the answer is that of its design, or the refusal says what to give.
//! A folder whose files were edited answers nothing.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};

/// The commands that make something from a plan's folder, each with a place for what it writes.
const MAKERS: [(&str, &[&str]); 4] = [
    ("netbox", &["--out", "out"]),
    ("draw", &["--out", "out.html"]),
    ("as-built", &["--form", "out.csv"]),
    ("configs", &["--dialect", "openflow", "--out", "out"]),
];

/// Exchanges the racks of ToRs 0 and 1 in `plan.json`, so that it describes another wiring than `cables.csv`.
fn exchange_racks(bench: &Bench) {
    let path = bench.path("plan/plan.json");
    let mut plan: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    plan["tors"].as_array_mut().expect("the racks").swap(0, 1);
    fs::write(path, serde_json::to_vec(&plan).expect("JSON")).expect("it can be written");
}

#[test]
fn a_folder_with_two_racks_exchanged_makes_nothing() {
    let bench = Bench::new();
    bench.plan("plan", &[&SMALL[..], &["--housing", "receiver"]].concat());
    for (command, more) in MAKERS {
        let site = if command == "netbox" { &["--site", "Hall"][..] } else { &[] };
        let ran = bench.run(&[&[command, "plan"], more, site].concat());
        assert_eq!(ran.code, 0, "{command}: {ran:?}");
        for made in ["out", "out.html", "out.csv"] {
            let made = bench.path(made);
            let gone = if made.is_dir() { fs::remove_dir_all(made) } else { fs::remove_file(made) };
            drop(gone);
        }
    }
    exchange_racks(&bench);
    for (command, more) in MAKERS {
        let site = if command == "netbox" { &["--site", "Hall"][..] } else { &[] };
        let args = [&[command, "plan"], more, site].concat();
        bench.refuses(&args, &["plan: the plan is not what its plan.json says", "verify"]);
    }
}

#[test]
fn a_plan_and_its_design_give_the_same_answers() {
    let bench = Bench::new();
    let optics = ["--transceiver", "10gbase-er"];
    bench.plan("plan", &[&SMALL[..], &optics].concat());
    bench.plan("dark", &SMALL);
    for (command, more) in [
        ("info", &[][..]),
        ("fabric", &[]),
        ("tree", &["--source", "3"]),
        ("rules", &["--tor", "3"]),
        ("parallel", &[]),
        ("parallel", &["--sources", "0,4"]),
        ("impact", &["--failed", "relay:1"]),
        ("recover", &["--failed", "relay:1"]),
        ("risk", &[]),
    ] {
        // The rate of the light bounds the drain of a recovery, and these flags name no optics.
        let plan = if command == "recover" { "dark" } else { "plan" };
        let [design, plan] = [&SMALL[..], &[plan]].map(|of| {
            let ran = bench.run(&[&[command], of, more, &["--json"]].concat());
            (ran.code, ran.stdout)
        });
        assert!(design.0 < 2, "{command}: {design:?}");
        assert_eq!(design, plan, "{command}");
    }
    let budgets = [&[&SMALL[..], &optics].concat()[..], &["plan"]]
        .map(|of| bench.ask(&[&["budget"], of].concat()));
    for key in ["verdict", "branches", "worst"] {
        assert_eq!(budgets[0][key], budgets[1][key], "{key}");
    }
    for folder in ["ours", "theirs"] {
        let of = if folder == "ours" { &SMALL[..] } else { &["plan"] };
        let ran = bench.run(&[&["repairs", "--out", folder], of].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    let file = |folder: &str| fs::read(bench.path(folder).join("repairs.jsonl")).expect("a file");
    assert_eq!(file("ours"), file("theirs"));
}

#[test]
fn a_repair_of_a_plan_is_the_repair_of_its_design() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    for (of, out) in [(&SMALL[..], "ours"), (&["plan"], "theirs")] {
        let args = ["recover", "--failed", "relay:1", "--apply", out];
        assert_eq!(bench.run(&[&args[..], of].concat()).code, 0);
        assert_eq!(bench.verify(out).code, 0);
    }
    for name in bench.names("ours") {
        let read = |folder: &str| fs::read(bench.path(folder).join(&name)).expect("a file");
        assert!(read("ours") == read("theirs"), "{name}");
    }
}

#[test]
fn a_grown_plan_is_repaired_without_its_growth() {
    let bench = Bench::new();
    let old = ["--family", "kautz", "--p", "2", "--tors", "12", "--housing", "receiver"];
    bench.plan("plan", &old);
    assert_eq!(bench.run(&["grow", "plan", "--tors", "16", "--out", "grown"]).code, 0);
    let ran = bench.run(&["recover", "grown", "--failed", "relay:13", "--apply", "repaired"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(bench.verify("repaired").code, 0);
    let file = |folder: &str| fs::read(bench.path(folder).join("cables.csv")).expect("a file");
    assert_eq!(file("grown"), file("repaired"));
    assert!(!bench.names("repaired").contains(&"stages.json".to_owned()));
}

#[test]
fn what_is_not_asked_of_a_plan_says_what_to_give() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    for args in
        [&["plan", "plan", "--out", "other"][..], &["explore", "plan"], &["unused-ports", "plan"]]
    {
        bench.refuses(args, &["plan: is a folder", "design file"]);
    }
    bench.refuses(&["compare", "plan"], &["plan: is the folder of a plan", "design file"]);
    bench.refuses(&["info", "plan", "--p", "2"], &["--p"]);
    bench.refuses(&["info", "plan", "--housing", "receiver"], &["plan", "no other settings"]);
}

#[test]
fn what_is_asked_of_plans_alone_says_so_of_a_design() {
    let bench = Bench::new();
    bench.write("design.toml", "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n");
    fs::create_dir(bench.path("empty")).expect("a folder");
    for (command, more) in [
        ("verify", &[][..]),
        ("report", &["--out", "r.html"]),
        ("draw", &["--out", "d.html"]),
        ("netbox", &["--out", "n", "--site", "S"]),
        ("grow", &["--tors", "12"]),
        ("shrink", &["--racks", "R1.01"]),
        ("as-built", &["--form", "f.csv"]),
    ] {
        let args = |of| [&[command, of], more].concat();
        bench.refuses(&args("design.toml"), &["design.toml: is a file", "folder of a plan"]);
        bench.refuses(&args("empty"), &["empty: has no plan.json"]);
    }
}

#[test]
fn configurations_of_a_plan_whose_light_is_unknown_are_written_and_say_so() {
    let bench = Bench::new();
    // Best-case budgets alone: the worst case is unknown.
    let old = ["--catalogue", "shufflecast-2022", "--transceiver", "10g-10km"];
    let dark = [&SMALL[..], &old].concat();
    let planned = bench.run(&[&["plan", "--out", "plan"], &dark[..]].concat());
    assert_eq!(planned.code, 1, "{planned:?}");
    let told = ["--dialect", "openflow", "--out", "configs"];
    let diff = ["configs", "diff", "plan", "plan", "--dialect", "openflow", "--out", "rollout"];
    let verdict =
        bench.run(&[&["budget"], &dark[..], &["--json"]].concat()).json()["verdict"].clone();
    assert_eq!(verdict, "unknown");
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[optics]\n\
         catalogue = \"shufflecast-2022\"\ntransceiver = \"10g-10km\"\n",
    );
    for args in [
        &[&["configs", "plan"], &told[..]].concat()[..],
        &[&["configs", "design.toml"], &told[..]].concat(),
        &diff,
    ] {
        let ran = bench.run(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{args:?}: {ran:?}");
        assert!(
            ran.said().contains("it is not known whether the light arrives: values are missing"),
            "{args:?}: {ran:?}"
        );
        let answer = bench.run(&[args, &["--json"]].concat());
        assert_eq!((answer.code, &answer.document()["optical"]), (1, &verdict), "{args:?}");
    }
    let verified = bench.run(&["verify", "plan"]);
    let is_said = verified.said().contains("it is not known whether the light arrives");
    assert!(verified.code == 1 && is_said, "{verified:?}");
    let written = |of: &str| {
        bench.run(&[&["configs", of], &told[..]].concat());
        bench.snapshot().into_iter().filter(|(path, _)| path.starts_with("configs")).count()
    };
    assert_eq!(written("plan"), written("design.toml"));
}

#[test]
fn a_verdict_on_light_is_said_as_it_is() {
    let bench = Bench::new();
    let weak =
        ["--catalogue", "datasheets-2026", "--transceiver", "10gbase-lr", "--p", "8", "--k", "2"];
    let planned = bench.run(&[&["plan", "--json", "--out", "plan"], &weak[..]].concat());
    assert_eq!((planned.code, &planned.document()["optical"]), (1, &json!("fail")), "{planned:?}");
    for command in
        [&["verify", "plan"][..], &["configs", "plan", "--dialect", "openflow", "--out", "configs"]]
    {
        let ran = bench.run(command);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.said().contains("the light does not arrive everywhere"), "{ran:?}");
        assert!(!ran.said().contains("not known"), "{ran:?}");
    }
}

/// The failures of a plan cut pairs off: its configurations are written, and say so, as the plan does.
#[test]
fn configurations_of_a_plan_that_cuts_pairs_off_say_so() {
    let bench = Bench::new();
    let sound = bench.run(&[&["plan", "--out", "sound"], &SMALL[..]].concat());
    assert_eq!(sound.code, 0, "{sound:?}");
    for (failed, pairs) in [("relay:1", 0), ("tor:1", 14)] {
        let recovered = bench.run(&["recover", "sound", "--failed", failed, "--apply", failed]);
        assert_eq!(recovered.code, i32::from(pairs > 0), "{recovered:?}");
        let info = bench.ask(&["info", failed]);
        assert_eq!(info["pairs_cut_off"], pairs, "{failed}");
        let rollout =
            ["configs", "diff", "sound", failed, "--dialect", "openflow", "--out", "diff"];
        for args in
            [&["configs", failed, "--dialect", "openflow", "--out", "configs"][..], &rollout]
        {
            let ran = bench.run(args);
            let told =
                format!("leave {pairs} pairs of a source and another ToR cut off, of 8 sources");
            assert_eq!(ran.code, i32::from(pairs > 0), "{args:?}: {ran:?}");
            assert_eq!(ran.said().contains(&told), pairs > 0, "{args:?}: {ran:?}");
            let answer = bench.run(&[args, &["--json"]].concat()).document();
            assert_eq!(
                (&answer["pairs_cut_off"], &answer["restored"]),
                (&json!(pairs), &json!(pairs == 0))
            );
        }
    }
}

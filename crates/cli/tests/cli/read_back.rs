//! `configs verify`: all that a switch reports is compared, or named as not compared.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, SMALL};

const VERIFY: [&str; 5] = ["configs", "verify", "configs", "--read-back", "back"];
const GROUPS: &str =
    "version = 1\n[servers]\nper_tor = 1\n[[group]]\nname = \"g\"\nmembers = [\"all\"]\n";

/// Configurations, and switches that have what they were given.
fn read_back() -> Bench {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.write("groups.toml", GROUPS);
    let told = ["--dialect", "openflow", "--groups", "groups.toml", "--out", "configs"];
    assert_eq!(bench.run(&[&["configs", "plan"], &told[..]].concat()).code, 0);
    fs::create_dir(bench.path("back")).expect("a folder");
    for tor in 0..8 {
        let of = |kind: &str| text(&bench, &format!("configs/tor-{tor}.{kind}"));
        let flows: String = (of("flows") + &of("gate")).lines().map(reported).collect();
        bench.write(&format!("back/tor-{tor}.dump-flows"), flows);
        bench.write(&format!("back/tor-{tor}.dump-groups"), of("groups"));
    }
    let good = bench.ask(&VERIFY);
    assert_eq!((good["good"].as_bool(), good["right"].as_u64()), (Some(true), Some(8)), "{good}");
    bench
}

/// A flow as a switch reports it.
fn reported(line: &str) -> String {
    let Some((cookie, rest)) = line.strip_prefix("cookie=").and_then(|rest| rest.split_once(','))
    else {
        let told = if line.starts_with('#') {
            String::new()
        } else {
            format!(" cookie=0x0, duration=7.1s, {line}\n")
        };
        return told;
    };
    format!(" cookie={cookie}, duration=7.1s, n_packets=3, n_bytes=300, idle_age=2, {rest}\n")
}

fn text(bench: &Bench, name: &str) -> String {
    fs::read_to_string(bench.path(name)).expect("it was written")
}

/// Changes what ToR 3 reports. Verify must see it, and say it with some words.
fn differs(bench: &Bench, kind: &str, change: impl Fn(&str) -> String, words: &str) {
    let name = format!("back/tor-3.{kind}");
    let before = text(bench, &name);
    let after = change(&before);
    assert_ne!(before, after, "{words}");
    bench.write(&name, after);
    let ran = bench.run(&[&VERIFY[..], &["--json"]].concat());
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.code, found["drifted"].to_string()), (1, "[3]".into()), "{words}: {found}");
    assert!(found["first_faults"].to_string().contains(words), "{words}: {found}");
    bench.write(&name, before);
}

#[test]
fn the_gate_does_what_it_was_given() {
    let bench = read_back();
    for other in ["drop", "goto_table:2", "output:2,goto_table:1"] {
        let change =
            |flows: &str| flows.replace("actions=goto_table:1", &format!("actions={other}"));
        differs(&bench, "dump-flows", change, "has the gate");
    }
}

#[test]
fn flows_that_go_by_themselves_are_seen() {
    let bench = read_back();
    let lines = text(&bench, "back/tor-3.dump-flows").lines().count();
    for setting in ["hard_timeout=60", "idle_timeout=5", "send_flow_rem", "reset_counts"] {
        for line in 0..lines {
            let change = |flows: &str| -> String {
                let with = |(at, text): (usize, &str)| match at == line {
                    true => {
                        format!("{}\n", text.replacen("table=", &format!("{setting}, table="), 1))
                    }
                    false => format!("{text}\n"),
                };
                flows.lines().enumerate().map(with).collect()
            };
            differs(&bench, "dump-flows", change, setting.split('=').next().expect("a name"));
        }
    }
    // A time of 0 is none.
    let flows = text(&bench, "back/tor-3.dump-flows");
    bench.write(
        "back/tor-3.dump-flows",
        flows.replace("n_bytes=300", "n_bytes=300, idle_timeout=0"),
    );
    assert_eq!(bench.ask(&VERIFY)["good"], true);
}

/// A line with another first digit of its cookie.
fn other_cookie(line: &str) -> String {
    let (before, cookie) = line.split_once("cookie=0x").expect("every flow has a cookie");
    assert!(!cookie.starts_with('7'), "{line}");
    format!("{before}cookie=0x7{}", &cookie[1..])
}

#[test]
fn cookies_are_compared() {
    let bench = read_back();
    let lines = text(&bench, "back/tor-3.dump-flows").lines().count();
    for line in 0..lines {
        let change = |flows: &str| -> String {
            let with = |(at, text): (usize, &str)| match at == line {
                true => format!("{}\n", other_cookie(text)),
                false => format!("{text}\n"),
            };
            flows.lines().enumerate().map(with).collect()
        };
        differs(&bench, "dump-flows", change, "0x7");
    }
}

#[test]
fn outputs_and_buckets_are_compared() {
    let bench = read_back();
    let second = |flows: &str| flows.replacen("actions=group:", "actions=output:1,group:", 1);
    differs(&bench, "dump-flows", second, "actions=output:1,group:");
    let bucket = |groups: &str| groups.replacen(",bucket=", ",bucket=actions=output:1,bucket=", 1);
    differs(&bench, "dump-groups", bucket, "group");
    let kind = |groups: &str| groups.replacen("type=all", "type=select", 1);
    differs(&bench, "dump-groups", kind, "type=select");
    let groups = text(&bench, "back/tor-3.dump-groups");
    bench.write("back/tor-3.dump-groups", format!("{groups}{groups}"));
    bench.refuses(&VERIFY, &["tor-3.dump-groups", "a second time"]);
    // What is not compared has a name.
    bench.write("back/tor-3.dump-groups", groups);
    let ignored = bench.ask(&VERIFY)["ignored"].to_string();
    assert!(ignored.contains("\"duration\"") && ignored.contains("\"n_packets\""), "{ignored}");
    assert!(bench.run(&VERIFY).stdout.contains("Not compared: duration"), "it is said");
}

#[test]
fn a_port_that_is_not_listed_was_not_heard() {
    let bench = read_back();
    let hears: Vec<String> = bench
        .column("configs/switch-ports.csv", "tor")
        .into_iter()
        .zip(bench.column("configs/switch-ports.csv", "number"))
        .zip(bench.column("configs/switch-ports.csv", "hears"))
        .filter(|(_, hears)| !hears.is_empty())
        .map(|((tor, number), hears)| format!("{tor},{number},{hears}\n"))
        .collect();
    let list = |rows: &[String]| format!("tor,number,heard\n{}", rows.concat());
    bench.write("back/neighbours.csv", list(&hears));
    let all = bench.ask(&VERIFY);
    assert_eq!((&all["good"], &all["not_heard"]), (&true.into(), &0.into()));
    bench.write("back/neighbours.csv", list(&hears[1..]));
    let ran = bench.run(&VERIFY);
    assert!(ran.code == 1 && ran.stdout.contains("was not heard"), "{}", ran.stdout);
    let partial = bench.ask(&[&VERIFY[..], &["--partial"]].concat());
    assert_eq!((&partial["good"], &partial["not_heard"]), (&true.into(), &1.into()));
    // What was heard is compared all the same.
    let wrong = hears[1].rsplit_once(',').expect("three cells").0.to_owned() + ",99\n";
    bench.write("back/neighbours.csv", list(&[wrong]));
    assert_eq!(bench.run(&[&VERIFY[..], &["--partial"]].concat()).code, 1);
}

#[test]
fn a_list_of_fewer_switches_is_refused() {
    let bench = read_back();
    let manifest = text(&bench, "configs/configs.json");
    for left in [0, 7] {
        let mut fewer: Value = serde_json::from_str(&manifest).expect("JSON");
        fewer["switches"].as_array_mut().expect("a list").truncate(left);
        bench.write("configs/configs.json", fewer.to_string());
        bench.refuses(&VERIFY, &["configs.json", "switches", &left.to_string(), "lists 8"]);
    }
    bench.write("configs/configs.json", &manifest);
    let gate = text(&bench, "configs/tor-3.gate");
    bench.write("configs/tor-3.gate", "# nothing\n");
    bench.refuses(&VERIFY, &["tor-3.gate", "expected one flow"]);
    bench.write("configs/tor-3.gate", gate.replace("cookie=0x", "cookie=0xf"));
    bench.refuses(&VERIFY, &["tor-3.gate"]);
}

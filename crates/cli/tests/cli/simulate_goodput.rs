//! Payload, time and goodput of flows, of groups and of both, in all that is printed; and what is printed of groups
//! alone.

use serde_json::{Value, json};

use crate::simulate::bench_with;

const TWO: &str = "version = 1\nuntil = \"20 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\n\
                   hosts_per_leaf = 8\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const FLOW: &str = "[[flow]]\nfrom = 0\nto = 9\nsize = \"1 MB\"\n";

fn cast(size: &str, more: &str) -> String {
    format!(
        "[[group]]\nname = \"all\"\nmembers = \"all\"\n{more}[[multicast]]\ngroup = \"all\"\nfrom = 1\nsize = \
            \"{size}\"\n"
    )
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no whole number"))
}

/// Bytes and time of a part, and that its rate is theirs.
fn moved(part: &Value) -> (u64, u64) {
    let (bytes, time) = (number(&part["bytes"]), number(&part["time_ps"]));
    let said = part["goodput_bps"].as_f64().expect("what moved has a rate");
    let rate = bytes as f64 * 8e12 / time as f64;
    assert!((said - rate).abs() <= rate * 1e-12, "{part}");
    (bytes, time)
}

#[test]
fn flows_groups_and_both_have_bytes_time_and_rate_of_their_own() {
    let bench = bench_with(&format!("{TWO}{FLOW}{}", cast("50 MB", "")));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let column = |file: &str, name: &str| -> Vec<u64> {
        bench.column(file, name).iter().map(|cell| cell.parse().unwrap()).collect()
    };
    let flows_end = column("out/flows.csv", "received_ps").into_iter().max().unwrap();
    let groups_end = column("out/receivers.csv", "received_ps").into_iter().max().unwrap();
    let goodput = &answer["goodput"];
    assert_eq!(moved(&goodput["flows"]), (1_000_000, flows_end));
    // 15 receivers have 50 MB each.
    assert_eq!(moved(&goodput["groups"]), (750_000_000, groups_end));
    assert_eq!(moved(&goodput["all"]), (751_000_000, flows_end.max(groups_end)));
    // No host receives more than its port carries.
    assert!(goodput["flows"]["goodput_bps"].as_f64().unwrap() < 1e11);
    assert!(goodput["groups"]["goodput_bps"].as_f64().unwrap() < 15e11);
    let text = bench.run(&["simulate", "s.toml"]).said();
    for part in ["goodput of flows", "goodput of groups", "goodput of both", "1 of 1", "15 of 15"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Over seeds each has a mean of its own.
    let runs = bench.ask(&["simulate", "s.toml", "--seeds", "2", "--out", "runs"]);
    for part in ["flows", "groups", "all"] {
        let rates = runs["replicas"].as_array().unwrap().iter();
        let rates: Vec<f64> =
            rates.map(|run| run["goodput"][part]["goodput_bps"].as_f64().unwrap()).collect();
        let mean = runs["goodput"][part]["mean"].as_f64().unwrap();
        assert!((mean - (rates[0] + rates[1]) / 2.0).abs() < 1.0, "{part}");
    }
    assert_eq!(bench.column("runs/replicas.csv", "messages_completed"), ["1", "1"]);
}

#[test]
fn a_run_of_groups_alone_tells_their_completion_and_no_flows() {
    let bench = bench_with(&format!("{TWO}{}", cast("1 MB", "")));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["goodput"]["flows"], Value::Null);
    assert_eq!(answer["goodput"]["groups"], answer["goodput"]["all"]);
    assert_eq!(number(&answer["goodput"]["all"]["bytes"]), 15_000_000);
    let all = &answer["to_groups"];
    assert_eq!((number(&all["completed"]), number(&all["unfinished"])), (1, 0));
    assert_eq!(all["completion"]["max_ps"], answer["multicasts"][0]["last_ps"]);
    let text = bench.run(&["simulate", "s.toml"]).said();
    for part in ["messages to groups completed", "last receiver, mean", "15 of 15"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for part in ["of 0", "0.000", "flows", "slowdown"] {
        assert!(!text.contains(part), "{part}: {text}");
    }
    let runs = bench.run(&["simulate", "s.toml", "--seeds", "2"]).said();
    assert!(!runs.contains("of 0"), "{runs}");
    // A run that moves nothing has no rate.
    let bench = bench_with(
        &format!("{TWO}{}start = \"1 ms\"\n", cast("1 MB", "")).replace("20 ms", "1001 us"),
    );
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["goodput"], json!({ "flows": null, "groups": null, "all": null }));
}

/// A group that loses packets: its repetitions stand in the text, and the rows of the text balance.
#[test]
fn repetitions_of_groups_and_absorbed_copies_stand_in_the_text() {
    let loss = "[[loss]]\nlayer = 1\nrate = 0.01\n";
    let bench = bench_with(&format!("{TWO}{}{loss}", cast("1 MB", "")));
    let answer = bench.ask(&["simulate", "s.toml"]);
    let (all, message) = (&answer["to_groups"], &answer["multicasts"][0]);
    assert!(number(&all["repeated"]) > 0 && all["repeated"] == message["repeated"], "{all}");
    let text = bench.run(&["simulate", "s.toml"]).stdout;
    let row = |start: &str, after: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.contains(after));
        let line = lines.clone().find(|line| line.starts_with(start)).expect("the row").to_owned();
        line.split(['│', '┆'])
            .map(|cell| cell.trim().to_owned())
            .filter(|cell| !cell.is_empty())
            .collect()
    };
    let repeated = row("│ packets to groups repeated", "value");
    assert_eq!(repeated[1], format!("{} / {}", all["repeated"], all["timeouts"]));
    let ledger = row("│ all", "absorbed");
    let cells: Vec<u64> = ledger[1..].iter().map(|cell| cell.parse().unwrap()).collect();
    let [sent, copied, delivered, absorbed, dropped, under_way] = cells[..] else {
        panic!("{ledger:?}")
    };
    assert_eq!(sent + copied, delivered + absorbed + dropped + under_way);
    assert!(dropped > 0);
}

/// Datagrams of which some are lost end with the last that arrives, and not with the run, which a flow prolongs.
#[test]
fn lost_datagrams_do_not_last_to_the_end_of_the_run() {
    let loss = "[[loss]]\nlink = [\"host 2\", \"leaf 0\"]\nrate = 0.5\n";
    let long = FLOW.replace("1 MB", "50 MB");
    let group = cast("1 MB", "transport = \"datagram\"\n");
    let bench = bench_with(&format!("{TWO}{long}{group}{loss}"));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(number(&answer["to_groups"]["unfinished"]), 1);
    let (bytes, time) = moved(&answer["goodput"]["groups"]);
    assert!((14_000_000..15_000_000).contains(&bytes), "{bytes}");
    assert!(time < 300_000_000 && number(&answer["end"]["reached_ps"]) > 4_000_000_000, "{time}");
}

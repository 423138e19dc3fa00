//! Timelines of runs, read back.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const SCENARIO: &str = "version = 1\nuntil = \"5 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\n\
                        hosts_per_leaf = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n\
                        [[flow]]\nfrom = 0\nto = 5\nsize = \"10 kB\"\n\
                        [[group]]\nname = \"<all> & \\\"more\\\"\"\nmembers = [0, 3, 6]\n\
                        [[multicast]]\ngroup = \"<all> & \\\"more\\\"\"\nsize = \"20 kB\"\n\
                        [[collective]]\noperation = \"broadcast\"\nschedule = \"binomial\"\nsize = \"100 kB\"\n\
                        name = \"a <b>\"\nstart = \"100 us\"\nrepeat = 2\n";

/// The text of a file that a run wrote.
fn written(bench: &Bench, name: &str, more: &[&str]) -> String {
    let ran = bench.run(&[&["simulate", "s.toml", "--timeline", name], more].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    std::fs::read_to_string(bench.path(name)).expect("the timeline")
}

/// Microseconds as picoseconds.
fn ps(event: &Value) -> u64 {
    let ps = event["ts"].as_f64().expect("a time") * 1e6;
    format!("{ps:.0}").parse().expect("a whole number")
}

#[test]
fn events_are_the_times_of_the_messages() {
    let bench = bench_with(SCENARIO);
    let text = written(&bench, "t.json", &["--out", "out"]);
    let events: Value = serde_json::from_str(&text).expect("JSON");
    let events = events["traceEvents"].as_array().expect("a list");
    let of = |phase: &str, kind: &str| {
        let is_of = |event: &&Value| event["ph"] == phase && event["cat"] == kind;
        events.iter().filter(is_of).collect::<Vec<_>>()
    };
    let names: Vec<_> = events.iter().filter(|event| event["ph"] == "M").collect();
    assert_eq!(names.len(), 9, "eight hosts, and the operations");
    let [begins, ends, arrivals] = [of("b", "message"), of("e", "message"), of("i", "arrival")];
    // One flow, twice seven of the broadcast, and a message to a group with two receivers.
    assert_eq!((begins.len(), ends.len(), arrivals.len()), (16, 16, 17));
    let by_id = |events: &[&Value]| -> BTreeMap<u64, u64> {
        events.iter().map(|event| (event["id"].as_u64().expect("a number"), ps(event))).collect()
    };
    let arrived: BTreeMap<u64, u64> = arrivals
        .iter()
        .map(|event| (event["args"]["message"].as_u64().expect("a number"), ps(event)))
        .collect();
    let (begins, ends) = (by_id(&begins), by_id(&ends));
    let column = |name: &str| -> Vec<u64> {
        let cells = bench.column("out/flows.csv", name).into_iter();
        cells.map(|cell| cell.parse().expect("a number")).collect()
    };
    for (number, &start) in column("start_ps").iter().enumerate() {
        assert_eq!(begins[&(number as u64)], start);
        assert_eq!(ends[&(number as u64)], column("acknowledged_ps")[number]);
        assert_eq!(arrived[&(number as u64)], column("received_ps")[number]);
    }
    let operations = of("b", "collective");
    assert_eq!(operations.len(), 2);
    assert!(operations.iter().all(|event| event["name"] == "a <b>" && event["pid"] == 8));
    let last = column("received_ps").into_iter().max();
    assert_eq!(of("e", "collective").last().map(|event| ps(event)), last);
}

#[test]
fn diagrams_have_a_line_for_each_message() {
    let bench = bench_with(SCENARIO);
    let text = written(&bench, "t.svg", &[]);
    let lines = |stroke: &str| text.matches(&format!("stroke=\"{stroke}\"></line>")).count();
    assert_eq!(lines("#777777"), 1 + 2, "the flow, and two receivers of the group");
    assert_eq!(lines("#0072b2"), 2 * 7, "those of the broadcast");
    assert!(text.contains("a &lt;b&gt;") && !text.contains("<b>"), "names are texts");
    assert!(!text.contains("dasharray") && !text.contains("left out"));
    // What is cut off hangs.
    let cut = format!("{SCENARIO}[[failure]]\nlink = [\"host 5\", \"leaf 1\"]\nat = \"1 us\"\n");
    let text = written(&bench_with(&cut), "t.svg", &[]);
    assert!(text.contains("stroke-dasharray=\"3 3\""));
}

#[test]
fn timelines_that_cannot_be_are_refused() {
    let bench = bench_with(SCENARIO);
    for (args, parts) in [
        (&["--timeline", "t.txt"][..], ["--timeline", "end it in .json"]),
        (&["--timeline", "t"], ["--timeline", "or in .svg"]),
        (&["--timeline", "t.svg", "--seeds", "2"], ["--timeline", "--seed"]),
        (&["--timeline", "t.json", "--trace", "t.json"], ["t.json", "another --trace"]),
        (
            &["--timeline", "t.json", "--pcap", "t.json:host 0>leaf 0"],
            ["t.json", "another --timeline"],
        ),
        (&["--timeline", "none/t.json"], ["none/t.json", "--timeline"]),
    ] {
        bench.refuses(&[&["simulate", "s.toml"], args].concat(), &parts);
    }
}

/// Computations are complete events of their hosts, and boxes in the diagram.
#[test]
fn computations_are_boxes() {
    let more = "[[collective]]\noperation = \"allreduce\"\nschedule = \"ring\"\nmembers = [0, 1, 2]\n\
                size = \"30 kB\"\ncompute = \"30 us\"\nbuckets = 3\nname = \"step\"\n\
                [[trace]]\nfile = \"t.goal\"\nhosts = [5]\n";
    let (network, _) = SCENARIO.split_once("[[flow]]").expect("flows");
    let bench = bench_with(&format!("{network}{more}"));
    let goal = "num_ranks 1\nrank 0 {\ncalc 7000 cpu 1\ncalc 9000 cpu 2\ncalc 0\n}\n";
    std::fs::write(bench.path("t.goal"), goal).expect("a file");
    let events: Value = serde_json::from_str(&written(&bench, "t.json", &[])).expect("JSON");
    let boxes: Vec<&Value> = events["traceEvents"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|event| event["ph"] == "X")
        .collect();
    assert_eq!(boxes.len(), 3 * 3 + 2, "what takes no time has no box");
    let of = |name: &str, host: u64| {
        let of = |event: &&&Value| event["name"] == name && event["pid"] == host;
        boxes.iter().filter(of).map(|event| (ps(event), event["dur"].clone())).collect::<Vec<_>>()
    };
    let tens = [0, 10_000_000, 20_000_000].map(|at| (at, Value::from(10.0)));
    assert_eq!(of("step", 1), tens);
    assert_eq!(of("t.goal", 5), [(0, Value::from(7.0)), (0, Value::from(9.0))]);
    let svg = written(&bench, "t.svg", &[]);
    // The background is one too.
    assert_eq!(svg.matches("<rect ").count(), 1 + boxes.len());
}

/// Operations of a job compute in turns: each computation has the name of its own.
#[test]
fn computations_of_jobs_have_their_names() {
    let one = |name: &str, more: &str| {
        format!(
            "[[collective]]\njob = \"j\"\nname = \"{name}\"\nrepeat = 3\nmembers = [0, 1]\n{more}"
        )
    };
    let bench = bench_with(&format!(
        "version = 1\nuntil = \"10 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 1\nhosts_per_leaf = 2\n\
         rate = \"100 Gb/s\"\ndelay = \"1 us\"\n{}{}{}",
        one("first", "operation = \"barrier\"\nschedule = \"dissemination\"\ncompute = \"3 us\"\n"),
        one("silent", "operation = \"broadcast\"\nschedule = \"binomial\"\nsize = \"1 kB\"\n"),
        one(
            "second",
            "operation = \"barrier\"\nschedule = \"dissemination\"\ncompute = \"5 us\"\n"
        ),
    ));
    let ran = bench.run(&["simulate", "s.toml", "--timeline", "t.json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = std::fs::read_to_string(bench.path("t.json")).expect("it is written");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    let events = told["traceEvents"].as_array().expect("a list").iter();
    let mut found: Vec<(String, f64)> = events
        .filter(|event| event["cat"] == "computation")
        .map(|event| {
            let name = event["name"].as_str().expect("a name").to_owned();
            (name, event["dur"].as_f64().expect("a time"))
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let expected =
        [("first", 3.0), ("second", 5.0)].map(|(name, dur)| vec![(name.to_owned(), dur); 6]);
    assert_eq!(found, expected.concat());
}

//! What receivers lack of messages to groups, and why, without `[recovery]`: counts that add up.

use serde_json::{Value, json};

use crate::simulate_groups::{HEAD, NETWORK, over_design};

const ALL: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n\
                   [[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"1 MB\"\n";
const PACKETS: u64 = 245;

/// What each receiver lacks, and by which causes.
fn lacks(until: &str, more: &str) -> Vec<Value> {
    let head = HEAD.replace("5 ms", until);
    let bench = over_design(&format!("{head}{NETWORK}light = \"off\"\n{ALL}{more}"));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let each = answer["multicasts"][0]["each"].as_array().expect("each receiver has a line");
    let delivered = bench.column("out/receivers.csv", "delivered");
    let twice = bench.column("out/receivers.csv", "twice");
    let number = |text: &str| text.parse::<u64>().expect("a column of counts");
    for (each, (delivered, twice)) in each.iter().zip(delivered.iter().zip(&twice)) {
        let has = number(delivered) - number(twice);
        let lacks = each["lacks"]["packets"].as_u64().unwrap_or(0);
        assert_eq!(lacks + has, PACKETS, "{each}");
        let causes = each["lacks"]["causes"].as_object();
        let sum = causes.map_or(0, |causes| causes.values().filter_map(Value::as_u64).sum());
        assert_eq!(sum, lacks, "{each}");
    }
    let text = bench.run(&["simulate", "s.toml"]).said();
    let lacking = each.iter().any(|each| !each["lacks"].is_null());
    assert_eq!(text.contains("lacks packets"), lacking, "{text}");
    each.iter().map(|each| each["lacks"].clone()).collect()
}

fn sum(lacks: &[Value], cause: &str) -> u64 {
    lacks.iter().map(|lacks| lacks["causes"][cause].as_u64().unwrap_or(0)).sum()
}

#[test]
fn each_cause_is_told_where_it_is_one() {
    assert!(lacks("5 ms", "").iter().all(Value::is_null));
    // The splitter of the sender's ToR dies: all but the host beside it lack the rest.
    let dead = lacks("5 ms", "[[failure]]\nsplitter = \"tor:1\"\nat = \"30 us\"\n");
    let lacking: Vec<&Value> = dead.iter().filter(|lacks| !lacks.is_null()).collect();
    assert_eq!(lacking.len(), 14);
    assert!(lacking.iter().all(|lacks| lacks["causes"]["dead"] == lacks["packets"]), "{lacking:?}");
    let lost = lacks("5 ms", "[[loss]]\nsplitter = \"tor:1\"\nrate = 0.1\n");
    assert!(sum(&lost, "lost") > 0 && sum(&lost, "dead") == 0, "{lost:?}");
    // A loss above and a death below: the first on the way decides, so both counts are there.
    let both = lacks(
        "5 ms",
        "[[loss]]\nsplitter = \"tor:1\"\nrate = 0.1\n[[failure]]\nnode = 2\nat = \"40 us\"\n",
    );
    assert_eq!(both[2]["causes"]["lost"], 0, "host 2 is beside the sender: {both:?}");
    assert!(both[2]["causes"]["dead"].as_u64().unwrap() > 0);
    let end = lacks("40 us", "");
    assert_eq!(end.iter().filter(|lacks| lacks["causes"]["end"] == lacks["packets"]).count(), 15);
    // Two senders share relays whose buffers hold little more than a frame.
    let overflow = lacks(
        "5 ms",
        "[[multicast]]\ngroup = \"all\"\nfrom = 9\nsize = \"1 MB\"\n[parameters.switch]\nbuffer_per_port = \"2 kB\"\n",
    );
    assert!(sum(&overflow, "overflow") > 0, "{overflow:?}");
}

/// The failures of a plan cut receivers off: no rule leads there.
#[test]
fn receivers_without_rules_are_told() {
    let bench = over_design("");
    let failed = "splitter:0,splitter:1,splitter:2,splitter:3";
    bench.run(&["recover", "hall.toml", "--failed", failed, "--apply", "plan"]);
    let network = NETWORK.replace("hall.toml", "plan");
    bench.write(
        "s.toml",
        format!("{HEAD}{network}light = \"off\"\n{ALL}").replace("from = 3", "from = 9"),
    );
    let answer = bench.ask(&["simulate", "s.toml"]);
    let each = answer["multicasts"][0]["each"].as_array().unwrap();
    let cut: Vec<&Value> = each.iter().filter(|each| each["completion_ps"].is_null()).collect();
    assert!(!cut.is_empty());
    for each in cut {
        let causes = json!({ "rules": PACKETS, "dead": 0, "lost": 0, "overflow": 0, "end": 0 });
        assert_eq!(each["lacks"]["causes"], causes, "{each}");
    }
}

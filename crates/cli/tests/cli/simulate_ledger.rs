//! The ledger of a run against the trace of its packets, which knows nothing of it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::Bench;
use crate::chakra_files::{Node, file};
use crate::simulate::bench_with;

/// Flows, a reliable group, a collective operation and a trace, over links with losses.
const SCENARIO: &str = r#"
version = 1
seed = 3
until = "400 us"
[network]
kind = "leaf-spine"
leaves = 3
spines = 1
hosts_per_leaf = 3
rate = "100 Gb/s"
delay = "500 ns"
[[flow]]
from = 0
to = 8
size = "100 kB"
[[traffic]]
pattern = "incast"
senders = 4
to = 1
size = "30001 B"
verb = "send"
[[group]]
name = "all"
members = [0, 3, 6]
[[multicast]]
group = "all"
from = 3
size = "50 kB"
[[multicast]]
group = "all"
from = 0
size = "7 B"
start = "50 us"
[[collective]]
operation = "allreduce"
schedule = "ring-multicast"
group = "all"
size = "40 kB"
start = "90 us"
[[trace]]
file = "t.0.et"
allreduce = "ring"
hosts = [2, 5, 7]
[probes]
copies = true
"#;

fn bench(more: &str) -> Bench {
    let bench = bench_with(&format!("{SCENARIO}{more}"));
    for rank in 0..3 {
        let nodes = [
            Node::compute(0, 5 + rank, &[]),
            Node::collective(1, 0, 20_000, &[0]),
            Node::send(2, (rank + 1) % 3, 9_000, &[1]),
            Node::receive(3, (rank + 2) % 3, 9_000, &[]),
        ];
        bench.write(&format!("t.{rank}.et"), file(&nodes));
    }
    bench
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

/// The rows of the ledger by their origins.
fn ledger(report: &Value) -> BTreeMap<String, BTreeMap<String, u64>> {
    let rows = report["ledger"].as_array().expect("a list");
    let row = |row: &Value| {
        let fields = row.as_object().expect("fields").iter();
        let numbers = fields.filter_map(|(name, value)| Some((name.clone(), value.as_u64()?)));
        (row["origin"].as_str().expect("a text").to_owned(), numbers.collect())
    };
    rows.iter().map(row).collect()
}

fn is_even(row: &BTreeMap<String, u64>) -> bool {
    let of = |names: &[&str]| names.iter().map(|name| row[&format!("{name}_bytes")]).sum::<u64>();
    of(&["asked", "repeated", "copied"])
        == of(&["unsent", "delivered", "filtered", "lost", "in_flight"])
}

/// The sums of some columns of a table.
fn sum(bench: &Bench, table: &str, column: &str) -> u64 {
    let cells = bench.column(table, column);
    cells.iter().map(|cell| cell.parse::<u64>().expect("a number")).sum()
}

/// What is asked for is payload and headers; what was delivered and repeated is what the trace of the packets has.
#[test]
fn the_ledger_is_what_the_trace_of_the_packets_has() {
    let losses = "[[loss]]\nlayer = 2\nrate = 0.02\n";
    let dies = "[[failure]]\nlink = [8, \"leaf 2\"]\nat = \"5 us\"\n";
    let cut = SCENARIO.replace("400 us", "95 us");
    for (name, more) in [("whole", ""), ("losses", losses), ("dead", dies), ("cut", "")] {
        let bench = bench(more);
        if name == "cut" {
            bench.write("s.toml", &cut);
        }
        let ran = bench.run(&["simulate", "s.toml", "--out", "out", "--trace", "t.csv", "--json"]);
        let report = ran.document();
        let ledger = ledger(&report);
        let names: Vec<&str> = ledger.keys().map(String::as_str).collect();
        assert_eq!(names, ["collective", "multicast", "trace", "traffic"]);
        assert!(ledger.values().all(is_even), "{name}: {ledger:?}");
        let all = |field: &str| ledger.values().map(|row| row[field]).sum::<u64>();
        // Payload and messages.
        let flows = sum(&bench, "out/flows.csv", "size_bytes");
        let casts = sum(&bench, "out/receivers.csv", "size_bytes");
        assert_eq!(all("payload_bytes"), flows + casts, "{name}");
        let had = sum(&bench, "out/flows.csv", "in_order_bytes");
        let had = had + sum(&bench, "out/receivers.csv", "in_order_bytes");
        assert_eq!(all("had_bytes"), had, "{name}");
        // A header of 62 bytes for each packet of 4,096, and a RETH of 16 for each WRITE.
        let own = &ledger["traffic"];
        let asked = 100_000 + 25 * 62 + 16 + 4 * (30_001 + 8 * 62);
        assert_eq!((own["messages"], own["asked_bytes"]), (5, asked), "{name}");
        let own = &ledger["multicast"];
        assert_eq!(own["asked_bytes"], 50_000 + 13 * 62 + 16 + 7 + 62 + 16, "{name}");
        assert_eq!(own["payload_bytes"], 2 * (50_000 + 7));
        // Packets that reached a host, from the trace.
        let columns = ["node", "kind", "bytes", "fate"].map(|column| bench.column("t.csv", column));
        let mut arrived = 0;
        for (((node, kind), bytes), fate) in
            columns[0].iter().zip(&columns[1]).zip(&columns[2]).zip(&columns[3])
        {
            let node: u64 = node.parse().expect("a number");
            if node < 9 && kind == "data" && fate.is_empty() {
                arrived += bytes.parse::<u64>().expect("a number");
            }
        }
        assert_eq!(all("delivered_bytes"), arrived, "{name}");
        let lost = all("lost_bytes");
        assert_eq!(lost > 0, name == "losses" || name == "dead", "{name}: {lost}");
        assert_eq!(all("in_flight_bytes") > 0, name == "cut", "{name}");
        assert_eq!(all("unsent_bytes") > 0, name == "cut", "{name}: {ledger:?}");
        if name == "whole" {
            assert_eq!(all("repeated_bytes"), 0);
            let received = ledger["multicast"]["delivered_bytes"];
            assert_eq!(received, 2 * ledger["multicast"]["asked_bytes"]);
            assert_eq!(ledger["multicast"]["copied_bytes"], ledger["multicast"]["asked_bytes"]);
        }
    }
}

/// The text has the same rows.
#[test]
fn the_text_has_the_ledger() {
    let told = bench("").run(&["simulate", "s.toml"]);
    for part in ["frames of", "traffic", "multicast", "collective", "trace"] {
        assert!(told.stdout.contains(part), "{}", told.stdout);
    }
    let report = bench("").ask(&["simulate", "s.toml"]);
    assert!(number(&report["ledger"][0]["asked_bytes"]) > 0);
}

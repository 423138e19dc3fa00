//! Messages to groups whose list is not in the order of their starts, series that add up, and refusals of the whole.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"20 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\n\
                    hosts_per_leaf = 3\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";

fn group(transport: &str) -> String {
    format!("[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"{transport}\"\n")
}

fn cast(from: usize, start: &str, size: &str) -> String {
    format!(
        "[[multicast]]\ngroup = \"all\"\nfrom = {from}\nstart = \"{start}\"\nsize = \"{size}\"\n"
    )
}

/// What is said of each message but its number.
fn told(answer: &Value, numbers: &[usize]) -> Vec<Value> {
    numbers.iter().map(|&number| answer["multicasts"][number].clone()).collect()
}

#[test]
fn a_list_out_of_order_is_sorted_and_keeps_its_numbers() {
    let casts = [
        cast(1, "900 us", "100 kB"),
        cast(1, "0 s", "200 kB"),
        cast(2, "300 us", "300 kB"),
        cast(2, "0 s", "50 kB"),
    ];
    // By starts, and of equal ones as they are listed.
    let sorted = [1, 3, 2, 0];
    for transport in ["rc", "datagram"] {
        let listed = bench_with(&format!("{HEAD}{}{}", group(transport), casts.concat()));
        let in_order: String = sorted.iter().map(|&number| casts[number].as_str()).collect();
        let other = bench_with(&format!("{HEAD}{}{in_order}", group(transport)));
        let ask = |bench: &Bench| {
            let args = [
                "simulate",
                "s.toml",
                "--check",
                "--out",
                "out",
                "--pcap",
                "0.pcapng:leaf 0>host 0",
            ];
            bench.ask(&args)
        };
        let (answer, expected) = (ask(&listed), ask(&other));
        assert_eq!(told(&answer, &sorted), told(&expected, &[0, 1, 2, 3]), "{transport}");
        assert_eq!(answer["multicasts"][0]["completed"], 5, "{transport}");
        assert_eq!(answer["multicasts"][0]["start_ps"], 900_000_000, "{transport}");
        let sizes = listed.column("out/receivers.csv", "size_bytes");
        assert_eq!((&*sizes[0], &*sizes[5]), ("100000", "200000"), "{transport}");
        assert_eq!(answer["work"], expected["work"], "{transport}");
    }
}

#[test]
fn what_only_the_whole_shows_is_refused_at_its_line() {
    let change = |what: &str| format!("[[change]]\ngroup = \"all\"\nat = \"1 us\"\n{what}\n");
    let two = format!("{}{}", cast(0, "0 s", "1 kB"), cast(1, "2 us", "1 kB"));
    let cases: [(String, &str); 3] = [
        (format!("{two}{}", change("leaves = [0]")), "s.toml:25: change.group: "),
        (format!("{two}{}", change("leaves = [1]")), "s.toml:21: multicast.from: "),
        (format!("{two}{}", change("joins = [2]")), "s.toml:25: change.group: "),
    ];
    for (rows, place) in cases {
        let bench = bench_with(&format!("{HEAD}{}{rows}", group("rc")));
        bench.refuses(&["simulate", "s.toml"], &[place]);
        bench.refuses(&["simulate", "s.toml", "--seeds", "2"], &[place]);
    }
}

/// The series of flows and groups add up to the total, and those of receivers to their groups.
#[test]
fn series_of_flows_groups_and_receivers_add_up() {
    let probes = "[probes]\ninterval = \"20 us\"\nflows = true\ngroups = true\nreceivers = true\n";
    let flow = "[[flow]]\nfrom = 0\nto = 4\nsize = \"2 MB\"\n";
    let casts = format!("{}{}", cast(1, "10 us", "1 MB"), cast(2, "50 us", "500 kB"));
    let loss = "[[loss]]\nlayer = 1\nrate = 1e-3\n";
    for transport in ["rc", "datagram"] {
        let bench = bench_with(&format!("{HEAD}{flow}{}{casts}{loss}{probes}", group(transport)));
        let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
        let sums = |file: &str, key: &[&str]| {
            let mut sums = std::collections::BTreeMap::<Vec<u64>, u64>::new();
            let column = |name: &str| -> Vec<u64> {
                bench.column(file, name).iter().map(|cell| cell.parse().unwrap()).collect()
            };
            let keys: Vec<Vec<u64>> = key.iter().map(|name| column(name)).collect();
            for (row, bytes) in column("bytes").into_iter().enumerate() {
                let key = keys.iter().map(|column| column[row]).collect();
                *sums.entry(key).or_default() += bytes;
            }
            sums.retain(|_, bytes| *bytes > 0);
            sums
        };
        let total = sums("out/throughput.csv", &["start_ps"]);
        let mut parts = sums("out/flow-throughput.csv", &["start_ps"]);
        for (at, bytes) in sums("out/group-throughput.csv", &["start_ps"]) {
            *parts.entry(at).or_default() += bytes;
        }
        assert_eq!(parts, total, "{transport}");
        assert_eq!(
            sums("out/receiver-throughput.csv", &["message", "start_ps"]),
            sums("out/group-throughput.csv", &["message", "start_ps"]),
            "{transport}"
        );
        // And each receiver has what its series says, with its completion beside it.
        for (number, message) in answer["multicasts"].as_array().unwrap().iter().enumerate() {
            let of = sums("out/receiver-throughput.csv", &["message", "to"]);
            for each in message["each"].as_array().unwrap() {
                let host: u64 = each["host"].as_str().unwrap()[5..].parse().unwrap();
                assert_eq!(each["in_order_bytes"], of[&vec![number as u64, host]], "{transport}");
                let has_all = each["in_order_bytes"] == message["bytes"];
                assert_eq!(each["completion_ps"].is_u64(), has_all, "{transport} {each}");
            }
        }
        assert!(bench.snapshot().contains_key(&bench.path("out/receiver-throughput.arrow")));
    }
}

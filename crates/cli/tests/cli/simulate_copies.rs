//! What groups cost: copies by link and branch against unicasts, and messages over several seeds.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;
use crate::simulate_groups::{HEAD, NETWORK, TREE, over_design};

const COUNTED: &str = "[probes]\ncopies = true\n";
const RELIABLE: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\n";

fn sent(from: usize, size: &str) -> String {
    format!("[[multicast]]\ngroup = \"all\"\nfrom = {from}\nsize = \"{size}\"\n")
}

/// The rows of a CSV file of results: pairs of title and cell.
fn rows(bench: &Bench, file: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let files = bench.snapshot();
    let mut reader = csv::Reader::from_reader(files[&bench.path(file)].as_slice());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn number(row: &std::collections::BTreeMap<String, String>, column: &str) -> u64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

/// Over light: one packet crosses 16 links of hosts and the branches of four splitters of two; unicasts cross two links
/// to the neighbour and four to each of 14 others.
#[test]
fn copies_over_light_are_what_the_tree_says() {
    let datagrams = "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n";
    let bench = over_design(&format!("{HEAD}{NETWORK}{COUNTED}{datagrams}{}", sent(3, "100 kB")));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let copies = &answer["multicasts"][0]["copies"];
    assert_eq!(copies["links"], 25 * 16);
    assert_eq!(copies["branches"], 25 * 8);
    assert_eq!(copies["unicasts"], 25 * (2 + 14 * 4));
    let saved = copies["saved"].as_f64().unwrap();
    assert!((saved - (1.0 - 24.0 / 58.0)).abs() < 1e-12, "{saved}");
    let table = rows(&bench, "out/copies.csv");
    assert_eq!(table.len(), 16 + 8);
    assert!(table.iter().all(|row| number(row, "copies") == 25 && row["group_name"] == "all"));
    let lit = table.iter().filter(|row| !row["splitter"].is_empty()).count();
    assert_eq!(lit, 8);
    assert!(bench.snapshot().contains_key(&bench.path("out/copies.arrow")));
    let shown = bench.run(&["simulate", "s.toml"]).stdout;
    assert!(shown.contains("1450") && shown.contains("58.6 %"), "{shown}");
    // Nothing of it where it is not asked for.
    bench.write("s.toml", format!("{HEAD}{NETWORK}{datagrams}{}", sent(3, "100 kB")));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(answer["multicasts"][0]["copies"], Value::Null);
    assert!(!bench.snapshot().contains_key(&bench.path("out/copies.csv")));
}

/// Members that left are no receivers, and members that joined are.
#[test]
fn receivers_are_the_members_of_that_time() {
    let group = RELIABLE.replace("\"all\"\n", "[0, 1, 4]\n").replacen("[0, 1, 4]", "\"all\"", 1);
    let change = "[[change]]\ngroup = \"all\"\nat = \"100 us\"\njoins = [8, 12]\nleaves = [1]\n";
    let later = format!("{}start = \"200 us\"\n", sent(0, "40 kB"));
    let bench =
        bench_with(&format!("{HEAD}{TREE}{COUNTED}{group}{change}{}{later}", sent(0, "40 kB")));
    let answer = bench.ask(&["simulate", "s.toml"]);
    let of = |message: usize, key: &str| answer["multicasts"][message][key].as_u64().unwrap();
    // Two links to the neighbour, six to another pod.
    assert_eq!((of(0, "receivers"), of(0, "completed"), of(0, "unicast_links")), (2, 2, 2 + 6));
    assert_eq!((of(1, "receivers"), of(1, "completed"), of(1, "unicast_links")), (3, 3, 3 * 6));
    let copies = &answer["multicasts"][1]["copies"];
    assert_eq!((&copies["branches"], &copies["unicasts"]), (&0.into(), &(10 * 18).into()));
    // A shared way to the core at most: three links up, and three down to each.
    assert!((10 * 10..=10 * 12).contains(&copies["links"].as_u64().unwrap()), "{copies}");
}

/// Means and intervals of messages are computed here from the files of the runs.
#[test]
fn messages_over_several_seeds_have_intervals() {
    let loss = "[[loss]]\nlayer = 1\nrate = 0.01\n";
    let small = sent(5, "1 MB");
    let scenario = |until: &str| {
        let large = sent(0, "2 MB");
        format!("version = 1\nuntil = \"{until}\"\nseed = 3\n{TREE}{RELIABLE}{large}{small}{loss}")
    };
    let bench = bench_with(&scenario("1 s"));
    let answer =
        bench.ask(&["simulate", "s.toml", "--seeds", "3", "--threads", "2", "--out", "out"]);
    assert_eq!(
        bench.names("out"),
        ["messages.arrow", "messages.csv", "replicas.csv", "report.json"]
    );
    let table = rows(&bench, "out/messages.csv");
    assert_eq!(table.len(), 3 * 2);
    for message in 0..2 {
        let told = &answer["multicasts"][message];
        assert_eq!((&told["group"], &told["receivers"]), (&"all".into(), &15.into()));
        assert_eq!(told["completed"], 3);
        let of = |row: &&std::collections::BTreeMap<String, String>| {
            number(row, "message") == message as u64
        };
        let runs: Vec<_> = table.iter().filter(of).collect();
        assert_eq!(runs.len(), 3);
        for (column, key) in [("last_ps", "last_ps"), ("repeated", "repeated")] {
            let values: Vec<f64> = runs.iter().map(|row| number(row, column) as f64).collect();
            let mean = values.iter().sum::<f64>() / 3.0;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            // Student's t for two degrees of freedom: 4.3027.
            let half = 4.3027 * (squares / 2.0).sqrt() / 3_f64.sqrt();
            assert!((told[key]["mean"].as_f64().unwrap() / mean - 1.0).abs() < 1e-9);
            assert!((told[key]["half_width_95"].as_f64().unwrap() / half - 1.0).abs() < 1e-3);
        }
        // Of the seeds one alone: its message is that of the runs.
        let alone = bench.ask(&["simulate", "s.toml", "--seed", "4"]);
        let alone = &alone["multicasts"][message];
        let second = &answer["replicas"][1]["multicasts"][message];
        for key in ["completed", "last_ps", "goodput_bps", "repeated", "dropped"] {
            assert_eq!(alone[key], second[key], "{key}");
        }
    }
    let shown = bench.run(&["simulate", "s.toml", "--seeds", "2"]).stdout;
    assert!(shown.contains("2 of 2"), "{shown}");
    // Runs that are too short for a message give no time for it, and say so.
    bench.write("s.toml", scenario("1 us"));
    let answer = bench.ask(&["simulate", "s.toml", "--seeds", "2"]);
    let told = &answer["multicasts"][0];
    assert_eq!((&told["completed"], &told["last_ps"]), (&0.into(), &Value::Null));
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.contains("2 of 2 runs have messages to groups"), "{warning}");
}

//! Packets of a flow over all equal ways.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

fn spraying(more: &str) -> Bench {
    bench_with(&format!(
        "version = 1\nseed = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 4\n\
         hosts_per_leaf = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n[parameters.switch]\nmultipath = \"packet\"\n{more}\
         [[flow]]\nfrom = 0\nto = 4\nsize = \"4 MB\"\n"
    ))
}

const BEARS: &str =
    "[parameters.transport]\nrecovery = \"selective-repeat\"\nwindow = 4096\nreorder = 64\n";

/// With selective repeat that bears with packets that pass each other nothing is repeated, and all ways are used.
#[test]
fn a_sprayed_flow_uses_all_ways() {
    let bench = spraying(BEARS);
    let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let told = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(told["warnings"], Value::Array(Vec::new()));
    assert_eq!(told["flows"]["repeated"], 0, "{}", told["flows"]);
    let packets = |cell: &String| cell.parse::<u64>().expect("a number");
    let from = bench.column("out/links.csv", "from_name");
    let sent = bench.column("out/links.csv", "sent");
    let used = from
        .iter()
        .zip(&sent)
        .filter(|(from, sent)| *from == "leaf 0" && (150..500).contains(&packets(sent)));
    assert_eq!(used.count(), 4, "{from:?} {sent:?}");
}

/// What a transport takes for losses is told.
#[test]
fn transports_that_repeat_what_is_passed_are_told() {
    let warned = |bench: &Bench| {
        let told = bench.ask(&["simulate", "s.toml"]);
        let warnings = told["warnings"].as_array().expect("a list").clone();
        let is_it = |one: &Value| {
            one.as_str()
                .is_some_and(|one| one.starts_with("packets that are sprayed over several ways"))
        };
        (warnings.iter().any(is_it), told)
    };
    let (is_told, told) = warned(&spraying(""));
    assert!(is_told, "{told}");
    let selective = "[parameters.transport]\nrecovery = \"selective-repeat\"\n";
    assert!(warned(&spraying(selective)).0);
    assert!(!warned(&spraying(BEARS)).0);
    let by_flow = spraying("").run(&["simulate", "s.toml"]).said();
    assert!(by_flow.contains("sprayed over several ways"), "{by_flow}");
}

#[test]
fn bad_words_are_refused() {
    let bench = bench_with(
        "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\nhosts_per_leaf = 2\n\
         rate = \"100 Gb/s\"\ndelay = \"1 us\"\n[parameters.switch]\nmultipath = \"spray\"\n[[flow]]\n\
         from = 0\nto = 1\nsize = \"1 kB\"\n",
    );
    bench.refuses(&["simulate", "s.toml"], &["parameters.switch.multipath: found \"spray\""]);
}

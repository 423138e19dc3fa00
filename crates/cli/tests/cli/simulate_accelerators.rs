//! `[[accelerator]]`: what a run says of accelerators, and rows that are refused.
//!
//! cepheus:IV.accelerator

use serde_json::{Value, json};

use crate::simulate::bench_with;

const NETWORK: &str = "version = 1\nuntil = \"20 ms\"\n[network]\nkind = \"fat-tree\"\nports = 4\nrate = \"100 Gb/s\"\n\
                       delay = \"1 us\"\n[[group]]\nname = \"all\"\nmembers = \"all\"\n\
                       [[multicast]]\ngroup = \"all\"\nfrom = 0\nsize = \"1 MB\"\n";
const BOARD: &str = "[[accelerator]]\nports = 4\nport_rate = \"100 Gb/s\"\nlatency = \"1 us\"\n";

fn ask(rows: &str) -> (i32, Value) {
    let bench = bench_with(&format!("{NETWORK}{rows}"));
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    (ran.code, serde_json::from_str(&ran.stdout).expect("JSON"))
}

#[test]
fn a_run_says_what_its_accelerators_did() {
    let (code, alone) = ask("");
    assert_eq!((code, alone.get("accelerators")), (0, None));
    let (code, all) = ask(BOARD);
    assert_eq!(code, 0);
    let told = &all["accelerators"];
    assert_eq!(told["switches"], 20);
    let reached = all["end"]["reached_ps"].as_u64().expect("a time");
    let most = told["most"].as_array().expect("a list");
    assert_eq!(most.len(), 10);
    for one in most {
        assert!(one["sending_ps"].as_u64().expect("a time") <= reached, "{one}");
    }
    // Three copies at an edge switch of 400 Gb/s keep the line rate, and the way is longer by seven passes at most.
    let last =
        |answer: &Value| answer["to_groups"]["completion"]["max_ps"].as_u64().expect("a time");
    assert!(last(&all) > last(&alone) && last(&all) < last(&alone) + 20_000_000, "{all:#}");
    // At 100 Gb/s two of three copies wait.
    let (_, slow) = ask(&format!("{BOARD}rate = \"100 Gb/s\"\n"));
    assert!(last(&slow) > 2 * last(&alone), "{slow:#}");
    assert_eq!(slow["drops"], json!([]));
    // A row of its own for one switch, and no other accelerator.
    let (_, one) = ask(&format!("{BOARD}node = \"core 0\"\n"));
    assert_eq!(one["accelerators"]["switches"], 1);
}

#[test]
fn its_limits_refuse_and_say_whose_they_are() {
    let (code, answer) = ask(&format!("{BOARD}fan_out = 1\n"));
    assert_eq!(code, 1);
    let text = answer["end"].to_string();
    assert!(text.contains("([[accelerator]] fan_out)"), "{text}");
    let (code, answer) = ask(&format!("{BOARD}memory = \"10 B\"\n"));
    assert_eq!(code, 1);
    assert!(answer["end"].to_string().contains("([[accelerator]] memory)"));
    // The largest groups follow from limits that all switches have.
    let (_, answer) = ask(&format!("{BOARD}fan_out = 25\n"));
    assert_eq!(answer["network"]["largest_group"]["hosts"], 4_394);
    let (_, answer) = ask(&format!("{BOARD}node = \"core 0\"\nfan_out = 25\n"));
    assert!(answer["network"].get("largest_group").is_none());
    // The safeguard serves a group that is refused.
    let safeguard = "[parameters.groups]\nsafeguard = \"all\"\n";
    assert_eq!(ask(&format!("{safeguard}{BOARD}fan_out = 1\n")).0, 0);
}

#[test]
fn rows_that_cannot_be_are_refused() {
    let refuses = |rows: &str, parts: &[&str]| {
        let bench = bench_with(&format!("{NETWORK}{rows}"));
        bench.refuses(&["simulate", "s.toml"], &[&["s.toml:", "accelerator"], parts].concat());
    };
    refuses("[[accelerator]]\n", &["ports", "is missing"]);
    refuses(&BOARD.replace("ports = 4\n", ""), &["ports", "is missing", "4"]);
    refuses(&BOARD.replace("latency = \"1 us\"\n", ""), &["latency", "is missing"]);
    refuses(&BOARD.replace("= 4", "= 0"), &["ports", "1 to 64"]);
    refuses(&format!("{BOARD}rate = \"401 Gb/s\"\n"), &["rate", "401 Gbps", "400 Gbps at most"]);
    refuses(&format!("{BOARD}node = \"host 3\"\n"), &["node", "a host; name a switch"]);
    refuses(&format!("{BOARD}node = \"core 9\"\n"), &["node", "core 9"]);
    refuses(&format!("{BOARD}{BOARD}"), &["node", "left out in two rows"]);
    let core = format!("{BOARD}node = \"core 1\"\n");
    refuses(&format!("{core}{core}"), &["node", "has an accelerator already"]);
    refuses(&format!("{BOARD}fan_out = 0\n"), &["fan_out"]);
    refuses(&format!("{BOARD}price = 3\n"), &["price", "unknown"]);
    let cuts = "[parameters.switch]\nforwarding = \"cut-through\"\n";
    refuses(&format!("{cuts}{BOARD}"), &["store-and-forward"]);
}

/// An accelerator so slow that the answers of groups do not come within the patience: the end names the groups'
/// messages, and not flows, of which there are none.
#[test]
fn answers_of_groups_that_do_not_come_are_told_by_their_messages() {
    let slow = "version = 1\nuntil = \"10 s\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\nspines = 2\n\
                hosts_per_leaf = 8\nrate = \"100 Gb/s\"\ndelay = \"500 ns\"\n\
                [[group]]\nname = \"one leaf\"\nmembers = [0, 1, 2, 3, 4]\n\
                [[group]]\nname = \"all leaves\"\nmembers = [5, 8, 16, 24]\n\
                [[multicast]]\ngroup = \"one leaf\"\nfrom = 0\nsize = \"1 MB\"\n\
                [[multicast]]\ngroup = \"all leaves\"\nfrom = 5\nsize = \"1 MB\"\n";
    let bench = bench_with(&format!("{slow}{BOARD}rate = \"20 Mb/s\"\n"));
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(answer["end"]["how"], "unacknowledged");
    let why = answer["end"]["why"].as_str().expect("a sentence");
    assert!(why.contains("of message 1 to group") && !why.contains("flow"), "{why}");
}

//! What goes wrong in a run is told with its cause and its place: rings of pauses beside a region that gets
//! on, headroom that is too small, pauses that are lost, timeouts that are too short.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::simulate::bench_with;

/// Five switches in a ring with two hosts each, every host sending to one two switches on, and a sixth switch
/// beside it with one long flow between its own hosts.
fn ring_and_a_region_beside_it(head: &str) -> Bench {
    let mut links = String::from("a,b,rate,delay\n");
    let mut flows = String::from("[[flow]]\nfrom = \"x0\"\nto = \"x1\"\nsize = \"10 GB\"\n");
    for i in 0..5 {
        for host in ["h", "g"] {
            links += &format!("{host}{i},s{i},100 Gb/s,1 us\n");
            let to = (i + 2) % 5;
            flows +=
                &format!("[[flow]]\nfrom = \"{host}{i}\"\nto = \"{host}{to}\"\nsize = \"4 MB\"\n");
        }
        links += &format!("s{i},s{},100 Gb/s,1 us\n", (i + 1) % 5);
    }
    links += "s5,s0,100 Gb/s,1 us\nx0,s5,100 Gb/s,1 us\nx1,s5,100 Gb/s,1 us\n";
    let bench = bench_with(&format!(
        "version = 1\n{head}\n[network]\nkind = \"edge-list\"\nfile = \"links.csv\"\n\
         [parameters.switch]\nbuffer_per_port = \"20 kB\"\n[parameters.ecn]\nenabled = false\n\
         [parameters.dcqcn]\nenabled = false\n{flows}"
    ));
    bench.write("links.csv", links);
    bench
}

/// The ports of each ring, from the one that is named first.
fn rings(answer: &Value) -> Vec<Vec<(String, String)>> {
    let of = |port: &Value, key: &str| port[key].as_str().expect("a name").to_owned();
    let ports = |ring: &Value| {
        let ports = ring["ports"].as_array().expect("ports").iter();
        ports.map(|port| (of(port, "node"), of(port, "stopped_by"))).collect()
    };
    answer["end"]["rings"].as_array().expect("rings").iter().map(ports).collect()
}

#[test]
fn a_ring_of_pauses_is_told_while_others_get_on() {
    let bench = ring_and_a_region_beside_it("until = \"5 ms\"");
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(answer["end"]["how"], "deadlock");
    assert_eq!(answer["end"]["reached_ps"], 5_000_000_000_u64, "the others ran to the end");
    let why = answer["end"]["why"].as_str().unwrap();
    assert!(why.contains("s0, port 2") && why.contains("for ever"), "{why}");
    let ring: Vec<_> = (0..5).map(|i| (format!("s{i}"), format!("s{}", (i + 1) % 5))).collect();
    assert_eq!(rings(&answer), [ring], "in the order in which they wait");
    let text = bench.run(&["simulate", "s.toml"]);
    assert!(text.code == 1 && text.stdout.starts_with("DEADLOCK at 5 ms"), "{text:?}");
    for ring in ["s0", "s1", "s2", "s3", "s4"] {
        assert!(text.said().contains(&format!("{ring}, port")), "{text:?}");
    }
    let several = bench.run(&["simulate", "s.toml", "--seeds", "2", "--json"]);
    assert_eq!(several.code, 1, "{several:?}");
    assert_eq!(several.document()["replicas"][1]["end"]["how"], "deadlock");
}

/// A flow that starts later keeps a run from being a standstill, and does not hide the ring.
#[test]
fn a_ring_is_told_before_the_last_start_of_a_flow() {
    let bench = ring_and_a_region_beside_it("until = \"5 ms\"\npatience = \"100 us\"");
    let late = "[[flow]]\nfrom = \"x1\"\nto = \"x0\"\nsize = \"1 MB\"\nstart = \"4.9 ms\"\n";
    let scenario = std::fs::read_to_string(bench.path("s.toml")).unwrap();
    bench.write("s.toml", scenario.replace("10 GB", "1 MB") + late);
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(rings(&answer).len(), 1, "{answer}");
    assert!(answer["end"]["reached_ps"].as_u64().unwrap() > 4_900_000_000);
}

/// So many hosts on one switch, all but one of which send to host 0.
fn incast(hosts: u32, switch: &str, more: &str) -> Bench {
    bench_with(&format!(
        "version = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\n\
         hosts_per_leaf = {hosts}\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n[parameters.switch]\n\
         buffer_per_port = \"100 kB\"\n{switch}\n[parameters.ecn]\nenabled = false\n\
         [parameters.dcqcn]\nenabled = false\n[[traffic]]\npattern = \"incast\"\nsenders = {}\n\
         to = 0\nsize = \"1 MB\"\n{more}",
        hosts - 1
    ))
}

/// Two senders, of which one alone may be late: 34 ports lend each other nothing.
#[test]
fn headroom_of_other_ports_does_not_help() {
    let head = "version = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\n\
                hosts_per_leaf = 34\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n[parameters.ecn]\n\
                enabled = false\n[parameters.dcqcn]\nenabled = false\n";
    let flow = |from: u32| format!("[[flow]]\nfrom = {from}\nto = 0\nsize = \"1 MB\"\n");
    let switch = |headroom: &str| {
        format!(
            "[parameters.switch]\nbuffer_per_port = \"10 kB\"\nheadroom_per_port = \"{headroom}\"\n"
        )
    };
    let bench = bench_with(&format!("{head}{}{}{}", switch("2 kB"), flow(7), flow(9)));
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(answer["end"]["how"], "fault");
    let why = answer["end"]["why"].as_str().unwrap();
    for part in ["leaf 0, port ", "from host ", "lossless", "2 kB", "headroom_per_port"] {
        assert!(why.contains(part), "no {part:?} in {why:?}");
    }
    let overflow = &answer["overflows"][0];
    assert!([7, 9].contains(&overflow["port"].as_u64().unwrap()), "{overflow}");
    assert_eq!(overflow["class"], "lossless");
    assert_eq!(overflow["pause_lost_ps"], Value::Null);
    // Before the run it is told which port needs more, and how much.
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.contains("leaf 0, port 0") && warning.contains("37.6"), "{warning}");
    let enough = bench_with(&format!("{head}{}{}{}", switch("40 kB"), flow(7), flow(9)));
    let answer = enough.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["warnings"], json!([]));
    assert_eq!(answer["overflows"], json!([]));
}

const LOST_PAUSES: &str =
    "[[loss]]\nlink = [\"leaf 0\", \"host 3\"]\none_way = true\nrate = 0.999999\n";

#[test]
fn a_lost_pause_is_the_cause_of_an_overflow() {
    let bench = incast(8, "", LOST_PAUSES);
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    let why = answer["end"]["why"].as_str().unwrap();
    assert!(why.contains("leaf 0, port 3") && why.contains("a pause to host 3 was lost"), "{why}");
    assert!(!why.contains("headroom_per_port"), "more headroom does not help: {why}");
    assert_eq!(answer["overflows"][0]["pause_lost_by"], "link");
    assert!(answer["overflows"][0]["pause_lost_ps"].as_u64().unwrap() > 0);
}

#[test]
fn an_overflow_is_a_counted_drop_where_the_scenario_says_so() {
    // Acknowledgements go the same way, so that some must get through.
    let lost_pauses = LOST_PAUSES.replace("0.999999", "0.7");
    let bench = incast(8, "overflow = \"drop\"", &lost_pauses);
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["end"]["how"], "done");
    assert_eq!(answer["flows"]["completed"], 7);
    let drops: Vec<&Value> = answer["drops"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|drop| drop["reason"] == "headroom")
        .collect();
    let [drop] = drops.as_slice() else { panic!("{answer}") };
    assert_eq!((&drop["node"], &drop["port"]), (&json!("leaf 0"), &json!(3)));
    let overflow = &answer["overflows"][0];
    assert_eq!(overflow["packets"], drop["packets"]);
    assert_eq!(overflow["peer"], "host 3");
    let told = answer["warnings"].as_array().unwrap();
    let told = told.iter().any(|warning| warning.as_str().unwrap().contains("a pause to host 3"));
    assert!(told, "{answer}");
    bench_with("version = 1\nuntil = \"1 ms\"\n[parameters.switch]\noverflow = \"no\"\n")
        .refuses(&["simulate", "s.toml"], &["parameters.switch.overflow", "fault, drop"]);
}

/// One flow between two hosts of a switch.
fn pair(head: &str, delay: &str, class: &str, more: &str) -> Bench {
    bench_with(&format!(
        "version = 1\n{head}\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\n\
         hosts_per_leaf = 2\nrate = \"100 Gb/s\"\ndelay = \"{delay}\"\n\
         [[flow]]\nfrom = 0\nto = 1\nsize = \"16 MB\"\nclass = \"{class}\"\n{more}"
    ))
}

#[test]
fn a_timeout_below_the_round_trip_is_told_before_and_after() {
    let timeout = "[parameters.transport]\ntimeout = \"5 us\"\n";
    let bench = pair("until = \"1 s\"", "10 us", "lossy", timeout);
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["end"]["how"], "done");
    let warnings: Vec<&str> =
        answer["warnings"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    // Two links of 10 us there and back, a full frame with its RETH and an acknowledgement on each:
    // 40 us + 2 (8 + 4174 + 8 + 66) x 0.08 ns.
    let before = |text: &&&str| {
        ["flow 0", "host 0", "host 1", "timeout of 5 us", "40.68096 us"]
            .iter()
            .all(|part| text.contains(part))
    };
    assert!(warnings.iter().any(|text| before(&text)), "{warnings:?}");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    let (repeated, spurious) = (&answer["flows"]["repeated"], &answer["flows"]["spurious"]);
    assert_eq!(repeated, spurious, "nothing is lost here");
    assert!(warnings[1].contains(&format!("{spurious} packets")), "{warnings:?}");
    // 41 us are enough.
    let timeout = timeout.replace("5 us", "41 us");
    let answer = pair("until = \"1 s\"", "10 us", "lossy", &timeout).ask(&["simulate", "s.toml"]);
    assert_eq!((&answer["warnings"], &answer["flows"]["spurious"]), (&json!([]), &json!(0)));
}

/// Packets that are repeated before they can be answered are no losses, whether data or only answers are still
/// on the long way.
#[test]
fn a_standstill_by_short_timeouts_does_not_point_at_drops() {
    for (patience, how) in [("10 ms", "stalled"), ("20 ms", "unacknowledged")] {
        let bench = bench_with(&format!(
            "version = 1\nuntil = \"1 s\"\npatience = \"{patience}\"\n[network]\nkind = \"edge-list\"\n\
             file = \"links.csv\"\n[[flow]]\nfrom = \"h0\"\nto = \"h1\"\nsize = \"16 MB\"\n\
             class = \"lossy\"\n"
        ));
        let links = "h0,s0,100 Gb/s,1 us\nh1,s1,100 Gb/s,1 us\ns0,s1,100 Gb/s,30 ms\n";
        bench.write("links.csv", format!("a,b,rate,delay\n{links}"));
        let ran = bench.run(&["simulate", "s.toml", "--json"]);
        assert_eq!(ran.code, 1, "{ran:?}");
        let answer = ran.document();
        assert_eq!((&answer["end"]["how"], &answer["drops"]), (&json!(how), &json!([])));
        let why = answer["end"]["why"].as_str().unwrap();
        assert!(!why.contains("lost again") && !why.contains("the drops"), "{why}");
        assert!(why.contains("timeout of 4 ms") && why.contains("round trip of 60."), "{why}");
    }
}

#[test]
fn acknowledgements_that_die_are_no_standstill_of_data() {
    let loss = "[[loss]]\nlink = [\"host 1\", \"leaf 0\"]\none_way = true\nrate = 1.0\n";
    let bench = pair("until = \"1 s\"", "1 us", "lossy", loss);
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "the sender never knows: {ran:?}");
    let answer = ran.document();
    assert_eq!(answer["end"]["how"], "unacknowledged");
    let why = answer["end"]["why"].as_str().unwrap();
    assert!(why.contains("everything was delivered") && why.contains("flow 0"), "{why}");
    assert_eq!(answer["flows"]["completed"], 1);
    assert_eq!(answer["flows"]["unacknowledged"], 1);
    let text = bench.run(&["simulate", "s.toml"]).stdout;
    assert!(text.starts_with("UNACKNOWLEDGED at ") && !text.contains("STALLED"), "{text}");
}

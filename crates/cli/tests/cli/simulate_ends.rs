//! How simulations end when they do not end well, and when somebody ends them.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

#[test]
fn a_lossless_buffer_that_overflows_is_a_fault_with_its_place() {
    let bench = bench_with(
        r#"
version = 1
until = "10 ms"
[network]
kind = "leaf-spine"
leaves = 2
spines = 1
hosts_per_leaf = 8
rate = "100 Gb/s"
delay = "5 us"
[parameters.switch]
headroom_per_port = "0 B"
buffer_per_port = "20 kB"
pause_share = 0.5
[[traffic]]
pattern = "incast"
senders = 15
to = 0
size = "1 MB"
"#,
    );
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(answer["end"]["how"], "fault");
    let why = answer["end"]["why"].as_str().unwrap();
    assert!(why.contains("leaf") && why.contains("port") && why.contains("headroom"), "{why}");
    let ran = bench.run(&["simulate", "s.toml"]);
    assert!(ran.code == 1 && ran.stdout.starts_with("FAULT: at "), "{ran:?}");
}

#[test]
fn pauses_last_as_they_should_at_rates_that_are_no_whole_picoseconds_a_byte() {
    let run = |rate: &str| {
        let bench = bench_with(&format!(
            "version = 1\nuntil = \"50 ms\"\n[network]\nkind = \"fat-tree\"\nports = 4\n\
             rate = \"{rate}\"\ndelay = \"1 us\"\n[parameters.switch]\npause_share = 0.02\n\
             [parameters.dcqcn]\nenabled = false\n[[traffic]]\npattern = \"incast\"\nsenders = 15\nto = 0\nsize = \"1 \
             MB\"\n"
        ));
        bench.ask(&["simulate", "s.toml"])
    };
    let (even, odd) = (run("32 Gb/s"), run("30 Gb/s"));
    for answer in [&even, &odd] {
        assert_eq!(answer["flows"]["completed"], 15, "{answer}");
        assert!(answer["queues"]["pauses"].as_u64().unwrap() > 0, "{answer}");
        let bytes = answer["throughput"]["bytes"].as_array().unwrap();
        assert_eq!(bytes.iter().filter_map(Value::as_u64).sum::<u64>(), 15_000_000);
    }
    let last = |answer: &Value| answer["flows"]["completion"]["max_ps"].as_f64().unwrap();
    // The last link is always busy, so the times are as the rates: 32 / 30 = 1.067.
    assert!((1.06..1.08).contains(&(last(&odd) / last(&even))), "{} {}", last(&odd), last(&even));
}

#[test]
fn a_ring_of_pauses_is_found_with_its_ports() {
    let mut links = String::from("a,b,rate,delay\n");
    let mut flows = String::new();
    for i in 0..5 {
        links += &format!("h{i},s{i},100 Gb/s,1 us\ng{i},s{i},100 Gb/s,1 us\n");
        links += &format!("s{i},s{},100 Gb/s,1 us\n", (i + 1) % 5);
        for from in ["h", "g"] {
            for to in ["h", "g"] {
                let to_place = (i + 2) % 5;
                flows += &format!(
                    "[[flow]]\nfrom = \"{from}{i}\"\nto = \"{to}{to_place}\"\nsize = \"10 MB\"\n"
                );
            }
        }
    }
    let bench = bench_with(&format!(
        "version = 1\nuntil = \"1 s\"\npatience = \"20 ms\"\n[network]\nkind = \"edge-list\"\n\
         file = \"links.csv\"\n[parameters.dcqcn]\nenabled = false\n[parameters.switch]\n\
         pause_share = 0.02\n{flows}"
    ));
    bench.write("links.csv", links);
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(answer["end"]["how"], "stalled");
    assert!(answer["end"]["why"].as_str().unwrap().contains("deadlock"), "{answer}");
    let mut ring: Vec<(&str, &str)> = answer["end"]["stopped_ports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|port| (port["node"].as_str().unwrap(), port["stopped_by"].as_str().unwrap()))
        .collect();
    ring.sort_unstable();
    assert_eq!(ring, [("s0", "s1"), ("s1", "s2"), ("s2", "s3"), ("s3", "s4"), ("s4", "s0")]);
}

/// Waits until a process has worked for a second of its own time, however busy the machine is.
fn wait_for_work(id: u32) {
    // Of user time, the 14th field; the second, the name, may hold spaces.
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
        let fields = stat.rsplit_once(") ").expect("a name in brackets").1;
        fields.split(' ').nth(11).and_then(|ticks| ticks.parse::<u64>().ok()).expect("a number")
    };
    // Linux counts a hundred of them a second.
    while ticks() < 100 {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupted_run_gives_what_it_has_so_far() {
    let bench = Bench::new();
    // Some minutes of work.
    bench.write(
        "s.toml",
        "version = 1\nuntil = \"1000 s\"\n[network]\nkind = \"fat-tree\"\nports = 4\n\
         rate = \"100 Gb/s\"\ndelay = \"1 us\"\n[[traffic]]\npattern = \"stride\"\nsize = \"1 TB\"\n\
         [probes]\ninterval = \"1 ms\"\n",
    );
    let child = Command::new(env!("CARGO_BIN_EXE_lightloom"))
        .args(["simulate", "s.toml", "--json", "--out", "out", "--threads", "2"])
        .current_dir(bench.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_work(child.id());
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "not what was asked for");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["end"]["how"], "stopped");
    assert_eq!(answer["end"]["until_ps"], 1_000_000_000_000_000_u64);
    assert_eq!(answer["flows"]["unfinished"], 16);
    assert!(answer["work"]["data_hops"].as_u64().unwrap() > 0);
    assert!(bench.names("out").contains(&"flows.csv".to_owned()));
}

#[test]
fn a_pause_storm_is_told_with_its_host() {
    let network = "[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 2\n\
                   rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
    let flow = "[[flow]]\nfrom = 0\nto = 3\nsize = \"10 MB\"\n";
    let head = "version = 1\nuntil = \"1 s\"\n";
    let storm = "[[failure]]\nstorm = \"host 3\"\nat = \"20 us\"\n";
    let bench = bench_with(&format!("{head}{network}{flow}{storm}"));
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(answer["end"]["how"], "stalled");
    let why = answer["end"]["why"].as_str().unwrap();
    assert!(why.contains("a pause storm: host 3 has stopped its switch"), "{why}");
    // One that ends is a warning.
    let bench = bench_with(&format!("{head}{network}{flow}{storm}until = \"50 us\"\n"));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["end"]["how"], "done");
    assert!(answer["warnings"][0].as_str().unwrap().contains("a pause storm: host 3"));
    let both = format!("{head}{network}{flow}{storm}link = [0, \"leaf 0\"]\n");
    bench_with(&both).refuses(&["simulate", "s.toml"], &["failure.storm: is given together with"]);
    let switch = format!("{head}{network}{flow}{}", storm.replace("host 3", "leaf 0"));
    bench_with(&switch).refuses(&["simulate", "s.toml"], &["failure.storm: found the switch"]);
}

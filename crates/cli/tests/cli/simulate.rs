//! `lightloom simulate`: its answers, its files, and that they do not depend on threads.

use serde_json::Value;

use crate::bench::Bench;

/// Two hosts of different leaves; one path, so that times can be written out.
const PAIR: &str = r#"
version = 1
until = "10 ms"
[network]
kind = "leaf-spine"
leaves = 2
spines = 1
hosts_per_leaf = 2
rate = "100 Gb/s"
delay = "1 us"
"#;

/// A fat tree with losses, marks, pauses and two classes: whatever could depend on threads.
const BUSY: &str = r#"
version = 1
seed = 7
until = "3 ms"
[network]
kind = "fat-tree"
ports = 4
rate = "100 Gb/s"
delay = "1 us"
[parameters.ecn]
kmin = "20 kB"
kmax = "200 kB"
[parameters.switch]
pause_share = 0.02
[[traffic]]
pattern = "incast"
senders = 9
to = 3
size = "300 kB"
[[traffic]]
pattern = "poisson"
load = 0.4
size = "20 kB"
duration = "100 us"
class = "lossy"
verb = "send"
[[loss]]
layer = 2
rate = 1e-3
burst = 2
[[loss]]
link = [0, "edge 0.0"]
rate = 0.01
corrupt = true
[[failure]]
link = ["aggregation 1.0", "core 0"]
at = "30 us"
until = "60 us"
[probes]
interval = "10 us"
"#;

pub(crate) fn bench_with(scenario: &str) -> Bench {
    let bench = Bench::new();
    bench.write("s.toml", scenario);
    bench
}

fn field<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, key| match key.parse::<usize>() {
        Ok(place) => &value[place],
        Err(_) => &value[key],
    })
}

fn rows(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv);
    reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect()
}

#[test]
fn a_lone_message_takes_what_its_links_take() {
    // 10,000 bytes are packets of 4096 + 62 + 16 (the RETH), 4096 + 62 and 1808 + 62, each preceded by
    // 8 and followed by 12 bytes; 80 ps a byte, four links of 1 us. The first is the longest, so the
    // others catch up with it and leave the last switch right behind it.
    let (first, second, last) = (4174, 4158, 1870);
    let expected = 3 * (80 * (first + 8) + 1_000_000)
        + 80 * (first + 20)
        + 80 * (second + 20)
        + 80 * (last + 8)
        + 1_000_000;
    let bench = bench_with(&format!(
        "{PAIR}\n[[flow]]\nfrom = 0\nto = \"host 3\"\nsize = \"10 kB\"\nstart = \"5 us\"\n"
    ));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(*field(&answer, "flows.completion.max_ps"), expected, "{answer}");
    assert_eq!(*field(&answer, "flows.slowdown.max"), 1.0);
    assert_eq!(*field(&answer, "end.how"), "done");
    assert_eq!(*field(&answer, "work.data_hops"), 12);
    assert_eq!(*field(&answer, "flows.by_size.0.from_bytes"), 10_000);
    let parameters = field(&answer, "manifest.parameters").as_array().unwrap();
    assert!(parameters.iter().all(|p| p["source"].as_str().is_some_and(|s| !s.is_empty())));
    assert_eq!(field(&answer, "manifest.files.0.sha256").as_str().unwrap().len(), 64);
    assert!(field(&answer, "timing.data_hops_per_s").as_f64().unwrap() > 0.0);
}

#[test]
fn alone_every_message_takes_its_ideal_time_to_the_picosecond() {
    let networks = [
        "kind = \"fat-tree\"\nports = 4\nhost_rate = \"25 Gb/s\"",
        "kind = \"fat-tree\"\nports = 4\nhost_rate = \"400 Gb/s\"",
        "kind = \"leaf-spine\"\nleaves = 3\nspines = 2\nhosts_per_leaf = 4\nhost_rate = \"40 Gb/s\"",
        "kind = \"multicast-core\"\ntors = 12\nports = 4",
    ];
    for network in networks {
        for forwarding in ["store-and-forward", "cut-through"] {
            let flows: String = [("1 B", "write"), ("4 kB", "send"), ("5 kB", "write"), ("1 MB", "send")]
                .iter()
                .enumerate()
                .map(|(i, (size, verb))| {
                    format!(
                        "[[flow]]\nfrom = 1\nto = 11\nsize = \"{size}\"\nverb = \"{verb}\"\nstart = \"{i} ms\"\n"
                    )
                })
                .collect();
            let bench = bench_with(&format!(
                "version = 1\nuntil = \"9 ms\"\n[network]\n{network}\nrate = \"100 Gb/s\"\n\
                 length = \"37.5 m\"\n[parameters.switch]\nforwarding = \"{forwarding}\"\n\
                 latency = \"300 ns\"\n[parameters.stack]\nsend = \"700 ns\"\nreceive = \"900 ns\"\n{flows}"
            ));
            let answer = bench.ask(&["simulate", "s.toml"]);
            assert_eq!(*field(&answer, "flows.completed"), 4, "{network} {forwarding}: {answer}");
            let slowdown = |of: &str| answer["flows"]["slowdown"][of].as_f64().unwrap();
            let both = (slowdown("p50"), slowdown("max"));
            assert_eq!(both, (1.0, 1.0), "{network} {forwarding}: {answer}");
        }
    }
}

#[test]
fn one_two_and_seven_threads_write_the_same_bytes() {
    let bench = bench_with(BUSY);
    let mut first = None;
    for threads in ["1", "2", "7"] {
        let ran = bench.run(&[
            "simulate",
            "s.toml",
            "--threads",
            threads,
            "--out",
            "out",
            "--trace",
            "trace.txt",
            "--json",
        ]);
        let mut answer = ran.json();
        assert!(answer.as_object_mut().unwrap().remove("timing").is_some());
        let mut files = bench.snapshot();
        files.retain(|path, _| path.is_file());
        let found = (answer, files);
        assert_eq!(found.1.len(), 9, "{:?}", found.1.keys());
        assert!(*first.get_or_insert_with(|| found.clone()) == found, "{threads} threads");
    }
    let (answer, _) = first.unwrap();
    for counted in ["queues.marked", "queues.pauses", "flows.repeated"] {
        assert!(field(&answer, counted).as_u64().unwrap() > 0, "{counted} in {answer}");
    }
    let reasons: Vec<&str> =
        answer["drops"].as_array().unwrap().iter().filter_map(|d| d["reason"].as_str()).collect();
    for reason in ["link", "corrupt", "dead"] {
        assert!(reasons.contains(&reason), "{reason} in {reasons:?}");
    }
}

#[test]
fn files_add_up() {
    let bench = bench_with(BUSY);
    let args = ["simulate", "s.toml", "--out", "out", "--trace", "trace.txt", "--json"];
    let answer = bench.run(&args).json();
    let files = bench.snapshot();
    let read = |name: &str| files[&bench.path(name)].clone();
    assert_eq!(
        bench.names("out"),
        [
            "flows.arrow",
            "flows.csv",
            "links.csv",
            "report.json",
            "throughput.arrow",
            "throughput.csv"
        ]
    );
    let mut written: Value = serde_json::from_slice(&read("out/report.json")).unwrap();
    for beside in ["format", "timing"] {
        written[beside] = answer[beside].clone();
    }
    assert_eq!(written, answer);

    let number = |cell: &str| cell.parse::<u64>().unwrap();
    for flow in rows(&read("out/flows.csv")) {
        let [sent, _, delivered, dropped, in_flight, _] =
            [12, 13, 14, 15, 16, 17].map(|column| number(&flow[column]));
        assert_eq!(sent, delivered + dropped + in_flight, "{flow:?}");
        if !flow[9].is_empty() {
            assert_eq!(number(&flow[9]), number(&flow[7]) - number(&flow[6]), "{flow:?}");
            assert!(number(&flow[9]) >= number(&flow[10]), "faster than alone: {flow:?}");
        }
    }
    let mut crossed = 0;
    for link in rows(&read("out/links.csv")) {
        let [sent, lost, received, in_flight] = [7, 8, 9, 10].map(|column| number(&link[column]));
        assert_eq!(sent, lost + received + in_flight, "{link:?}");
        crossed += received;
    }
    let series = rows(&read("out/throughput.csv"));
    let told = answer["throughput"]["bytes"].as_array().unwrap();
    assert_eq!(series.len(), told.len());
    assert_eq!(series[1][0], "10000000");

    let trace = String::from_utf8(read("trace.txt")).unwrap();
    let mut lines = trace.lines();
    assert_eq!(lines.next(), Some("time_ps,node,port,kind,flow,psn,bytes,ecn,fate"));
    let lines: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == 9));
    assert!(lines.is_sorted_by_key(|line| number(line[0])), "arrivals in order of time");
    let arrived = lines.iter().filter(|line| line[8] != "dead").count();
    assert_eq!(arrived as u64, crossed, "a line for every packet that a link delivered");
    for kind in ["data", "ack", "nack", "cnp", "pause"] {
        assert!(lines.iter().any(|line| line[3] == kind), "{kind}");
    }
}

#[test]
fn replicas_share_their_traffic_and_come_with_an_interval() {
    let bench = bench_with(BUSY);
    let args = ["simulate", "s.toml", "--seeds", "4", "--threads", "3", "--out", "out"];
    let answer = bench.ask(&args);
    let replicas = answer["replicas"].as_array().unwrap();
    let seeds: Vec<u64> = replicas.iter().map(|r| r["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, [7, 8, 9, 10]);
    let bytes = &replicas[0]["flows"]["bytes"];
    assert!(replicas.iter().all(|r| r["flows"]["bytes"] == *bytes), "the same traffic");
    let means: Vec<f64> =
        replicas.iter().map(|r| r["flows"]["completion"]["mean_ps"].as_f64().unwrap()).collect();
    assert!(means.iter().any(|mean| *mean != means[0]), "not the same losses: {means:?}");
    let mean = means.iter().sum::<f64>() / 4.0;
    let squares: f64 = means.iter().map(|m| (m - mean).powi(2)).sum();
    // Student's t for three degrees of freedom: 3.1824.
    let half = 3.1824 * (squares / 3.0).sqrt() / 2.0;
    let told = &answer["mean_completion_ps"];
    assert!((told["mean"].as_f64().unwrap() - mean).abs() < 1.0);
    assert!((told["half_width_95"].as_f64().unwrap() / half - 1.0).abs() < 1e-3);
    assert_eq!(bench.names("out"), ["replicas.csv", "report.json"]);
    // The first of the runs is the run of that seed alone.
    let alone = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(alone["flows"], replicas[0]["flows"]);
    let again = bench.ask(&["simulate", "s.toml", "--seeds", "4"]);
    assert_eq!(again["replicas"], answer["replicas"]);
}

#[test]
fn the_tables_say_it_in_words() {
    let bench = bench_with(BUSY);
    let ran = bench.run(&["simulate", "s.toml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for word in ["flows completed", "slowdown", "corrupt", "million data hops a second"] {
        assert!(ran.stdout.contains(word), "{word} in {}", ran.stdout);
    }
    let ran = bench.run(&["simulate", "s.toml", "--seeds", "2"]);
    assert!(ran.stdout.contains("95 %"), "{ran:?}");
}

#[test]
fn examples_run() {
    for (name, flows) in [
        ("stride.toml", 128),
        ("incast.toml", 16),
        ("all-to-all.toml", 56),
        ("flows.toml", 5),
        ("matrix.toml", 20),
        ("collectives.toml", 17_262),
        ("storage.toml", 1_500),
    ] {
        let bench = Bench::new();
        let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let answer = bench.ask(&["simulate", &path]);
        assert_eq!(answer["end"]["how"], "done");
        assert_eq!(answer["flows"]["unfinished"], 0);
        assert!(answer["flows"]["completed"].as_u64().unwrap() >= flows);
    }
    let glass = format!("{}/../../examples/glass.toml", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(Bench::new().ask(&["simulate", &glass])["to_groups"]["receivers"], 127);
}

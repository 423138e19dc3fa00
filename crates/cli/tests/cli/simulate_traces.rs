//! Traces of applications in runs: hand arithmetic, what waits for what, and what is refused.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

/// One packet at 100 Gb/s, in picoseconds: 4,096 bytes and a header of 14.
const PACKET: u64 = 328_800;
/// Two links.
const WAY: u64 = 20_000;
/// An acknowledgement of 14 bytes over two links.
const ACK: u64 = WAY + 2 * 1_120;

/// Hosts at one switch, with the shortest headers, and without times of software and switches.
fn network(hosts: usize) -> String {
    format!(
        "version = 1\nuntil = \"1 s\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 1\n\
         hosts_per_leaf = {hosts}\nrate = \"100 Gb/s\"\ndelay = \"10 ns\"\n\
         [parameters.wire]\nmtu = \"4096 B\"\nheader = \"14 B\"\n\
         preamble = \"0 B\"\ngap = \"0 B\"\ncontrol = \"14 B\"\n\
         [parameters.switch]\nlatency = \"0 s\"\n\
         [parameters.stack]\nsend = \"0 s\"\nreceive = \"0 s\"\nforward = \"0 s\"\n"
    )
}

/// A bench with a scenario and a trace. `more` are fields of the trace.
fn traced(hosts: usize, goal: &str, more: &str) -> Bench {
    let bench = bench_with(&format!(
        "{}[[trace]]\nfile = \"t.goal\"\nverb = \"send\"\n{more}",
        network(hosts)
    ));
    std::fs::write(bench.path("t.goal"), goal).expect("a file");
    bench
}

/// The text of a trace.
fn goal(ranks: &[&str]) -> String {
    let blocks = ranks.iter().enumerate().map(|(rank, ops)| format!("rank {rank} {{\n{ops}\n}}\n"));
    format!("num_ranks {}\n{}", ranks.len(), blocks.collect::<String>())
}

/// When the last rank had done all, in picoseconds.
fn last(bench: &Bench) -> u64 {
    let report = bench.ask(&["simulate", "s.toml", "--check"]);
    report["traces"][0]["last_ps"].as_u64().unwrap_or_else(|| panic!("{}", report["traces"][0]))
}

/// Each rank of a full binary tree sends to its two children when it has received.
fn tree(depth: u32) -> String {
    let ranks = (1_usize << (depth + 1)) - 1;
    let block = |rank: usize| {
        let mut text = String::new();
        if rank > 0 {
            text += &format!("get: recv 4096b from {}\n", (rank - 1) / 2);
        }
        for child in [2 * rank + 1, 2 * rank + 2].into_iter().filter(|child| *child < ranks) {
            text += &format!("to{child}: send 4096b to {child}\n");
            if rank > 0 {
                text += &format!("to{child} requires get\n");
            }
        }
        text
    };
    let blocks: Vec<String> = (0..ranks).map(block).collect();
    goal(&blocks.iter().map(String::as_str).collect::<Vec<_>>())
}

/// LogGP by hand: the second message of a rank leaves when its overhead is over and the port is free, crosses two links
/// with a packet each, and takes the overhead of its receiver. The longest path is the second message each time.
#[test]
fn a_binary_tree_takes_what_hand_arithmetic_says() {
    for (depth, overhead) in [(1, 0), (3, 0), (2, 300), (3, 300), (3, 1_000)] {
        let o = overhead * 1_000;
        let second = (2 * o).max(o + PACKET);
        let level = second + 2 * PACKET + WAY + o;
        let bench = traced(15, &tree(depth), &format!("overhead = \"{overhead} ns\"\n"));
        // Without overhead the acknowledgement of what a rank received leaves first.
        let answers = if o == 0 { u64::from(depth - 1) * 1_120 } else { 0 };
        assert_eq!(
            last(&bench),
            u64::from(depth) * level + answers,
            "{depth} levels, {overhead} ns"
        );
    }
}

#[test]
fn a_send_is_over_with_its_overhead_or_its_acknowledgement() {
    let text = goal(&["a: send 4096b to 1\nb: calc 100\nb requires a", "recv 4096b from 0"]);
    // The receive of the other rank is the last.
    assert_eq!(last(&traced(2, &text, "")), 2 * PACKET + WAY);
    assert_eq!(last(&traced(2, &text, "eager = \"4096 B\"\n")), 2 * PACKET + WAY);
    let acknowledged = 2 * PACKET + WAY + ACK + 100_000;
    assert_eq!(last(&traced(2, &text, "eager = \"4095 B\"\n")), acknowledged);
}

#[test]
fn operations_of_one_cpu_go_one_after_the_other() {
    let ranks = |cpu: u32| {
        goal(&[&format!("calc 5000 cpu 0\nsend 4096b to 1 cpu {cpu}"), "recv 4096b from 0"])
    };
    let alone = 2 * PACKET + WAY;
    assert_eq!(last(&traced(2, &ranks(0), "")), 5_000_000 + alone);
    assert_eq!(last(&traced(2, &ranks(1), "")), 5_000_000);
    let report = traced(2, &ranks(1), "").ask(&["simulate", "s.toml"]);
    assert_eq!(report["traces"][0]["first_ps"], alone);
    assert_eq!(report["traces"][0]["path_ps"], 5_000_000);
}

/// Each sends after its receive has begun; a receive that needs something begins after that.
#[test]
fn irequires_waits_for_the_begin() {
    let both = |of: u32| format!("a: recv 4096b from {of}\nb: send 4096b to {of}\nb irequires a");
    assert_eq!(last(&traced(2, &goal(&[&both(1), &both(0)]), "")), 2 * PACKET + WAY);
    let late = format!("w: calc 7000\n{}\na requires w", both(1).replace("\nb irequires a", ""));
    let late = goal(&[&format!("{late}\nb irequires a"), &both(0)]);
    assert_eq!(last(&traced(2, &late, "")), 7_000_000 + 2 * PACKET + WAY);
    let calc =
        goal(&["a: calc 9000\nb: send 4096b to 1 cpu 1\nb irequires a", "recv 4096b from 0"]);
    assert_eq!(last(&traced(2, &calc, "")), 9_000_000);
}

#[test]
fn ranks_take_hosts_in_order() {
    let text = goal(&["send 4096b to 1", "recv 4096b from 0"]);
    let bench = traced(4, &text, "hosts = [3, 1]\nname = \"job\"\n");
    let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(bench.column("out/traces.csv", "host"), ["3", "1"]);
    assert_eq!(bench.column("out/traces.csv", "name"), ["job", "job"]);
    assert_eq!(bench.column("out/traces.csv", "busy_ps"), ["0", "0"]);
    assert_eq!(bench.column("out/flows.csv", "from"), ["3"]);
    // Read again from the folder of results, with the trace beside it.
    let [own, other] = ["a rank to itself", "a network interface other than 0"];
    let text = goal(&["send 8b to 0\nrecv 8b from 0\nsend 8b to 1 nic 2", "recv 8b from 0"]);
    let report = traced(2, &text, "").ask(&["simulate", "s.toml"]);
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains("1 messages go from a rank to itself") && !own.is_empty(),
        "{warnings}"
    );
    assert!(warnings.contains(other), "{warnings}");
}

/// What is refused: the trace, the place in the scenario or the line of the trace, and the reason.
#[test]
fn what_cannot_run_is_refused() {
    let pair = goal(&["send 8b to 1", "recv 8b from 0"]);
    let cases: [(&str, &str, &[&str]); 11] = [
        (&goal(&["", ""]), "", &["s.toml:23: trace.file: has no operations"]),
        (
            &goal(&["calc 1", "", ""]),
            "",
            &["s.toml:23: trace.file: ", "2 hosts for a trace of 3 ranks"],
        ),
        (&pair, "hosts = [1]\n", &["s.toml:25: trace.hosts: ", "1 hosts for a trace of 2 ranks"]),
        (&pair, "hosts = [1, 1]\n", &["trace.hosts: "]),
        (&pair, "name = \" \"\n", &["trace.name: ", "empty name"]),
        (&pair, "start = \"2 s\"\n", &["trace.start: ", "the run ends at 1 s"]),
        (
            &goal(&["send 8b to 1", ""]),
            "",
            &["t.goal:3: ", "rank 0: sends a message to rank 1 with tag 0 that is never received"],
        ),
        (
            &goal(&["a: calc 1\nb: calc 1\na requires b\nb requires a", ""]),
            "",
            &["t.goal:3: rank 0: waits for itself, in a ring"],
        ),
        (
            "num_ranks 2\nrank 0 {\ncalc 5\n",
            "",
            &["t.goal:4: rank 0: the file ends within the block"],
        ),
        (
            &goal(&["send 2000000000000b to 0\nrecv 2000000000000b from 0", ""]),
            "",
            &["t.goal:3: ", "at most 1 TB"],
        ),
        (
            &goal(&["send 2000000000000b to 1", "recv 2000000000000b from 0"]),
            "",
            &["t.goal:3: ", "at most 1 TB"],
        ),
    ];
    for (text, more, parts) in cases {
        traced(2, text, more).refuses(&["simulate", "s.toml"], parts);
    }
    let binary = traced(2, &pair, "");
    let mut bytes = 4223_u64.to_le_bytes().to_vec();
    bytes.extend([1; 100]);
    std::fs::write(binary.path("t.goal"), &bytes).expect("a file");
    binary.refuses(&["simulate", "s.toml"], &["t.goal", "binary form"]);
    binary.refuses(&["trace", "t.goal"], &["t.goal", "binary form"]);
    let missing = bench_with(&format!("{}[[trace]]\nname = \"x\"\n", network(2)));
    missing.refuses(&["simulate", "s.toml"], &["s.toml:22: trace.file: is missing"]);
}

/// A message fails: the answer says which ranks have operations left, and the exit code is 1.
#[test]
fn a_trace_that_fails_is_told() {
    let text = goal(&[
        "send 8192b to 1\ncalc 5",
        "a: recv 8192b from 0\nb: calc 5\nb requires a",
        "calc 5",
    ]);
    let bench = traced(3, &text, "");
    let more = "[parameters.transport]\nretries = 2\n[[failure]]\nlink = [\"leaf 0\", \"host 1\"]\nat = \"1 ns\"\n";
    std::fs::write(
        bench.path("s.toml"),
        format!("{}[[trace]]\nfile = \"t.goal\"\n{more}", network(3)),
    )
    .expect("a file");
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let report = &report["runs"][0];
    let report = if report.is_null() {
        serde_json::from_str(&ran.stdout).expect("JSON")
    } else {
        report.clone()
    };
    assert_eq!(report["end"]["how"], "failed");
    let trace = &report["traces"][0];
    assert_eq!(
        (&trace["completed"], &trace["ended"], &trace["last_ps"]),
        (&2.into(), &3.into(), &Value::Null)
    );
    let warnings = report["warnings"].to_string();
    let left = "1 of 3 ranks have operations left, rank 1 2 of 2";
    assert!(warnings.contains(left), "{warnings}");
    assert!(
        warnings.contains("2 computations never started, the first operation 0 of rank 1"),
        "{warnings}"
    );
}

/// A scenario's messages and computations as a trace, run again: each message arrives when it did.
#[test]
fn a_scenario_as_a_trace_runs_alike() {
    let more = "[[flow]]\nfrom = 0\nto = 1\nsize = \"9 kB\"\nstart = \"2 us\"\n\
                [[flow]]\nfrom = 1\nto = 2\nsize = \"100 kB\"\nafter = [0]\n\
                [[flow]]\nfrom = 0\nto = 3\nsize = \"20 kB\"\nafter = [0]\nstart = \"9 us\"\n\
                [[collective]]\noperation = \"allreduce\"\nschedule = \"ring\"\nmembers = [4, 5, 6]\n\
                size = \"30 kB\"\ncompute = \"3 us\"\nrepeat = 2\n\
                [[trace]]\nfile = \"t.goal\"\nhosts = [7, 8]\neager = \"0 B\"\n";
    let bench = bench_with(&format!("{}{more}", network(9)));
    let text = goal(&[
        "a: calc 900\nb: send 5000b to 1\nb irequires a",
        "a: recv 5000b from 0\nb: calc 5\nb requires a",
    ]);
    std::fs::write(bench.path("t.goal"), text).expect("a file");
    let told = bench.ask(&["trace", "s.toml", "--goal", "again.goal"]);
    assert_eq!((&told["ranks"], &told["messages"]), (&9.into(), &(3 + 2 * 12 + 1).into()));
    let again = format!("{}[[trace]]\nfile = \"again.goal\"\neager = \"0 B\"\n", network(9));
    std::fs::write(bench.path("again.toml"), again).expect("a file");
    let times = |scenario: &str, out: &str| {
        let ran = bench.run(&["simulate", scenario, "--out", out]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let [from, to, size, received] = ["from", "to", "size_bytes", "received_ps"]
            .map(|name| bench.column(&format!("{out}/flows.csv"), name));
        let mut rows: Vec<[String; 4]> = (0..from.len())
            .map(|row| [&from, &to, &size, &received].map(|column| column[row].clone()))
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(times("s.toml", "one"), times("again.toml", "two"));
    let group = "[[group]]\nname = \"all\"\nmembers = \"all\"\n[[multicast]]\ngroup = \"all\"\nsize = \"1 kB\"\n";
    let cast = bench_with(&format!("{}{group}", network(3)));
    cast.refuses(&["trace", "s.toml"], &["s.toml", "1 messages to groups"]);
    bench.refuses(&["trace", "t.goal", "--goal", "t.txt"], &["t.txt", "end it in .goal"]);
    // What is read is not replaced.
    bench.refuses(&["trace", "t.goal", "--goal", "t.goal"], &["t.goal"]);
    bench.refuses(&["trace", "s.toml", "--goal", "t.goal"], &["t.goal"]);
}

#[test]
fn threads_change_nothing() {
    let bench = traced(15, &tree(3), "overhead = \"70 ns\"\norder = \"random\"\n");
    let ask = |threads: &str| {
        let mut report = bench.ask(&["simulate", "s.toml", "--threads", threads]);
        report["timing"] = Value::Null;
        report
    };
    assert_eq!(ask("1"), ask("3"));
}

/// Several runs: the mean of those in which all ranks have done all, and how many they are.
#[test]
fn several_runs_tell_of_traces() {
    let losses = "[[loss]]\nlink = [\"leaf 0\", \"host 1\"]\nrate = 0.1\n";
    let bench = traced(7, &tree(2), "");
    let text = std::fs::read_to_string(bench.path("s.toml")).expect("a file");
    std::fs::write(bench.path("s.toml"), format!("{text}{losses}")).expect("a file");
    let report = bench.ask(&["simulate", "s.toml", "--seeds", "4"]);
    let of_all = &report["traces"][0];
    let runs = report["replicas"].as_array().expect("a list");
    let last = |run: &Value| run["traces"][0]["last_ps"].as_f64().expect("it completed");
    let mean = runs.iter().map(last).sum::<f64>() / 4.0;
    assert_eq!((&of_all["completed"], &of_all["ranks"]), (&4.into(), &7.into()));
    let found = of_all["last_ps"]["mean"].as_f64().expect("a mean");
    assert!((found / mean - 1.0).abs() < 1e-9, "{of_all}");
    let told = bench.run(&["simulate", "s.toml", "--seeds", "4"]);
    assert!(told.stdout.contains("t.goal") && told.stdout.contains("4 of 4"), "{}", told.stdout);
}

/// A rank without operations has done all at the start.
#[test]
fn idle_ranks_are_done() {
    let bench = traced(3, &goal(&["", "calc 7", ""]), "start = \"3 us\"\n");
    let report = bench.ask(&["simulate", "s.toml", "--check"]);
    let one = &report["traces"][0];
    assert_eq!((&one["completed"], &one["start_ps"]), (&3.into(), &3_000_000.into()));
    assert_eq!(
        (&one["first_ps"], &one["median_ps"], &one["last_ps"]),
        (&0.into(), &0.into(), &7_000.into())
    );
    // Cut before the others begin.
    let text = std::fs::read_to_string(bench.path("s.toml")).expect("a file");
    let text = text.replace("until = \"1 s\"", "until = \"3001 ns\"");
    std::fs::write(bench.path("s.toml"), text).expect("a file");
    let report = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(
        (&report["end"]["how"], &report["traces"][0]["completed"]),
        (&"time".into(), &2.into())
    );
}

#[test]
fn bad_questions_about_traces_are_refused() {
    let bench = traced(2, &goal(&["send 8b to 1", "recv 8b from 0"]), "");
    let cases: [(&[&str], &str); 4] = [
        (&["--rate", "0 Gb/s"], "--rate: found 0 bit/s"),
        (&["--latency", "-1us"], "--latency: found \"-1us\""),
        (&["--rate", "1 b/s", "--latency", "200 d"], "--latency: "),
        (&["--latency", "18446744 s", "--rate", "1 b/s"], "--latency: makes the longest path"),
    ];
    for (more, message) in cases {
        bench.refuses(&[&["trace", "t.goal"], more].concat(), &[message]);
    }
    std::fs::write(bench.path("d.toml"), "version = 1\n[fabric]\np = 2\nk = 2\n").expect("a file");
    bench.refuses(&["trace", "d.toml"], &["d.toml: is no scenario"]);
    bench.refuses(&["trace", "none.goal"], &["none.goal: cannot be read"]);
}

/// A delay waits for nobody: as GOAL it has a stream of its own, which no message takes.
#[test]
fn a_delay_as_goal_has_its_own_stream() {
    let zero = "w: calc 7000\na: recv 8b from 1\na requires w\nb: send 8b to 1\nb irequires a";
    let bench = traced(2, &goal(&[zero, "recv 8b from 0\nsend 8b to 0"]), "");
    bench.ask(&["trace", "s.toml", "--goal", "again.goal"]);
    let text = std::fs::read_to_string(bench.path("again.goal")).expect("a file");
    assert!(text.contains("calc 0 cpu 2") && !text.contains("calc 0 cpu 0"), "{text}");
}

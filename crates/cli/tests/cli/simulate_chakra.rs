//! Traces of Chakra in runs: what their collective operations become, what waits for what, and what is refused.

use serde_json::Value;

use crate::bench::Bench;
use crate::chakra_files::{self as wire, Node, file};
use crate::simulate::bench_with;

const ALLREDUCE: u64 = 0;
const ALLGATHER: u64 = 2;
const BROADCAST: u64 = 5;
const ALL_TO_ALL: u64 = 6;
const REDUCE_SCATTER: u64 = 7;
const BARRIER: u64 = 9;

const NETWORK: &str = "version = 1\nuntil = \"1 s\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\n\
                       hosts_per_leaf = 4\nrate = \"100 Gb/s\"\ndelay = \"100 ns\"\n";

/// A group of these hosts.
fn group(hosts: &str) -> String {
    format!("[[group]]\nname = \"all\"\nmembers = {hosts}\n")
}

/// A bench with a trace. `more` is what comes before and behind the file of the trace.
fn traced(ranks: &[Vec<Node>], (before, fields): (&str, &str)) -> Bench {
    let bench = bench_with(&format!("{NETWORK}{before}[[trace]]\nfile = \"t.0.et\"\n{fields}"));
    for (rank, nodes) in ranks.iter().enumerate() {
        bench.write(&format!("t.{rank}.et"), file(nodes));
    }
    bench
}

/// The report of the only trace.
fn one(bench: &Bench) -> Value {
    bench.ask(&["simulate", "s.toml", "--check"])["traces"][0].clone()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

fn last(bench: &Bench) -> u64 {
    number(&one(bench)["last_ps"])
}

/// A collective operation of a trace is the `[[collective]]` of the same schedule: each message is asked for and
/// received at the same picosecond.
#[test]
fn each_schedule_sends_as_its_collective_operation() {
    let cases = [
        (BROADCAST, "broadcast", "binomial", 90_001, ""),
        (BROADCAST, "broadcast", "chain", 90_001, "slice = \"10 kB\"\n"),
        (BROADCAST, "broadcast", "multicast", 90_001, ""),
        (ALLGATHER, "allgather", "ring", 30_000, ""),
        (ALLGATHER, "allgather", "multicast", 30_000, ""),
        (REDUCE_SCATTER, "reduce-scatter", "ring", 77_777, ""),
        (ALLREDUCE, "allreduce", "recursive-doubling", 50_000, ""),
        (ALLREDUCE, "allreduce", "ring-multicast", 50_000, ""),
        (ALL_TO_ALL, "all-to-all", "pairwise", 40_000, ""),
        (BARRIER, "barrier", "dissemination", 0, ""),
    ];
    for (kind, operation, schedule, bytes, more) in cases {
        let is_to_group = schedule.contains("multicast");
        let groups = if is_to_group { group("[6, 1, 3, 4]") } else { String::new() };
        let node = match kind {
            BARRIER => Node::new(3, wire::COLLECTIVE, &[]).with("comm_type", kind),
            BROADCAST => Node::collective(3, kind, bytes, &[]).with("root", 2),
            _ => Node::collective(3, kind, bytes, &[]),
        };
        let field = operation.replace('-', "_");
        // After the registration of the group, whose packets would meet the first messages.
        let more = format!("{more}start = \"100 us\"\n");
        let fields = format!("hosts = [6, 1, 3, 4]\n{field} = \"{schedule}\"\n{more}");
        let trace = traced(&vec![vec![node]; 4], (&groups, &fields));
        let size = if kind == ALLGATHER { 4 * bytes } else { bytes };
        let mut same = format!(
            "{NETWORK}{groups}[[collective]]\noperation = \"{operation}\"\nschedule = \"{schedule}\"\n{more}"
        );
        if bytes > 0 {
            same += &format!("size = \"{size} B\"\n");
        }
        same += if is_to_group { "group = \"all\"\n" } else { "members = [6, 1, 3, 4]\n" };
        if kind == BROADCAST {
            same += "root = 3\n";
        }
        let same = bench_with(&same);
        for bench in [&trace, &same] {
            let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
            assert_eq!(ran.code, 0, "{ran:?}");
        }
        // The begin of a rank is an event of its own, so that events of one time can change places: compare as sets.
        for (table, columns) in [
            (
                "flows.csv",
                ["from", "to", "size_bytes", "received_ps", "acknowledged_ps"].as_slice(),
            ),
            ("receivers.csv", &["from", "to", "received_ps"]),
        ] {
            let rows = |bench: &Bench| {
                let path = format!("out/{table}");
                if !bench.path(&path).exists() {
                    return Vec::new();
                }
                let columns = columns.iter().map(|name| bench.column(&path, name));
                let columns: Vec<Vec<String>> = columns.collect();
                let mut rows: Vec<Vec<String>> = (0..columns[0].len())
                    .map(|row| columns.iter().map(|column| column[row].clone()).collect())
                    .collect();
                rows.sort();
                rows
            };
            assert_eq!(rows(&trace), rows(&same), "{operation} {schedule}: {table}");
        }
        let told = &one(&trace)["collectives"];
        assert_eq!(told[0]["schedule"], schedule);
        assert_eq!((&told[0]["calls"], &told[0]["completed"]), (&1.into(), &1.into()));
        assert_eq!(told[0]["bytes"], size);
        assert_eq!(told[0]["ranks"], 4);
    }
}

/// The same program as GOAL and as Chakra takes the same time.
#[test]
fn messages_and_computations_are_those_of_goal() {
    let ranks = [
        vec![
            Node::compute(0, 7, &[]),
            Node::send(1, 1, 50_000, &[0]),
            Node::compute(2, 3, &[0]),
            Node::receive(3, 1, 9_000, &[2]),
        ],
        vec![
            Node::receive(0, 0, 50_000, &[]),
            Node { ctrl: vec![0], ..Node::compute(1, 11, &[]) },
            Node::send(2, 0, 9_000, &[1]),
        ],
    ];
    let goal = "num_ranks 2\nrank 0 {\na: calc 7000\nb: send 50000b to 1 cpu 1\nb requires a\nc: calc 3000\n\
                c requires a\nd: recv 9000b from 1 cpu 1\nd requires c\n}\nrank 1 {\na: recv 50000b from 0 cpu 1\n\
                b: calc 11000\nb requires a\nc: send 9000b to 0 cpu 1\nc requires b\n}\n";
    let chakra = traced(&ranks, ("", "overhead = \"120 ns\"\n"));
    let text =
        bench_with(&format!("{NETWORK}[[trace]]\nfile = \"t.goal\"\noverhead = \"120 ns\"\n"));
    text.write("t.goal", goal);
    assert_eq!(last(&chakra), last(&text));
    let [asked, other] = [chakra.ask(&["trace", "t.0.et"]), text.ask(&["trace", "t.goal"])];
    for field in ["operations", "messages", "bytes", "computing_ps", "path"] {
        assert_eq!(asked[field], other[field], "{field}");
    }
}

/// Layers whose gradients are summed while the next is computed: a step takes all computations and the last sum, where
/// each sum takes no longer than a computation.
#[test]
fn sums_overlap_with_the_next_layer() {
    let sum = |id, before: u64| Node::collective(id, ALLREDUCE, 100_000, &[before]);
    let layers = 4_u64;
    let mut nodes = Vec::new();
    for layer in 0..layers {
        let before: Vec<u64> = (layer > 0).then(|| 2 * layer - 2).into_iter().collect();
        nodes.push(Node::compute(2 * layer, 200, &before));
        nodes.push(sum(2 * layer + 1, 2 * layer));
    }
    let alone = last(&traced(
        &vec![vec![Node::compute(0, 200, &[]), sum(1, 0)]; 8],
        ("", "allreduce = \"ring\"\n"),
    ));
    let step = traced(&vec![nodes; 8], ("", "allreduce = \"ring\"\n"));
    assert_eq!(last(&step), (layers - 1) * 200_000_000 + alone);
    let told = one(&step);
    assert_eq!(told["collectives"][0]["calls"], layers);
    assert_eq!(number(&told["collectives"][0]["longest_ps"]), alone - 200_000_000);
    assert_eq!(told["path_ps"], layers * 200_000_000);
    assert_eq!(number(&told["most_computing_ps"]), layers * 200_000_000);
}

/// The operations of one process group go one after the other; those of two groups go at once.
#[test]
fn operations_of_a_process_group_take_turns() {
    let groups = "{\"a\": [0, 1], \"b\": [1, 0]}";
    let run = |names: [&str; 2]| {
        let call = |id, name| Node::collective(id, ALLREDUCE, 1_000_000, &[]).of(name);
        let nodes = vec![call(0, names[0]), call(1, names[1])];
        let fields = "allreduce = \"ring\"\nprocess_groups = \"g.json\"\n";
        let bench = traced(&[nodes.clone(), nodes], ("", fields));
        bench.write("g.json", groups);
        (last(&bench), bench)
    };
    let (turns, bench) = run(["a", "a"]);
    let (at_once, _) = run(["a", "b"]);
    let told = one(&bench);
    let each = number(&told["collectives"][0]["longest_ps"]);
    // The two share a port: together they take as long as both, but for the way and the acknowledgement between them.
    assert!(turns <= 2 * each && turns > 2 * each - 10_000, "{turns} {each}");
    assert!(at_once < turns && at_once > turns - 10_000_000, "{at_once} {turns}");
    let asked = bench.ask(&["trace", "t.0.et", "--process-groups", "g.json"]);
    assert_eq!(asked["collectives"][0]["group"], "a");
    assert_eq!(asked["collectives"][0]["over_light"], serde_json::json!(["ring-multicast"]));
    bench.refuses(
        &["trace", "t.0.et"],
        &["t.0.et: rank 0: record 2: node 0", "names process group \"a\""],
    );
}

/// Two process groups of the same hosts send to one group: its messages go in the order in which they are possible, and
/// no operation waits for one that waits for it.
#[test]
fn two_process_groups_share_a_group() {
    let call = |id: u64, name: &str, before: &[u64]| {
        Node::collective(id, ALLGATHER, 20_000, before).of(name)
    };
    // b, a, b, a: each after the one before it, with a computation between.
    let mut nodes = Vec::new();
    for turn in 0..4_u64 {
        let before: Vec<u64> = turn.checked_sub(1).map(|last| 2 * last + 1).into_iter().collect();
        nodes.push(Node::compute(2 * turn, 3 + turn, &before));
        nodes.push(call(2 * turn + 1, if turn % 2 == 0 { "b" } else { "a" }, &[2 * turn]));
    }
    let fields = "allgather = \"multicast\"\nhosts = [0, 4, 5]\nprocess_groups = \"g.json\"\n";
    let bench = traced(&vec![nodes; 3], (&group("[0, 4, 5]"), fields));
    bench.write("g.json", "{\"a\": [0, 1, 2], \"b\": [2, 1, 0]}");
    let told = one(&bench);
    assert_eq!((&told["completed"], &told["ended"]), (&3.into(), &24.into()));
    let calls = told["collectives"].as_array().expect("a list");
    assert!(calls.iter().all(|one| one["completed"] == 2), "{told}");
}

/// A rank that never comes: the others wait, and the answer says so.
#[test]
fn a_failed_operation_is_told() {
    let nodes = |late: bool| {
        let before: Vec<Node> = late.then(|| Node::receive(0, 1, 8, &[])).into_iter().collect();
        let data = if late { vec![0] } else { vec![] };
        let send = (!late).then(|| Node::send(5, 0, 8, &[]));
        before
            .into_iter()
            .chain(send)
            .chain([Node::collective(1, ALLREDUCE, 8_000, &data)])
            .collect()
    };
    let failure = "[[failure]]\nlink = [1, \"leaf 0\"]\nat = \"0 s\"\n";
    let bench =
        traced(&[nodes(true), nodes(false)], ("", &format!("allreduce = \"ring\"\n{failure}")));
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let told = &ran.document()["traces"][0];
    assert_eq!((&told["completed"], &told["last_ps"]), (&0.into(), &Value::Null));
    let calls = &told["collectives"][0];
    assert_eq!(
        (&calls["calls"], &calls["completed"], &calls["median_ps"]),
        (&1.into(), &0.into(), &Value::Null)
    );
}

#[test]
fn threads_change_nothing() {
    let mut nodes = vec![Node::compute(0, 5, &[])];
    nodes.extend((1..9).map(|id| {
        Node::collective(id, if id % 2 == 0 { ALLREDUCE } else { ALLGATHER }, 9_000, &[id - 1])
    }));
    let fields = "allreduce = \"ring-multicast\"\nallgather = \"multicast\"\norder = \"random\"\n";
    let bench = traced(&vec![nodes; 8], (&group("\"all\""), fields));
    let ask = |threads: &str| {
        let mut report = bench.ask(&["simulate", "s.toml", "--threads", threads]);
        report["timing"] = Value::Null;
        report
    };
    assert_eq!(ask("1"), ask("4"));
}

/// What is refused: the field with the reason, or the file of the rank.
#[test]
fn what_cannot_run_is_refused() {
    let sum = || vec![Node::collective(1, ALLREDUCE, 8_000, &[])];
    let three = vec![sum(); 3];
    let ring = "allreduce = \"ring\"\n";
    let lit = "allreduce = \"ring-multicast\"\n";
    let many = format!("{}{}", group("[0, 1, 2]"), group("[2, 1, 0]").replace("all", "too"));
    let datagram = format!("{}transport = \"datagram\"\n", group("[0, 1, 2]"));
    let changed =
        format!("{}[[change]]\ngroup = \"all\"\nat = \"0 s\"\njoins = [5]\n", group("[0, 1, 2]"));
    let cases: [(&str, &str, &str); 13] = [
        (
            "",
            "",
            "trace.allreduce: is missing, and the trace has collective operations of this kind (allreduce)",
        ),
        (
            "",
            "allreduce = \"binomial\"\n",
            "trace.allreduce: found binomial, which is no schedule of allreduce",
        ),
        ("", "allreduce = \"recursive-doubling\"\n", "needs a power of two, such as 2 or 4"),
        (
            "",
            "allreduce = \"ring\"\nbarrier = \"dissemination\"\n",
            "trace.barrier: is for traces with barrier",
        ),
        (
            "",
            "allreduce = \"ring\"\nslice = \"1 kB\"\n",
            "trace.slice: is for schedules with slices",
        ),
        (
            "",
            lit,
            "no [[group]] has just the hosts of process group \"\": [host 0, host 1, host 2]; add one",
        ),
        (&many, lit, "2 have the hosts of process group"),
        (&datagram, lit, "a group of datagrams, whose sender does not learn of their arrival"),
        (&changed, lit, "sends to a group whose members change"),
        (
            &group("[0, 1, 2]"),
            "allreduce = \"ring-multicast\"\nhosts = [0, 1, 4]\n",
            "no [[group]] has just the hosts",
        ),
        ("", "allreduce = \"ring\"\nprocess_groups = \"none.json\"\n", "none.json"),
        ("", "allreduce = \"ring\"\nhosts = [0, 1]\n", "2 hosts for a trace of 3 ranks"),
        ("", "allreduce = \"ring\"\nspeed = \"0 op/s\"\n", "trace.speed: found 0 op/s"),
    ];
    for (before, fields, message) in cases {
        traced(&three, (before, fields)).refuses(&["simulate", "s.toml"], &[message]);
    }
    let gap = traced(&three, ("", ring));
    std::fs::remove_file(gap.path("t.1.et")).expect("it is there");
    gap.refuses(&["simulate", "s.toml"], &["has a file of rank 2 beside it, and none of rank 1"]);
    gap.refuses(&["trace", "t.2.et"], &["t.2.et: is not the file of rank 0"]);
    gap.refuses(&["trace", "t.7.et"], &["t.7.et: is not the file of rank 0"]);
    let cut = traced(&three, ("", ring));
    let bytes = file(&sum());
    cut.write("t.2.et", &bytes[..bytes.len() - 1]);
    cut.refuses(&["simulate", "s.toml"], &["t.2.et: rank 2: record 2: has ", "is it truncated"]);
    let lone = traced(&three, ("", ring));
    std::fs::remove_file(lone.path("t.0.et")).expect("it is there");
    lone.refuses(&["simulate", "s.toml"], &["trace.file: ", "cannot be read"]);
    let huge = vec![vec![Node::collective(1, ALLREDUCE, 2_000_000_000_000, &[])]; 2];
    traced(&huge, ("", ring))
        .refuses(&["simulate", "s.toml"], &["rank 0: record 2: ", "one has at most 1 TB"]);
    let goal = traced(&three, ("", ring));
    goal.refuses(
        &["trace", "t.0.et", "--goal", "t.goal"],
        &["t.0.et: has 1 collective operations, and GOAL has none"],
    );
    assert!(!goal.path("t.goal").exists());
    goal.write("x.goal", "num_ranks 1\nrank 0 {\ncalc 1\n}\n");
    goal.write("g.json", "{}");
    goal.refuses(&["trace", "x.goal", "--process-groups", "g.json"], &["is for traces of Chakra"]);
    goal.refuses(
        &["trace", "s.toml", "--process-groups", "g.json"],
        &["--process-groups: is for traces of Chakra"],
    );
    goal.write(
        "s.toml",
        format!("{NETWORK}[[trace]]\nfile = \"x.goal\"\nprocess_groups = \"g.json\"\n"),
    );
    goal.refuses(
        &["simulate", "s.toml"],
        &["s.toml:12: trace.process_groups: ", "GOAL has no process groups"],
    );
}

//! Collective operations of scenarios: their messages, what the report says of them, and what is refused.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const NETWORK: &str = "version = 1\nseed = 3\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\n\
                       spines = 2\nhosts_per_leaf = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";

fn scenario(more: &str) -> Bench {
    bench_with(&format!("{NETWORK}{more}"))
}

/// A message of `flows.csv`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Flow {
    from: u64,
    to: u64,
    bytes: u64,
    asked: u64,
    received: u64,
    acknowledged: u64,
}

/// The flows of a run, in order.
fn flows(bench: &Bench) -> Vec<Flow> {
    let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let numbers = |name: &str| {
        let column = bench.column("out/flows.csv", name).into_iter();
        column.map(|cell| cell.parse::<u64>().expect("a number")).collect::<Vec<_>>()
    };
    let columns =
        ["from", "to", "size_bytes", "start_ps", "received_ps", "acknowledged_ps"].map(numbers);
    let flow = |row: usize| {
        let [from, to, bytes, asked, received, acknowledged] =
            [0, 1, 2, 3, 4, 5].map(|column: usize| columns[column][row]);
        Flow { from, to, bytes, asked, received, acknowledged }
    };
    (0..columns[0].len()).map(flow).collect()
}

#[test]
fn a_tree_sends_from_whoever_has_it() {
    let bench = scenario(
        "[[collective]]\noperation = \"broadcast\"\nschedule = \"binomial\"\nmembers = [9, 2, 5, 14, 7]\n\
         root = 5\nsize = \"100 kB\"\n",
    );
    let flows = flows(&bench);
    let pairs: Vec<_> = flows.iter().map(|flow| (flow.from, flow.to)).collect();
    // The root comes first, and the others follow it: 5, 14, 7, 9, 2.
    assert_eq!(pairs, [(5, 2), (5, 7), (5, 14), (7, 9)]);
    assert!(flows.iter().all(|flow| flow.bytes == 100_000));
    assert_eq!(flows[1].asked, flows[0].acknowledged);
    assert_eq!(flows[3].asked, flows[1].received);
}

/// A member is done with one time when it has all, and all that it sent is acknowledged. Only then it sends for the
/// next.
#[test]
fn members_repeat_when_they_are_done() {
    for (operation, schedule, size) in [
        ("allreduce", "ring", true),
        ("broadcast", "binomial", true),
        ("broadcast", "chain", true),
        ("allgather", "bruck", true),
        ("all-to-all", "pairwise", true),
        ("all-to-all", "concurrent", true),
        ("barrier", "dissemination", false),
    ] {
        let size = if size { "size = \"300 kB\"\n" } else { "" };
        let bench = scenario(&format!(
            "[[collective]]\noperation = \"{operation}\"\nschedule = \"{schedule}\"\nmembers = [1, 6, 3, 12, 8]\n\
             repeat = 3\n{size}"
        ));
        let flows = flows(&bench);
        let times: Vec<&[Flow]> = flows.chunks(flows.len() / 3).collect();
        assert_eq!(times.len(), 3);
        for pair in times.windows(2) {
            for host in [1, 6, 3, 12, 8] {
                let came = pair[0].iter().filter(|flow| flow.to == host).map(|flow| flow.received);
                let sent =
                    pair[0].iter().filter(|flow| flow.from == host).map(|flow| flow.acknowledged);
                let done = came.chain(sent).max().expect("each takes part");
                let next = pair[1].iter().filter(|flow| flow.from == host).map(|flow| flow.asked);
                let is_later = next.min().is_none_or(|next| next >= done);
                assert!(is_later, "{operation} {schedule}: host {host} begins too early");
            }
        }
        let key = |flow: &Flow| (flow.from, flow.to, flow.bytes);
        assert!(times[0].iter().map(key).eq(times[2].iter().map(key)));
    }
}

/// What the report says of members is what the messages say, summed up by another reader.
#[test]
fn reports_follow_from_messages() {
    let bench = scenario(
        "[[collective]]\noperation = \"allreduce\"\nschedule = \"halving-doubling\"\nsize = \"1 MB\"\n\
         name = \"=step\"\n\
         repeat = 2\n[[collective]]\noperation = \"all-to-all\"\nschedule = \"concurrent\"\n\
         members = [0, 4, 8, 12]\nsize = \"400 kB\"\nstart = \"1 ms\"\n",
    );
    let flows = flows(&bench);
    assert_eq!(flows.len(), 2 * 2 * 4 * 16 + 12);
    let report: Value = serde_json::from_str(
        &std::fs::read_to_string(bench.path("out/report.json")).expect("a report"),
    )
    .expect("JSON");
    let collectives = report["collectives"].as_array().expect("a list");
    assert_eq!(collectives[0]["messages"], 128);
    assert_eq!(collectives[0]["sent_bytes"], 30_000_000);
    assert_eq!(collectives[1]["sent_bytes"], 1_200_000);
    assert!(collectives.iter().all(|one| one["wire"].is_null()), "they share links");
    let [first, second] = [&flows[..128], &flows[128..256]];
    let times = collectives[0]["times"].as_array().expect("a list");
    for (time, flows) in times.iter().zip([first, second]) {
        let start = flows.iter().map(|flow| flow.asked).min().expect("flows");
        let mut last: BTreeMap<u64, u64> = BTreeMap::new();
        for flow in flows {
            let at = last.entry(flow.to).or_default();
            *at = flow.received.max(*at);
        }
        let mut had: Vec<u64> = last.values().map(|at| at - start).collect();
        had.sort_unstable();
        assert_eq!(time["start_ps"], start);
        assert_eq!((&time["first_ps"], &time["last_ps"]), (&had[0].into(), &had[15].into()));
        assert_eq!(time["median_ps"], had[7]);
    }
    let (file, column) = ("out/collectives.csv", |name| bench.column("out/collectives.csv", name));
    assert_eq!(column("host").len(), 2 * 16 + 4, "{file}");
    assert_eq!(column("name")[0], "'=step", "a sheet takes it for no formula");
    let latest = column("received_ps").into_iter().map(|cell| cell.parse::<u64>().unwrap()).max();
    assert_eq!(latest, flows.iter().map(|flow| flow.received).max());
}

#[test]
fn orders_are_those_that_are_said() {
    let order = |more: &str| {
        let bench = scenario(&format!(
            "[[collective]]\noperation = \"broadcast\"\nschedule = \"increasing-ring\"\nsize = \"1 kB\"\n{more}"
        ));
        flows(&bench).iter().map(|flow| flow.to).collect::<Vec<_>>()
    };
    let members = "members = [4, 0, 9, 5, 1, 8]\n";
    assert_eq!(order(members), [0, 9, 5, 1, 8]);
    assert_eq!(order(&format!("{members}order = \"racks\"\n")), [5, 8, 9, 0, 1]);
    assert_eq!(order(&format!("{members}root = \"host 9\"\n")), [5, 1, 8, 4, 0]);
    let random = order(&format!("{members}order = \"random\"\n"));
    assert_eq!(order(&format!("{members}order = \"random\"\n")), random);
    let mut sorted = random.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [0, 1, 5, 8, 9]);
    assert_eq!(order("").len(), 15);
}

/// A member whose link is cut lacks data: the operation never completes, and the answer says so.
#[test]
fn what_never_completes_is_said() {
    let ring = "[[collective]]\noperation = \"allgather\"\nschedule = \"ring\"\nmembers = [0, 1, 2, 3]\n\
                size = \"1 MB\"\n[[failure]]\nlink = [\"host 2\", \"leaf 0\"]\nat = \"5 us\"\n";
    let bench = scenario(ring);
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    let one = &ran.document()["collectives"][0];
    assert_eq!((&one["completed"], &one["completion"]), (&0.into(), &Value::Null));
    assert_eq!((&one["bus_bps"], &one["wire"]), (&Value::Null, &Value::Null));
    assert_eq!(one["times"][0]["last_ps"], Value::Null);
    let warned = ran.document()["warnings"].to_string();
    assert!(warned.contains("allgather ring") && warned.contains("4 of 4 members"), "{warned}");
    let shown = bench.run(&["simulate", "s.toml"]).said();
    assert!(shown.starts_with("The time was up") && shown.contains("0 of 1"), "{shown}");
    // A queue pair that gives up is an error of the run.
    let gives_up = NETWORK.to_owned() + ring + "[parameters.transport]\nretries = 0\n";
    let ran = bench_with(&gives_up).run(&["simulate", "s.toml", "--json"]);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.document()["collectives"][0]["completed"], 0);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let bench = scenario(
        "[[group]]\nname = \"all\"\nmembers = \"all\"\n[[collective]]\noperation = \"allreduce\"\n\
         schedule = \"ring-multicast\"\ngroup = \"all\"\nsize = \"1 MB\"\nrepeat = 2\n[[collective]]\n\
         operation = \"broadcast\"\nschedule = \"double-tree\"\nsize = \"500 kB\"\nstart = \"100 us\"\n\
         [[loss]]\nlink = [\"host 3\", \"leaf 0\"]\nrate = 0.01\n",
    );
    for (threads, out) in [("1", "a"), ("2", "b"), ("3", "c")] {
        let ran = bench.run(&["simulate", "s.toml", "--threads", threads, "--out", out]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    let files = bench.snapshot();
    for name in ["report.json", "flows.csv", "collectives.csv", "receivers.csv", "links.csv"] {
        let of = |folder: &str| &files[&bench.path(&format!("{folder}/{name}"))];
        assert!(of("a") == of("b") && of("a") == of("c"), "{name}");
    }
}

/// Replicas tell each operation over their runs.
#[test]
fn several_runs_tell_operations() {
    let bench = scenario(
        "[[collective]]\noperation = \"broadcast\"\nschedule = \"chain\"\nsize = \"1 MB\"\n\
         [[loss]]\nlink = [\"host 3\", \"leaf 0\"]\nrate = 0.02\n",
    );
    let report = bench.ask(&["simulate", "s.toml", "--seeds", "3"]);
    let one = &report["collectives"][0];
    assert_eq!((&one["completed"], &one["mean_ps"]["runs"]), (&3.into(), &3.into()));
    let of_runs: Vec<f64> = report["replicas"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| run["collectives"][0]["mean_ps"].as_f64().expect("a time"))
        .collect();
    let mean = of_runs.iter().sum::<f64>() / 3.0;
    assert!((one["mean_ps"]["mean"].as_f64().expect("a mean") - mean).abs() < 1.0);
    assert!(of_runs[0] != of_runs[1] || of_runs[1] != of_runs[2]);
    let shown = bench.run(&["simulate", "s.toml", "--seeds", "2"]).said();
    assert!(shown.contains("broadcast chain"), "{shown}");
}

#[test]
fn wrong_operations_are_refused_at_their_line() {
    let bcast = "operation = \"broadcast\"\nschedule = \"binomial\"\nsize = \"1 kB\"\n";
    let with = |more: &str| format!("{bcast}{more}");
    let gather = "operation = \"allgather\"\nsize = \"1 kB\"\n";
    let light = "group = \"all\"\nsize = \"1 kB\"\nschedule = \"multicast\"\n";
    for (row, parts) in [
        (String::new(), ["collective.operation", "is missing"]),
        ("operation = \"broadcast\"\n".into(), ["collective.schedule", "is missing"]),
        ("operation = \"gathers\"\n".into(), ["operation", "gather"]),
        (
            "operation = \"broadcast\"\nschedule = \"binomial\"\n".into(),
            ["collective.size", "is missing"],
        ),
        (
            "operation = \"broadcast\"\nschedule = \"bruck\"\nsize = \"1 kB\"\n".into(),
            [
                "collective.schedule",
                "no schedule of broadcast; those are sequential, concurrent, binomial",
            ],
        ),
        (
            format!("{gather}schedule = \"recursive-doubling\"\nmembers = [0, 1, 2]\n"),
            [
                "collective.schedule",
                "found 3 members; recursive-doubling needs a power of two, such as 2 or 4",
            ],
        ),
        (
            "operation = \"barrier\"\nschedule = \"dissemination\"\nsize = \"1 kB\"\n".into(),
            ["size", "known here"],
        ),
        (with("members = [3]\n"), ["collective.members", "at least two members"]),
        (with("members = [1, 2, 1]\n"), ["collective.members", "twice"]),
        (with("members = [1, 99]\n"), ["collective.members", "99"]),
        (
            with("members = [1, 2]\nroot = 3\n"),
            ["collective.root", "\"host 3\", which is no member"],
        ),
        (with("slice = \"1 kB\"\n"), ["collective.slice", "does nothing with binomial"]),
        (with("group = \"all\"\n"), ["collective.group", "does nothing with binomial"]),
        (with("name = \" \"\n"), ["collective.name", "found an empty name"]),
        (with("repeat = 0\n"), ["collective.repeat", "0"]),
        (with("start = \"1 s\"\n"), ["collective.start", "the run ends at 50 ms"]),
        (with("order = \"odd\"\n"), ["order", "listed"]),
        (
            "operation = \"broadcast\"\nschedule = \"chain\"\nsize = \"10 GB\"\nslice = \"1 B\"\n"
                .into(),
            ["collective.schedule", "flows in all"],
        ),
        (
            format!("operation = \"broadcast\"\n{light}members = [1, 2]\n"),
            ["collective.members", "name the group"],
        ),
        (
            format!("operation = \"broadcast\"\n{light}").replace("all", "al"),
            ["collective.group", "\"al\""],
        ),
        (
            "operation = \"broadcast\"\nschedule = \"multicast\"\nsize = \"1 kB\"\n".into(),
            ["collective.group", "is missing"],
        ),
        (
            format!("operation = \"allgather\"\n{light}at_once = 2\n"),
            ["collective.at_once", "one message at a time"],
        ),
        (
            format!("operation = \"allgather\"\n{light}").replace("1 kB", "15 B"),
            ["collective.size", "found 15 B for 16 members"],
        ),
        (
            format!("operation = \"broadcast\"\n{light}repeat = 2\n")
                .replace("\"all\"", "\"drops\""),
            ["collective.repeat", "datagrams"],
        ),
        (
            format!("operation = \"broadcast\"\n{light}").replace("\"all\"", "\"changing\""),
            ["collective.group", "members change"],
        ),
    ] {
        let bench = scenario(&format!(
            "[[group]]\nname = \"all\"\nmembers = \"all\"\n[[group]]\nname = \"drops\"\nmembers = \"all\"\n\
             transport = \"datagram\"\n[[group]]\nname = \"changing\"\nmembers = [0, 1, 2]\n\
             [[change]]\ngroup = \"changing\"\nat = \"0 s\"\njoins = [3]\n[[collective]]\n{row}"
        ));
        let ran = bench.run(&["simulate", "s.toml"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{row}: {ran:?}");
        for part in parts.iter().chain(&["s.toml:"]) {
            assert!(ran.stderr.contains(part), "{row}: no {part:?} in {}", ran.stderr);
        }
    }
}

/// Flows of a host can wait for each other in files, too; what neither comes from it nor goes to it is refused.
#[test]
fn flows_wait_for_those_of_their_host() {
    let rows = "[[flow]]\nfrom = 0\nto = 5\nsize = \"200 kB\"\n\
                [[flow]]\nfrom = 0\nto = 9\nsize = \"10 kB\"\nafter = 0\n";
    let flows = flows(&scenario(rows));
    assert_eq!(flows[1].asked, flows[0].acknowledged);
    scenario(&rows.replace("from = 0\nto = 9", "from = 1\nto = 9")).refuses(
        &["simulate", "s.toml"],
        &["flow.after", "found 0, a flow from \"host 0\" to \"host 5\"; a host waits for what it receives or sends"],
    );
}

/// What the busiest ports carried is what `links.csv` says.
#[test]
fn wire_bandwidth_is_that_of_the_links() {
    let bench = scenario(
        "[[collective]]\noperation = \"allgather\"\nschedule = \"bruck\"\nsize = \"2 MB\"\nrepeat = 2\n\
         start = \"7 us\"\n[[group]]\nname = \"idle\"\nmembers = \"all\"\n",
    );
    let report = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let wire = &report["collectives"][0]["wire"];
    let bytes = bench.column("out/links.csv", "sent_bytes").into_iter();
    let bytes: Vec<u64> = bytes.map(|cell| cell.parse().expect("a number")).collect();
    let is_host = |name: &String| name.starts_with("host");
    let ends = |name: &str| bench.column("out/links.csv", name).into_iter();
    let of_host = ends("from_name").zip(ends("to_name")).map(|(a, b)| is_host(&a) || is_host(&b));
    let hosts = bytes.iter().zip(of_host).filter(|(_, is_one)| *is_one).map(|(bytes, _)| *bytes);
    assert_eq!(wire["link_bytes"].as_u64(), bytes.iter().copied().max());
    assert_eq!(wire["host_bytes"].as_u64(), hosts.max());
    let reached = report["end"]["reached_ps"].as_u64().expect("a time");
    assert_eq!(wire["time_ps"], reached - 7_000_000);
    let rate = wire["host_bytes"].as_f64().unwrap() * 8e12 / wire["time_ps"].as_f64().unwrap();
    assert!((wire["host_bps"].as_f64().unwrap() / rate - 1.0).abs() < 1e-12);
}

/// The tables of docs/collectives.md are what its examples say.
#[test]
fn the_tables_of_the_document_are_those_of_its_examples() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let document = std::fs::read_to_string(format!("{root}/docs/collectives.md")).expect("a text");
    let rate = |one: &Value| one["per_second"].as_f64().expect("a rate");
    let us = |ps: &Value| format!("{:.1} us", ps.as_f64().expect("a time") / 1e6);
    let ask = |example: &str| {
        let path = format!("{root}/examples/{example}");
        Bench::new().ask(&["simulate", &path])["collectives"].as_array().expect("a list").clone()
    };
    let mut told: Vec<String> = Vec::new();
    for one in ask("collectives.toml") {
        let time = &one["times"][0];
        told.push(format!("| {} | {} |", us(&time["first_ps"]), us(&time["last_ps"])));
    }
    let writes = ask("storage.toml");
    for size in writes[..6].chunks(3) {
        let cells = size.iter().map(|one| us(&one["completion"]["mean_ps"]));
        told.push(format!("| {} |", cells.collect::<Vec<_>>().join(" | ")));
    }
    let million = |one: &Value| format!("{:.2} million a second", rate(one) / 1e6);
    told.push(format!("| {} | | {} |", million(&writes[6]), million(&writes[7])));
    for row in told {
        assert!(document.contains(&row), "docs/collectives.md lacks {row:?}");
    }
}

//! What `lightloom simulate` does to files, and how long runs are recorded.

use std::collections::BTreeMap;

use crate::bench::Bench;
use crate::simulate::bench_with;

const SMALL: &str = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 2\n\
                     spines = 1\nhosts_per_leaf = 2\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n\
                     [[flow]]\nfrom = 0\nto = 3\nsize = \"10 kB\"\n";

fn answers(bench: &Bench, args: &[&str]) {
    let ran = bench.run(&[&["simulate", "s.toml"], args].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn a_trace_never_goes_over_what_is_read_or_written() {
    let bench = bench_with(SMALL);
    answers(&bench, &["--out", "out"]);
    let before = bench.snapshot();
    let refused = [
        (&["--trace", "s.toml"][..], "is a file that this run reads"),
        (&["--trace", "./s.toml"], "is a file that this run reads"),
        (&["--out", "out", "--trace", "out/trace.txt"], "would lie in the folder"),
        (&["--out", "out", "--trace", "out/../out/flows.csv"], "would lie in the folder"),
        (&["--trace", "out"], "is a folder"),
        (&["--trace", "none/trace.txt"], "cannot be written"),
    ];
    for (args, why) in refused {
        bench.refuses(&[&["simulate", "s.toml"], args].concat(), &["--trace: ", why]);
        assert_eq!(bench.snapshot(), before, "{args:?}");
    }
    answers(&bench, &["--out", "out", "--trace", "trace.txt"]);
    let names = bench.names(".");
    assert!(names.contains(&"trace.txt".into()) && !names.iter().any(|n| n.contains("part")));
}

#[test]
fn one_folder_holds_one_run_or_several() {
    let bench = bench_with(SMALL);
    answers(&bench, &["--out", "out"]);
    answers(&bench, &["--out", "out", "--seeds", "2"]);
    assert_eq!(bench.names("out"), ["replicas.csv", "report.json"]);
    answers(&bench, &["--out", "out"]);
    assert!(!bench.names("out").contains(&"replicas.csv".into()));
}

#[test]
fn long_runs_have_long_intervals() {
    let late = SMALL.replace("1 ms", "9200000 s") + "start = \"9100000 s\"\n";
    let bench = bench_with(&late);
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["flows"]["completed"], 1);
    let intervals = answer["throughput"]["bytes"].as_array().unwrap().len();
    assert!((1_000_000..=1 << 20).contains(&intervals), "{intervals}");
    let said = format!("{late}[probes]\ninterval = \"1 s\"\n");
    let bench = bench_with(&said);
    bench.refuses(&["simulate", "s.toml"], &["probes.interval: found 1 s", "9200000 intervals"]);
}

#[test]
fn means_leave_out_what_did_not_run() {
    // Too short for all flows: completion times are those of the lucky ones, and it is said.
    let short = SMALL.replace("1 ms", "6 us") + "[[flow]]\nfrom = 1\nto = 3\nsize = \"1 MB\"\n";
    let answer = bench_with(&short).ask(&["simulate", "s.toml", "--seeds", "3"]);
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.contains("3 of 3 runs have unfinished flows"), "{warning}");
}

#[test]
fn traffic_that_draws_nothing_is_refused_at_its_load() {
    let head = SMALL.split("[[flow]]").next().unwrap();
    let bench = bench_with(&format!(
        "{head}[[traffic]]\npattern = \"poisson\"\nload = 1e-9\nsize = \"1 kB\"\n"
    ));
    bench.refuses(
        &["simulate", "s.toml"],
        &["traffic.load: found 0.000000001, at which no message"],
    );
}

/// The cells of a CSV file by column name, line by line.
fn table(bytes: &[u8]) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    reader.deserialize().collect::<Result<_, _>>().expect("a header, and lines of as many cells")
}

/// What the files say of bytes is what the trace says, packet by packet.
#[test]
fn links_count_the_bytes_that_arrive() {
    let bench = bench_with(SMALL);
    answers(&bench, &["--out", "out", "--trace", "trace.csv"]);
    let files = bench.snapshot();
    let read = |name: &str| table(&files[&bench.path(name)]);
    let number = |row: &BTreeMap<String, String>, column: &str| -> u64 {
        row[column].parse().unwrap_or_else(|_| panic!("{column} in {row:?}"))
    };
    let mut at_node: BTreeMap<u64, u64> = BTreeMap::new();
    for hop in read("trace.csv") {
        *at_node.entry(number(&hop, "node")).or_default() += number(&hop, "bytes");
    }
    let mut sent_to: BTreeMap<u64, u64> = BTreeMap::new();
    for link in read("out/links.csv") {
        assert_eq!(number(&link, "sent"), number(&link, "received"), "nothing is lost here");
        *sent_to.entry(number(&link, "to")).or_default() += number(&link, "sent_bytes");
    }
    sent_to.retain(|_, bytes| *bytes > 0);
    assert_eq!(sent_to, at_node);
    assert!(sent_to[&3] > 10_000, "10 kB of payload and its headers");
}

/// Names stand beside numbers, whatever is in them.
#[test]
fn flows_name_their_hosts() {
    let bench = bench_with(
        "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"edge-list\"\nfile = \"links.csv\"\n\
         [[flow]]\nfrom = \"a, \\\"left\\\"\"\nto = \"b\"\nsize = \"10 kB\"\n\
         [[flow]]\nfrom = \"b\"\nto = \"=c\"\nsize = \"10 kB\"\n",
    );
    let links =
        "a,b,rate,delay\n\"a, \"\"left\"\"\",s,1 Gb/s,1 us\nb,s,1 Gb/s,1 us\n=c,s,1 Gb/s,1 us\n";
    bench.write("links.csv", links);
    answers(&bench, &["--out", "out"]);
    let files = bench.snapshot();
    let flows = table(&files[&bench.path("out/flows.csv")]);
    let names: Vec<[&str; 2]> =
        flows.iter().map(|flow| [&*flow["from_name"], &*flow["to_name"]]).collect();
    // A spreadsheet would take `=c` for a formula, in this file as in links.csv.
    assert_eq!(names, [["a, \"left\"", "b"], ["b", "'=c"]]);
    for link in table(&files[&bench.path("out/links.csv")]) {
        for flow in &flows {
            assert!(link["from"] != flow["from"] || link["from_name"] == flow["from_name"]);
        }
    }
}

/// Programs that read tables take the first line for the header, and a comma for the end of a cell.
#[test]
fn all_tables_begin_with_their_header() {
    let bench = bench_with(&format!("{SMALL}[probes]\nflows = true\n"));
    answers(&bench, &["--out", "out", "--trace", "trace.csv"]);
    answers(&bench, &["--out", "several", "--seeds", "2"]);
    let mut tables = 0;
    for (path, bytes) in bench.snapshot() {
        if path.extension().is_some_and(|extension| extension == "csv") {
            let table = table(&bytes);
            let header = String::from_utf8(bytes).unwrap().lines().next().unwrap().to_owned();
            let names: Vec<&str> = header.split(',').collect();
            assert!(names.len() > 2 && table[0].len() == names.len(), "{path:?}: {header}");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(names.iter().all(|name| name.chars().all(plain)), "{path:?}: {header}");
            tables += 1;
        }
    }
    assert_eq!(tables, 6);
}

/// A capture holds the same bytes whatever else is recorded, and on any number of threads.
#[test]
fn captures_depend_on_the_run_alone() {
    let bench = bench_with(SMALL);
    let one = |file: &str, more: &[&str]| {
        let capture = format!("{file}:host 0<>leaf 0");
        answers(&bench, &[&["--pcap", &capture], more].concat());
        std::fs::read(bench.path(file)).unwrap()
    };
    let alone = one("a.pcapng", &[]);
    assert!(alone.len() > 10_000, "10 kB of payload");
    assert_eq!(one("b.pcapng", &["--threads", "2"]), alone);
    let beside = ["--trace", "trace.csv", "--out", "out", "--pcap", "c.pcapng:leaf 1>spine 0"];
    assert_eq!(one("d.pcapng", &beside), alone);
    assert_ne!(std::fs::read(bench.path("c.pcapng")).unwrap(), alone);
    // A second run replaces the files of the first.
    assert_eq!(one("c.pcapng", &[]), alone);
    let names = bench.names(".");
    assert!(!names.iter().any(|name| name.contains("part")), "{names:?}");
}

#[test]
fn a_capture_never_goes_over_what_is_read_or_written() {
    let bench = bench_with(SMALL);
    answers(&bench, &["--out", "out"]);
    let refused = [
        (&["--pcap", "s.toml:0>leaf 0"][..], "is a file that this run reads"),
        (&["--out", "out", "--pcap", "out/a:0>leaf 0"], "would lie in the folder"),
        (&["--pcap", "out:0>leaf 0"], "is a folder"),
        (&["--pcap", "none/a:0>leaf 0"], "cannot be written"),
        (&["--pcap", "a:0>leaf 0", "--pcap", "./a:1>leaf 0"], "is the file of another --pcap"),
        (&["--trace", "a", "--pcap", "out/../a:1>leaf 0"], "is the file of another --trace"),
        (&["--pcap", "a:0>leaf 1"], "found no link or branch from \"host 0\" to \"leaf 1\""),
        (&["--pcap", "a:0>leaf 0", "--pcap", "b:0>leaf 7"], "found no node \"leaf 7\""),
        (&["--pcap", "a:"], "expected FILE:LINK"),
        (&["--pcap", "0>leaf 0"], "expected FILE:LINK"),
        (&["--seeds", "2", "--pcap", "a:0>leaf 0"], "is for one run"),
    ];
    for (args, why) in refused {
        bench.refuses(&[&["simulate", "s.toml"], args].concat(), &["--pcap", why]);
    }
    let odd = format!("{SMALL}[parameters.wire]\nheader = \"70 B\"\n");
    let bench = bench_with(&odd);
    let args = ["simulate", "s.toml", "--pcap", "a:0>leaf 0"];
    bench.refuses(&args, &["--pcap: ", "parameters.wire.header is 70 B, expected 62 B"]);
}

//! A group beside flows that share its receivers in turn.

use crate::simulate::bench_with;

/// The scenario of cepheus:fig14 in small: a group of sixteen hosts, a flow between two of its receivers, and later a
/// flow between two others. The parameters are those of the RDMA simulations, with a faster increase, so that the run
/// is short.
fn scenario(notices: &str) -> String {
    format!(
        "version = 1\nuntil = \"36 ms\"\n\
         [network]\nkind = \"leaf-spine\"\nleaves = 4\nspines = 4\nhosts_per_leaf = 4\nrate = \"100 Gb/s\"\n\
         length = \"20 m\"\n\
         [[group]]\nname = \"f1\"\nmembers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]\n\
         transport = \"rc\"\n\
         [[multicast]]\ngroup = \"f1\"\nfrom = 0\nsize = \"1 GB\"\n\
         [[flow]]\nfrom = 1\nto = 2\nsize = \"50 MB\"\nstart = \"3 ms\"\n\
         [[flow]]\nfrom = 3\nto = 4\nsize = \"50 MB\"\nstart = \"27 ms\"\n\
         [parameters]\nset = \"rdma-ns3\"\n\
         [parameters.dcqcn]\nnotices = \"{notices}\"\nadditive = \"100 Mb/s\"\nhyper = \"1 Gb/s\"\n\
         [probes]\ninterval = \"1 ms\"\nflows = true\nreceivers = true\n"
    )
}

/// The mean goodput within these milliseconds, in Gb/s, of the rows that a column names so.
fn mean(table: &[u8], (column, name): (&str, &str), from: u64, to: u64) -> f64 {
    let mut reader = csv::Reader::from_reader(table);
    let titles = reader.headers().expect("a header").clone();
    let at = |title: &str| titles.iter().position(|each| each == title).expect(title);
    let (of, start, bytes) = (at(column), at("start_ps"), at("bytes"));
    let mut sum = 0.0;
    for row in reader.records().map(|row| row.expect("a row")) {
        let millisecond = row[start].parse::<u64>().expect("a time") / 1_000_000_000;
        if &row[of] == name && (from..to).contains(&millisecond) {
            sum += row[bytes].parse::<f64>().expect("a number") * 8.0 / 1e6;
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "a few milliseconds")]
    let time = (to - from) as f64;
    sum / time
}

/// cepheus:fig14: the group has the line rate alone, shares it fairly with the first flow, takes all again when that
/// has ended, and shares with the second one at another bottleneck. It does so with notifications as packets, and as
/// bits on answers (cepheus:III-D.marks).
#[test]
fn a_group_shares_fairly_with_flows_that_come_and_go() {
    for notices in ["packets", "answers"] {
        let bench = bench_with(&scenario(notices));
        bench.run(&["simulate", "s.toml", "--out", "out"]);
        let files = bench.snapshot();
        let group = |from, to| {
            mean(&files[&bench.path("out/receiver-throughput.csv")], ("to", "2"), from, to)
        };
        let flow = |name, from, to| {
            mean(&files[&bench.path("out/flow-throughput.csv")], ("flow", name), from, to)
        };
        assert!(group(1, 3) > 90.0, "alone: {}", group(1, 3));
        assert!(group(25, 27) > 90.0, "alone again: {}", group(25, 27));
        for (name, from, to) in [("0", 5, 11), ("1", 30, 36)] {
            let (one, other) = (group(from, to), flow(name, from, to));
            assert!(one + other > 85.0, "{notices}: {one} and {other}");
            let share = one / (one + other);
            assert!((0.4..=0.6).contains(&share), "{notices}, flow {name}: {share}");
        }
    }
}

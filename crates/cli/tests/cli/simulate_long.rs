//! Messages that are longer than a message of InfiniBand may be.

use std::collections::BTreeMap;

use crate::bench::Bench;
use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"1 s\"\n[parameters.wire]\nmtu = \"4096 B\"\n\
                    [network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 1\nhosts_per_leaf = 3\n\
                    rate = \"400 Gb/s\"\ndelay = \"1 us\"\n";
/// The most bytes of a message (InfiniBand Architecture 1.4, 9.4).
const LONGEST: u64 = 1 << 31;

/// The cells of a table's first row, by column.
fn first_row(bench: &Bench, table: &str) -> BTreeMap<String, String> {
    let files = bench.snapshot();
    let mut reader = csv::Reader::from_reader(files[&bench.path(table)].as_slice());
    let titles = reader.headers().expect("a header").clone();
    let row = reader.records().next().expect("a row").expect("a row");
    titles.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect()
}

/// Bytes that the first host has sent, and the first row of another table.
fn ran(scenario: &str, table: &str) -> (u64, BTreeMap<String, String>) {
    let bench = bench_with(&format!("{HEAD}{scenario}"));
    bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let sent = first_row(&bench, "out/links.csv")["sent_bytes"].parse().expect("a number");
    (sent, first_row(&bench, &format!("out/{table}")))
}

/// A long flow is a series of messages of one queue pair: each has a header of WRITE, SEND has none, and the flow takes
/// the time of the closed form to the picosecond.
#[test]
fn a_long_flow_is_a_series_of_messages() {
    for (bytes, messages) in [(LONGEST, 1), (LONGEST + 1, 2), (2 * LONGEST + 5000, 3)] {
        let flow = |verb: &str| {
            let flow =
                format!("[[flow]]\nfrom = 0\nto = 2\nsize = \"{bytes} B\"\nverb = \"{verb}\"\n");
            let (sent, flow) = ran(&flow, "flows.csv");
            assert_eq!(flow["completion_ps"], flow["ideal_ps"], "{verb} of {bytes}");
            assert_eq!(flow["in_order_bytes"], bytes.to_string());
            sent
        };
        // The header of WRITE has 16 bytes.
        assert_eq!(flow("write") - flow("send"), 16 * messages, "{bytes}");
    }
}

/// Gleam announces each message of the series, Cepheus none.
#[test]
fn a_long_message_to_a_group_is_announced_in_parts() {
    let packets = |dialect: &str| -> u64 {
        let group = format!(
            "[[group]]\nname = \"g\"\nmembers = [0, 1, 2]\ntransport = \"rc\"\ndialect = \"{dialect}\"\n\
             [[multicast]]\ngroup = \"g\"\nfrom = 0\nsize = \"{} B\"\n",
            2 * LONGEST + 5000
        );
        let (_, receiver) = ran(&group, "receivers.csv");
        assert_eq!(receiver["in_order_bytes"], (2 * LONGEST + 5000).to_string());
        receiver["delivered"].parse().expect("a number")
    };
    assert_eq!(packets("cepheus"), (2 * LONGEST + 5000).div_ceil(4096));
    assert_eq!(packets("gleam"), packets("cepheus") + 3);
}

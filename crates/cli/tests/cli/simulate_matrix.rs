//! Flows of a traffic matrix.

use proptest::prelude::*;

use crate::bench::Bench;
use crate::simulate::bench_with;
use crate::simulate_traffic::flows;

const NETWORK: &str = "version = 1\nuntil = \"5 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\n\
                       spines = 1\nhosts_per_leaf = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";

/// A scenario whose flows are those of a matrix, over a network of 16 hosts, 4 at each leaf.
fn matrix(text: &str, more: &str) -> Bench {
    let bench = bench_with(&format!(
        "{NETWORK}[[traffic]]\npattern = \"matrix\"\nfile = \"m.csv\"\n{more}"
    ));
    bench.write("m.csv", text);
    bench
}

#[test]
fn hosts_send_what_their_rows_say() {
    let text = "bytes;0;host 5;7\n\"host 3\";2 kB;;1000\n5;;0;9 kB\n";
    let found = flows(&matrix(text, "start = \"2 us\"\n"), &[]);
    let at = 2_000_000;
    assert_eq!(flows(&matrix(",1\n0,4\n", ""), &[]), [(0, 1, 4, 0)], "the corner is empty");
    assert_eq!(found, [(3, 0, 2_000, at), (3, 7, 1_000, at), (5, 7, 9_000, at)]);
}

/// A rack has the hosts 4n to 4n + 3.
#[test]
fn hosts_of_a_rack_share_its_values() {
    let one = |text: &str| {
        let found = flows(&matrix(text, ""), &[]);
        found.into_iter().map(|(from, to, size, _)| (from, to, size)).collect::<Vec<_>>()
    };
    let between = one("from,leaf 1\nleaf 0,4002\n");
    assert_eq!(between, [(0, 4, 1_001), (1, 5, 1_001), (2, 6, 1_000), (3, 7, 1_000)]);
    assert_eq!(one("from,leaf 0\nleaf 0,4 B\n"), [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 1)]);
    assert_eq!(one("from,leaf 2\n1,3\n"), [(1, 8, 1), (1, 9, 1), (1, 10, 1)]);
    assert_eq!(one("from,9\nleaf 0,8\n"), [(0, 9, 2), (1, 9, 2), (2, 9, 2), (3, 9, 2)]);
    assert_eq!(one("from,leaf 0\n1,3\n"), [(1, 0, 1), (1, 2, 1), (1, 3, 1)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// A reader of its own sums up what is sent from rack to rack.
    #[test]
    fn what_is_sent_is_the_matrix(
        values in prop::array::uniform4(prop::array::uniform4(0_u64..5_000)),
    ) {
        prop_assume!(values.iter().flatten().any(|&value| value > 0));
        let mut text = String::from("from,leaf 0,leaf 1,leaf 2,leaf 3\n");
        for (number, row) in values.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(u64::to_string).collect();
            text += &format!("leaf {number},{}\n", cells.join(","));
        }
        let mut sums = [[0; 4]; 4];
        for (from, to, size, _) in flows(&matrix(&text, ""), &[]) {
            prop_assert_ne!(from, to);
            sums[usize::try_from(from / 4).unwrap()][usize::try_from(to / 4).unwrap()] += size;
        }
        prop_assert_eq!(sums, values);
    }
}

#[test]
fn wrong_matrices_are_refused_with_their_lines() {
    for (text, told) in [
        ("from,1\n0,0\n2,\n", "s.toml:12: traffic.file: names a matrix without messages"),
        ("from,1\n", "s.toml:12: traffic.file: names a matrix without messages"),
        ("from\n0\n", "m.csv:1: found from; the first line names the receivers"),
        ("from,1,\n0,1,2\n", "m.csv:1: found from, 1, ; the first line names the receivers"),
        ("from,1\n0,1,2\n", "m.csv:2: found 3 cells; the header has 2"),
        ("from,1\n,4\n", "m.csv:2: from: found an empty cell"),
        (",1\n,4\n", "m.csv:2: from: found an empty cell"),
        (",1\nnobody,4\n", "m.csv:2: from: found \"nobody\"; name a host"),
        ("Sender,1\n,4\n", "m.csv:2: Sender: found an empty cell"),
        ("Sender,1\nnobody,4\n", "m.csv:2: Sender: found \"nobody\"; name a host"),
        ("from,99\n0,4\n", "m.csv:1: 99: found 99; name a host by its number, 0 to 15"),
        ("from,1\nnobody,4\n", "m.csv:2: from: found \"nobody\"; name a host"),
        (
            "from,spine 0\n0,4\n",
            "m.csv:1: spine 0: found the switch \"spine 0\", which has no hosts",
        ),
        (
            "from,1,host 1\n0,4,4\n",
            "m.csv:1: host 1: found \"host 1\" again, after the column \"1\"",
        ),
        ("from,1\n2,4\n\n2,4\n", "m.csv:4: from: found \"host 2\" again, after line 2"),
        ("from,1\n1,4\n", "m.csv:2: 1: found 4 B from \"host 1\" to itself; leave it empty"),
        ("from,1\n0,-4\n", "m.csv:2: 1: "),
        ("from,Host 1\n0,4\n", "m.csv:1: Host 1: found \"Host 1\"; name a host"),
        ("from,1\n0,3 apples\n", "m.csv:2: 1: "),
        ("from,Leaf 1\n0,3 apples\n", "m.csv:2: Leaf 1: "),
        ("from,1\n0,99999999999999999999\n", "m.csv:2: 1: found 99999999999999999999; expected"),
        ("from,1\n0,2 TB\n", "m.csv:2: 1: found 2 TB; a message has at most 1 TB"),
    ] {
        let ran = matrix(text, "").run(&["simulate", "s.toml"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{text:?}: {ran:?}");
        assert!(ran.stderr.contains(told), "{text:?}: {ran:?}");
    }
    for (more, told) in [
        ("size = \"1 kB\"\n", "s.toml:13: traffic.size: unknown field"),
        ("hosts = [1, 2]\n", "s.toml:13: traffic.hosts: unknown field"),
    ] {
        let ran = matrix("from,1\n0,4\n", more).run(&["simulate", "s.toml"]);
        assert!(ran.code == 2 && ran.stderr.contains(told), "{ran:?}");
    }
    let none = bench_with(&format!("{NETWORK}[[traffic]]\npattern = \"matrix\"\n"));
    let ran = none.run(&["simulate", "s.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("traffic.file: is missing"), "{ran:?}");
}

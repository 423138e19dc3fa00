//! Flows that a file lists.

use crate::bench::Bench;
use crate::simulate::bench_with;
use crate::simulate_traffic::{NETWORK, flows};

/// A scenario whose flows are those of a file.
fn listed(flows: &str, more: &str) -> Bench {
    let bench = bench_with(&format!(
        "{NETWORK}[[traffic]]\npattern = \"listed\"\nfile = \"f.csv\"\n{more}"
    ));
    bench.write("f.csv", flows);
    bench
}

#[test]
fn the_flows_of_a_run_are_run_again_from_its_file() {
    let bench = bench_with(&format!(
        "{NETWORK}[[flow]]\nfrom = 3\nto = 9\nsize = \"70 kB\"\nstart = \"7 us\"\nverb = \"send\"\n\
         [[traffic]]\npattern = \"poisson\"\n\
         load = 0.4\nsize = \"9 kB\"\nduration = \"80 us\"\nclass = \"lossy\"\n"
    ));
    flows(&bench, &[]);
    let first = bench.snapshot()[&bench.path("out/flows.csv")].clone();
    let text = String::from_utf8(first.clone()).unwrap();
    assert!(text.contains("lossless") && text.contains("lossy") && text.lines().count() > 100);
    let again = listed(&text, "");
    let ran = again.run(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let warning = "Warning: f.csv: columns that are not read: flow, received_ps";
    assert!(ran.stdout.contains(warning), "{ran:?}");
    assert_eq!(again.snapshot()[&again.path("out/flows.csv")], first);
}

#[test]
fn flows_of_a_file_count_from_the_start_of_their_row() {
    let text = "To;From;Size;Start;Class\nhost 4;0;2 kB;3 us;lossy\n7;host 5;1 MB;;\n";
    let found = flows(&listed(text, "start = \"1 us\"\n"), &[]);
    assert_eq!(found, [(0, 4, 2_000, 4_000_000), (5, 7, 1_000_000, 1_000_000)]);
}

#[test]
fn wrong_files_of_flows_are_refused_with_their_lines() {
    for (text, told) in [
        ("from,to,size\n", "s.toml:11: traffic.file: names a file without flows"),
        ("from,size\n0,1 kB\n", "f.csv:1: to: the column is missing"),
        ("from,to\n0,1\n", "f.csv:1: size: the column is missing"),
        ("from,to,size,size_bytes\n0,1,1 kB,1000\n", "f.csv:1: size: found both columns"),
        (
            "from,to,size\n0,1,1 kB\n0,16,1 kB\n",
            "f.csv:3: to: found 16; name a host by its number, 0 to 15",
        ),
        ("from,to,size\n0,core 0,1 kB\n", "f.csv:2: to: found"),
        ("from,to,size\n0,,1 kB\n", "f.csv:2: to: found an empty cell"),
        ("from,to,size\n\n4,host 4,1 kB\n", "f.csv:3: to: found \"host 4\", the same host as from"),
        ("from,to,size\n0,1,0 B\n", "f.csv:2: size: found 0 B; expected 1 B to"),
        ("from,to,size\n0,1,1000\n", "f.csv:2: size: "),
        (
            "from,to,size_bytes\n0,1,-3\n",
            "f.csv:2: size_bytes: found \"-3\"; expected a number of bytes",
        ),
        ("from,to,size,start\n0,1,1 kB,5 ms\n", "f.csv:2: start: found 5 ms; the run ends at 5 ms"),
        (
            "from,to,size_bytes\n0,1,\n",
            "f.csv:2: size_bytes: found \"\"; expected a number of bytes",
        ),
        (
            "from,to,size,verb\n0,1,1 kB,read\n",
            "f.csv:2: verb: found \"read\"; expected write or send",
        ),
        (
            "from,to,size,class\n0,1,1 kB,fast\n",
            "f.csv:2: class: found \"fast\"; expected lossless or lossy",
        ),
    ] {
        let ran = listed(text, "").run(&["simulate", "s.toml"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{text:?}: {ran:?}");
        assert!(ran.stderr.contains(told), "{text:?}: {ran:?}");
    }
    let late = listed("from,to,size,start\n0,1,1 kB,3 ms\n", "start = \"2 ms\"\n");
    let told = "f.csv:2: start: found 3 ms after 2 ms; the run ends at 5 ms";
    assert!(late.run(&["simulate", "s.toml"]).stderr.contains(told));
    for (more, told) in [
        ("size = \"1 kB\"\n", "s.toml:12: traffic.size: unknown field"),
        ("hosts = [1, 2]\n", "s.toml:12: traffic.hosts: unknown field"),
        ("connection = \"a\"\n", "s.toml:12: traffic.connection: unknown field"),
    ] {
        let ran = listed("from,to,size\n0,1,1 kB\n", more).run(&["simulate", "s.toml"]);
        assert!(ran.code == 2 && ran.stderr.contains(told), "{ran:?}");
    }
    let none = bench_with(&format!("{NETWORK}[[traffic]]\npattern = \"listed\"\n"));
    let ran = none.run(&["simulate", "s.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("traffic.file: is missing"), "{ran:?}");
    let missing =
        bench_with(&format!("{NETWORK}[[traffic]]\npattern = \"listed\"\nfile = \"no.csv\"\n"));
    let ran = missing.run(&["simulate", "s.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("no.csv"), "{ran:?}");
}

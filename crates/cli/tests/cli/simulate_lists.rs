//! Files that a scenario names and that are wrong: lists of links, and distributions of sizes.

use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"1 ms\"\n";
const NETWORK: &str =
    "[network]\nkind = \"fat-tree\"\nports = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";

#[test]
fn lists_of_links_are_refused_where_they_are_wrong() {
    let scenario = format!(
        "{HEAD}[network]\nkind = \"edge-list\"\nfile = \"links.csv\"\n[[flow]]\nfrom = \"a\"\nto = \"b\"\nsize = \"1 \
            B\"\n"
    );
    let named = scenario.replace("file =", "nodes = \"nodes.csv\"\nfile =");
    let good = "a,b,rate,delay\na,s,1 Gb/s,1 us\nb,s,1 Gb/s,1 us\n";
    let run = |scenario: &str, links: &str, nodes: &str| {
        let bench = bench_with(scenario);
        bench.write("links.csv", links);
        bench.write("nodes.csv", nodes);
        bench
    };
    let nodes = "name,kind\na,host\nb,host\ns,switch\n";
    assert_eq!(run(&scenario, good, "").run(&["simulate", "s.toml"]).code, 0);
    assert_eq!(run(&named, good, nodes).run(&["simulate", "s.toml"]).code, 0);
    let cases: &[(&str, &str, &str, &[&str])] = &[
        (
            &scenario,
            &good.replace("b,s,1 Gb/s", "b,s,0 Gb/s"),
            "",
            &["links.csv:3: rate: found 0 bps"],
        ),
        (
            &scenario,
            &good.replace("b,s,1 Gb/s", "b,s,fast"),
            "",
            &["links.csv:3: rate: found \"fast\""],
        ),
        (
            &scenario,
            &good.replace("b,s,1 Gb/s,1 us", "b,s,1 Gb/s,0 us"),
            "",
            &["links.csv:3: delay: found a delay of 0 ps"],
        ),
        (
            &scenario,
            &good.replace("b,s,1 Gb/s,1 us", "b,s,1 Gb/s,"),
            "",
            &["links.csv:3: delay: is empty"],
        ),
        (&scenario, "a,b,rate\n", "", &["links.csv:1: length: the column is missing"]),
        // Names that overlap.
        (
            &scenario,
            &good.replace("b,s,", "b,S,"),
            "",
            &["links.csv:3: b: found \"S\", which differs from \"s\" of line 2 only in case"],
        ),
        (
            &scenario,
            &good.replace("a,s,", "a,s 1,").replace("b,s,", "b,s\u{a0} 1,"),
            "",
            &[
                "links.csv:3: b: found \"s\\u{a0} 1\", which differs from \"s 1\" of line 2 only in blanks or Unicode \
                    form",
            ],
        ),
        (
            &scenario,
            &good.replace("a,s,", "a,\u{e9},").replace("b,s,", "b,e\u{301},"),
            "",
            &[
                "links.csv:3: b: found \"e\\u{301}\", which differs from \"\\u{e9}\" of line 2 only in blanks or \
                    Unicode form",
            ],
        ),
        (
            &named,
            good,
            &nodes.replace("b,host", "a,host"),
            &["nodes.csv:3: name: found \"a\" a second time"],
        ),
        (
            &named,
            good,
            &nodes.replace("b,host\n", ""),
            &["links.csv:3: a: found \"b\", which the file of nodes does not list"],
        ),
        (
            &named,
            good,
            &nodes.replace("b,host", "b,router"),
            &["nodes.csv:3: kind: found \"router\"; expected host or switch"],
        ),
        // Hosts that cannot be reached, or reach too much.
        (
            &scenario,
            &format!("{good}c,t,1 Gb/s,1 us\nd,t,1 Gb/s,1 us\n"),
            "",
            &["links.csv:", "there is no way from a to c"],
        ),
        (
            &named,
            &format!("{good}a,s,1 Gb/s,1 us\n"),
            nodes,
            &["links.csv:4: b: found 2 links at the host a"],
        ),
        (&named, good, &format!("{nodes}x,host\n"), &["found 0 links at the host x"]),
        (
            &scenario,
            &format!("{good}s,s,1 Gb/s,1 us\n"),
            "",
            &["links.csv:4: b: found a link from s to itself"],
        ),
        (
            &scenario,
            "a,b,rate,delay\na,b,1 Gb/s,1 us\n",
            "",
            &["links.csv:2: b: found a link between the hosts a and b"],
        ),
        (
            &scenario,
            "a,b,rate,delay\n\"a\nx\",b,1 Gb/s,1 us\n",
            "",
            &["links.csv:2: a: found '\\n' in the name"],
        ),
    ];
    for (scenario, links, nodes, parts) in cases {
        run(scenario, links, nodes).refuses(&["simulate", "s.toml"], parts);
    }
}

#[test]
fn distributions_of_sizes_are_refused_where_they_are_wrong() {
    let scenario =
        format!("{HEAD}{NETWORK}[[traffic]]\npattern = \"stride\"\nsizes = \"sizes.txt\"\n");
    let cases: &[(&str, &[&str])] = &[
        ("", &["sizes.txt:1: line: found no line"]),
        ("0 0\n10 0.7\n", &["sizes.txt:2: share: found 0.7 as the last value; expected 1 or 100"]),
        ("0 0\n10 50\n9 100\n", &["sizes.txt:3: bytes: found 9 after 10; sizes must not fall"]),
        ("0 0\n10 50\n11 40\n12 100\n", &["sizes.txt:3: share: found 40 after 50"]),
        ("0 0\n10 x\n", &["sizes.txt:2: share: found \"x\""]),
        ("0,0\n10,1\n", &["sizes.txt:1: line: found 1 columns"]),
    ];
    for (sizes, parts) in cases {
        let bench = bench_with(&scenario);
        bench.write("sizes.txt", sizes);
        bench.refuses(&["simulate", "s.toml"], parts);
    }
}

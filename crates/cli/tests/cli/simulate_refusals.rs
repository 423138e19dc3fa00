//! Scenarios that are wrong: each refused with file, line, field, what was found and what to do.

use crate::bench::Bench;
use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"1 ms\"\n";
const NETWORK: &str =
    "[network]\nkind = \"fat-tree\"\nports = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const FLOW: &str = "[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n";

#[test]
fn scenarios_are_refused_where_they_are_wrong() {
    let edge_list = "[network]\nkind = \"edge-list\"\nfile = \"links.csv\"\n";
    let core = "[network]\nkind = \"multicast-core\"\ntors = 1\nports = 4\nrate = \"1 Gb/s\"\ndelay = \"1 us\"\n";
    let poisson = "[[traffic]]\npattern = \"poisson\"\nload = 1\nsize = \"1 kB\"\n";
    let cases: &[(String, &[&str])] = &[
        (String::new(), &["s.toml:1: version: is missing"]),
        ("version = 2".into(), &["s.toml:1: version: found 2"]),
        ("version = 1\nversion = 1".into(), &["s.toml:2: is not TOML"]),
        (format!("version = 1\n{NETWORK}{FLOW}"), &["until: is missing", "100 ms"]),
        (format!("{HEAD}{FLOW}"), &["network: the section is missing"]),
        (format!("{HEAD}{NETWORK}"), &["flow: is missing"]),
        (
            format!("{HEAD}nework = 1\n{NETWORK}{FLOW}"),
            &["s.toml:3: nework: unknown field", "network"],
        ),
        (format!("{HEAD}{NETWORK}colour = 1\n{FLOW}"), &["s.toml:8: network.colour: unknown"]),
        (format!("{HEAD}{NETWORK}{FLOW}colour = 1\n"), &["s.toml:12: flow.colour: unknown"]),
        // Times beyond the clock.
        (
            format!("version = 1\nuntil = \"99999999 s\"\n{NETWORK}{FLOW}"),
            &["s.toml:2: until: found \"99999999 s\"", "at most 18446744.07"],
        ),
        (
            format!("version = 1\nuntil = \"18000000 s\"\n{NETWORK}{FLOW}"),
            &["s.toml:2: until: found 18000000 s; expected 1 ps to 9223372.03"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}start = \"1 ms\"\n"),
            &["s.toml:12: flow.start: found 1 ms; the run ends at 1 ms"],
        ),
        (format!("{HEAD}{NETWORK}{FLOW}start = \"18446745 s\"\n"), &["flow.start", "at most"]),
        // Links that carry nothing.
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("100 Gb/s", "0 Gb/s"),
            &["s.toml:6: network.rate: found 0 bps; expected 1 Mbps"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("1 us", "0 us"),
            &["s.toml:7: network.delay: found 0 ps; expected 1 ps"],
        ),
        (
            format!("{HEAD}{NETWORK}length = \"2 m\"\n{FLOW}"),
            &["s.toml:8: network.length: is given together with delay"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("ports = 4", "ports = 5"),
            &["s.toml:5: network.ports: found a fat tree of 5-port"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}")
                .replace("ports = 4", "ports = 4\nhosts_per_edge = 4000000000"),
            &["network.hosts_per_edge: found 32000000000 hosts"],
        ),
        (format!("{HEAD}{core}{FLOW}"), &["network.tors: found 1 hosts"]),
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("fat-tree", "thin-tree"),
            &["s.toml:4: network.kind: found \"thin-tree\"; expected one of fat-tree"],
        ),
        // Hosts that do not exist or cannot be meant.
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("to = 1", "to = 16"),
            &["s.toml:10: flow.to: found 16; name a host by its number, 0 to 15"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("to = 1", "to = 0"),
            &["flow.to: found \"host 0\", the same host as from"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("to = 1", "to = \"core 1\""),
            &["flow.to: found the switch \"core 1\""],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("to = 1", "to = 1.5"),
            &["flow.to: found a float"],
        ),
        (format!("{HEAD}{NETWORK}{FLOW}").replace("to = 1", "to = -1"), &["flow.to: found -1"]),
        // Sizes.
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("1 kB", "0 B"),
            &["s.toml:11: flow.size: found 0 B; expected 1 B to 1 TB"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}").replace("\"1 kB\"", "1000"),
            &["flow.size: found 1000 without a unit"],
        ),
        (format!("{HEAD}{NETWORK}{FLOW}").replace("1 kB", "1 EB"), &["flow.size"]),
        // More flows than there is room for.
        (
            format!("version = 1\nuntil = \"11 s\"\n{NETWORK}{poisson}"),
            &["traffic.load: found 2200000000 flows in all; a scenario has at most 16777216"],
        ),
        (
            format!("{HEAD}{NETWORK}{poisson}duration = \"2 ms\"\n"),
            &["traffic.duration: found 2 ms"],
        ),
        (
            format!("{HEAD}{NETWORK}{poisson}").replace("load = 1", "load = nan"),
            &["traffic.load: found nan"],
        ),
        (
            format!("{HEAD}{NETWORK}{poisson}").replace("load = 1", "load = 0"),
            &["traffic.load: found 0; expected"],
        ),
        (
            format!("{HEAD}{NETWORK}{poisson}sizes = \"x.txt\"\n"),
            &["traffic.sizes: is given together with size"],
        ),
        (
            format!("{HEAD}{NETWORK}{poisson}distribution = \"hadoop\"\n"),
            &["traffic.distribution: is given together with size; give one of the two"],
        ),
        (
            format!("{HEAD}{NETWORK}{poisson}distribution = \"web-search\"\nsizes = \"x.txt\"\n")
                .replace("size = \"1 kB\"\n", ""),
            &["traffic.distribution: is given together with sizes; give one of the two"],
        ),
        (
            format!("{HEAD}{NETWORK}{poisson}distribution = \"websearch\"\n"),
            &["traffic.distribution: found \"websearch\"", "web-search"],
        ),
        (
            format!(
                "{HEAD}{NETWORK}[[traffic]]\npattern = \"stride\"\nsize = \"1 B\"\noffset = 32\n"
            ),
            &["traffic.offset: found a multiple of the 16 hosts"],
        ),
        (
            format!(
                "{HEAD}{NETWORK}[[traffic]]\npattern = \"incast\"\nsize = \"1 B\"\nsenders = 16\nto = 0\n"
            ),
            &["traffic.senders: found 16; expected 1 to 15"],
        ),
        (
            format!(
                "{HEAD}{NETWORK}[[traffic]]\npattern = \"incast\"\nsize = \"1 B\"\nsenders = [1, 0]\nto = 0\n"
            ),
            &["traffic.senders: found the host of to"],
        ),
        (
            format!("{HEAD}{NETWORK}[traffic]\npattern = \"stride\"\nsize = \"1 B\"\n"),
            &["traffic: found a table; expected a list of tables, each begun by [[traffic]]"],
        ),
        // Networks that are too large, at the number that makes them so.
        (
            leaf_spine("leaves = 0\nspines = 1\nhosts_per_leaf = 2"),
            &["network.leaves: found 0 hosts"],
        ),
        (
            leaf_spine("leaves = 2\nspines = 70000\nhosts_per_leaf = 2"),
            &["s.toml:6: network.spines: found 70002 links"],
        ),
        (
            leaf_spine("leaves = 2\nspines = 1\nhosts_per_leaf = 70000"),
            &["s.toml:7: network.hosts_per_leaf: found 70001 links"],
        ),
        (
            leaf_spine("leaves = 2\nspines = 1\nhosts_per_leaf = 4000"),
            &["s.toml:7: network.hosts_per_leaf: buffer and headroom"],
        ),
        // Messages that are handed on.
        (
            format!("{HEAD}{NETWORK}{FLOW}after = 0\n"),
            &["flow.after: found 0; this is flow 0, and after must name an earlier flow"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}{}after = 0\n", FLOW.replace("from = 0", "from = 2")),
            &[
                "flow.after: found 0, a flow from \"host 0\" to \"host 1\"; a host waits for what it",
            ],
        ),
        (format!("{HEAD}{NETWORK}{FLOW}after = -1\n"), &["flow.after: "]),
        // Losses and failures.
        (
            format!("{HEAD}{NETWORK}{FLOW}[[loss]]\nlayer = 4\nrate = 0.1\n"),
            &["loss.layer: found 4", "0 (hosts) to 3"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[[loss]]\nlayer = 1\nrate = 1.1\n"),
            &["loss.rate: found 1.1; expected 0 to 1"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[[loss]]\nlink = [0, 1]\nrate = 0.1\n"),
            &["loss.link: found no link between \"host 0\" and \"host 1\""],
        ),
        (format!("{HEAD}{NETWORK}{FLOW}[[loss]]\nrate = 0.1\n"), &["loss.link: is missing"]),
        (
            format!(
                "{HEAD}{NETWORK}{FLOW}[[failure]]\nnode = 3\nat = \"2 us\"\nuntil = \"1 us\"\n"
            ),
            &["failure.until: found 1 us, which is not after 2 us"],
        ),
        // Parameters.
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters.swich]\n"),
            &["parameters.swich: unknown field", "switch"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters.switch]\nsource = \"me\"\n"),
            &["parameters.switch.source: unknown field"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters.wire]\nmtu = \"70 kB\"\n"),
            &["s.toml:13: parameters.wire.mtu: found 70 kB; expected 64 B to 64 kB"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters.ecn]\nkmin = \"2 MB\"\n"),
            &["parameters.ecn.kmin: found 2 MB, above kmax"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters.switch]\nbuffer_per_port = \"2 GB\"\n"),
            &["parameters.switch.buffer_per_port", "give less"],
        ),
        (
            format!(
                "{HEAD}{NETWORK}{FLOW}[parameters.switch]\nreserves = \"within\"\nbuffer_per_port = \"9 kB\"\n"
            ),
            &["parameters.switch.buffer_per_port", "nothing is left to share", "beside"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters]\nset = \"ns3\"\n"),
            &["parameters.set: found \"ns3\"; expected one of lightloom, paper, rdma-ns3"],
        ),
        (
            format!(
                "{HEAD}{NETWORK}{FLOW}[parameters.transport]\nrecovery = \"selective-repeat\"\nack_every = 65\n"
            ),
            &["parameters.transport.ack_every: found 65, above the window of 64"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters]\nfile = \"none.toml\"\n"),
            &["none.toml: cannot be read"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[parameters]\nfile = \"own.toml\"\n"),
            &["own.toml:1: switch.date: is missing"],
        ),
        (
            format!("{HEAD}{NETWORK}{FLOW}[probes]\ninterval = \"1 ps\"\n"),
            &["probes.interval: found 1 ps"],
        ),
        (
            format!(
                "version = 1\nuntil = \"1000 s\"\n{NETWORK}{FLOW}[probes]\ninterval = \"1 ns\"\n"
            ),
            &["probes.interval: found 1 ns, which makes 1000000000000 intervals"],
        ),
        // Lists of links.
        (format!("{HEAD}{edge_list}{FLOW}"), &["links.csv", "cannot be read"]),
    ];
    for (scenario, parts) in cases {
        let bench = bench_with(scenario);
        bench.write("own.toml", "[switch]\npfc = false\nsource = \"me\"\n");
        bench.refuses(&["simulate", "s.toml", "--out", "out", "--trace", "t.txt"], parts);
    }
}

#[test]
fn flags_and_folders_are_refused_before_anything_runs() {
    let bench = bench_with(&format!("{HEAD}{NETWORK}{FLOW}"));
    bench.refuses(&["simulate", "s.toml", "--threads", "60000"], &["--threads: found 60000"]);
    bench.refuses(&["simulate", "s.toml", "--seeds", "0"], &["--seeds: found 0; expected 1 to"]);
    bench.refuses(
        &["simulate", "s.toml", "--seeds", "2", "--trace", "t"],
        &["--trace: is for one run"],
    );
    bench.refuses(&["simulate", "none.toml"], &["none.toml: cannot be read"]);
    bench
        .refuses(&["simulate", "s.toml", "--trace", "no/t"], &["no/t: --trace: cannot be written"]);
    bench.write("notes.txt", "mine");
    bench.refuses(&["simulate", "s.toml", "--out", "."], &["which this run reads"]);
    let empty = Bench::new();
    empty.refuses(&["simulate"], &["SCENARIO"]);
}

fn leaf_spine(sizes: &str) -> String {
    format!(
        "{HEAD}[network]\nkind = \"leaf-spine\"\n{sizes}\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n{FLOW}"
    )
}

//! What patterns, distributions, losses and parameters of a scenario come to.

use std::collections::BTreeSet;

use crate::bench::Bench;
use crate::simulate::bench_with;

pub(crate) const NETWORK: &str = "version = 1\nseed = 5\nuntil = \"5 ms\"\n[network]\nkind = \"fat-tree\"\n\
                       ports = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";

/// (from, to, size, start) of every flow.
pub(crate) fn flows(bench: &Bench, args: &[&str]) -> Vec<(u64, u64, u64, u64)> {
    let ran = bench.run(&[&["simulate", "s.toml", "--out", "out"], args].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    let files = bench.snapshot();
    let mut reader = csv::Reader::from_reader(files[&bench.path("out/flows.csv")].as_slice());
    let number =
        |row: &csv::StringRecord, column: usize| row[column].parse::<u64>().expect("a number");
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| (number(&row, 1), number(&row, 2), number(&row, 5), number(&row, 6))).collect()
}

#[test]
fn a_stride_goes_a_number_of_hosts_on() {
    let bench = bench_with(&format!(
        "{NETWORK}[[traffic]]\npattern = \"stride\"\nsize = \"2 kB\"\noffset = 21\nstart = \"3 us\"\n"
    ));
    let found = flows(&bench, &[]);
    assert_eq!(found.len(), 16);
    assert!(found.iter().all(|&flow| flow == (flow.0, (flow.0 + 5) % 16, 2000, 3_000_000)));
}

#[test]
fn a_permutation_gives_everybody_one_other() {
    let bench =
        bench_with(&format!("{NETWORK}[[traffic]]\npattern = \"permutation\"\nsize = \"1 kB\"\n"));
    let found = flows(&bench, &[]);
    let to: BTreeSet<u64> = found.iter().map(|flow| flow.1).collect();
    assert_eq!((found.len(), to.len()), (16, 16));
    assert!(found.iter().all(|flow| flow.0 != flow.1));
    assert_eq!(flows(&bench, &[]), found, "the same seed draws the same");
    assert_ne!(flows(&bench, &["--seed", "6"]), found, "another seed draws another");
}

#[test]
fn an_all_to_all_goes_from_each_host_of_a_list_to_each_other() {
    let pattern = |hosts: &str| {
        format!(
            "{NETWORK}[[traffic]]\npattern = \"all-to-all\"\nhosts = {hosts}\nsize = \"1 kB\"\n"
        )
    };
    let found = flows(&bench_with(&pattern("[9, \"host 3\", 4]")), &[]);
    let pairs: Vec<_> = found.iter().map(|flow| (flow.0, flow.1)).collect();
    assert_eq!(pairs, [(9, 3), (3, 4), (4, 9), (9, 4), (3, 9), (4, 3)]);
    assert_eq!(flows(&bench_with(&pattern("\"all\"")), &[]).len(), 16 * 15);
    for (hosts, told) in [
        ("\"some\"", "found \"some\"; expected a list of hosts, or \"all\""),
        ("[1, 2, 1]", "found the host \"host 1\" twice; list it once"),
        ("[3]", "found 1; a pattern needs at least two hosts"),
        ("[3, \"edge 0\"]", "name a host by its number"),
    ] {
        let ran = bench_with(&pattern(hosts)).run(&["simulate", "s.toml"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{hosts}");
        assert!(
            ran.stderr.contains(told) && ran.stderr.contains("s.toml:11: traffic.hosts: "),
            "{ran:?}"
        );
    }
}

#[test]
fn hot_hosts_receive_what_is_random() {
    let pattern = |hot: &str| {
        format!(
            "{NETWORK}[[traffic]]\npattern = \"poisson\"\nload = 0.2\nsize = \"2 kB\"\nduration = \"50 us\"\n{hot}"
        )
    };
    let found = flows(&bench_with(&pattern("hot = [7]\nhot_share = 1.0\n")), &[]);
    assert!(found.iter().all(|flow| (flow.0 == 7) != (flow.1 == 7)));
    let none = flows(&bench_with(&pattern("")), &[]);
    let cold = flows(&bench_with(&pattern("hot = [7]\nhot_share = 0\n")), &[]);
    assert_eq!(cold, none);
    let half = flows(&bench_with(&pattern("hot = [7]\nhot_share = 0.5\n")), &[]);
    let asked = |flows: &[(u64, u64, u64, u64)]| {
        flows.iter().map(|&(from, _, size, start)| (from, size, start)).collect::<Vec<_>>()
    };
    assert_eq!(asked(&half), asked(&none), "who sends, and when, stays");
    let ran = bench_with(&pattern("hot_share = 0.5\n")).run(&["simulate", "s.toml"]);
    assert!(ran.stderr.contains("traffic.hot: is missing"), "{ran:?}");
}

#[test]
fn an_incast_draws_other_hosts_or_takes_those_that_are_named() {
    let drawn = bench_with(&format!(
        "{NETWORK}[[traffic]]\npattern = \"incast\"\nsenders = 15\nto = \"host 4\"\nsize = \"1 kB\"\n"
    ));
    let found = flows(&drawn, &[]);
    let from: BTreeSet<u64> = found.iter().map(|flow| flow.0).collect();
    assert_eq!((found.len(), from.len()), (15, 15));
    assert!(found.iter().all(|flow| flow.1 == 4 && flow.0 != 4));
    let named = bench_with(&format!(
        "{NETWORK}[[traffic]]\npattern = \"incast\"\nsenders = [2, \"host 9\", 2]\nto = 4\nsize = \"1 kB\"\n"
    ));
    let from: Vec<u64> = flows(&named, &[]).iter().map(|flow| flow.0).collect();
    assert_eq!(from, [2, 9, 2]);
}

#[test]
fn poisson_arrivals_offer_the_load() {
    // 16 hosts at 0.2 of 12.5 GB/s for 400 us with a mean of 10 kB: 1,600 messages, give or take 40.
    let bench = bench_with(&format!(
        "{NETWORK}[[traffic]]\npattern = \"poisson\"\nload = 0.2\nsizes = \"sizes.txt\"\nduration = \"400 us\"\nstart \
            = \"1 us\"\n"
    ));
    bench.write("sizes.txt", "0 0\n20000 100.02\n");
    let found = flows(&bench, &[]);
    assert!((1400..1800).contains(&found.len()), "{}", found.len());
    let mean = found.iter().map(|flow| flow.2 as f64).sum::<f64>() / found.len() as f64;
    assert!((9000.0..11000.0).contains(&mean), "{mean}");
    assert!(found.iter().all(|flow| flow.0 != flow.1 && flow.2 <= 20_000));
    assert!(found.iter().all(|flow| (1_000_000..401_000_000).contains(&flow.3)));
    assert!(found.is_sorted_by_key(|flow| flow.3));
    for host in 0..16 {
        assert!((50..160).contains(&found.iter().filter(|flow| flow.0 == host).count()), "{host}");
        assert!((50..160).contains(&found.iter().filter(|flow| flow.1 == host).count()), "{host}");
    }
    let answer = bench.ask(&["simulate", "s.toml"]);
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.contains("sizes.txt: the last value is 100.02"), "{warning}");
    let files = answer["manifest"]["files"].as_array().unwrap();
    let names: Vec<&str> = files.iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["s.toml", "twin.toml", "sizes.txt"]);
}

/// The means that the documents tell, by the files alone, and by what is drawn.
#[test]
fn published_sizes_are_drawn() {
    for (name, mean, most) in [
        ("web-search", 1_711_250_u64, 30_000_000),
        ("data-mining", 5_036_535, 1_000_000_000),
        ("hadoop", 120_421, 10_000_000),
        ("ali-storage", 40_870, 2_000_000),
    ] {
        let path = format!("{}/../../catalogue/sizes-{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a file");
        let points: Vec<(f64, f64)> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_once(' ').expect("two columns"))
            .map(|(bytes, share)| (bytes.parse().expect("bytes"), share.parse().expect("a share")))
            .collect();
        let end = points.last().expect("a point").1;
        let parts =
            points.windows(2).map(|two| (two[0].0 + two[1].0) / 2.0 * (two[1].1 - two[0].1) / end);
        let told = parts.sum::<f64>() + points[0].0 * points[0].1 / end;
        assert!((told / mean as f64 - 1.0).abs() < 1e-3, "{name}: {told}");

        // Poisson arrivals: the number of flows follows from the load and the mean size.
        let bench = bench_with(&format!(
            "version = 1\nuntil = \"4 s\"\n{}[[traffic]]\npattern = \"poisson\"\nload = 0.4\n\
             distribution = \"{name}\"\nduration = \"{} ns\"\n",
            NETWORK
                .split_once("[network]")
                .map(|(_, rest)| format!("[network]{rest}"))
                .expect("a network"),
            // 16 hosts at 0.4 of 12.5 B/ns: about 300 flows.
            mean * 300 / 80
        ));
        let found = flows(&bench, &[]);
        assert!((230..370).contains(&found.len()), "{name}: {}", found.len());
        assert!(found.iter().all(|flow| flow.2 <= most));
        let answer = bench.ask(&["simulate", "s.toml"]);
        let files = answer["manifest"]["files"].as_array().expect("files");
        let names: Vec<&str> =
            files.iter().map(|file| file["name"].as_str().expect("a name")).collect();
        assert_eq!(names, ["s.toml", "twin.toml", &format!("sizes-{name}.txt")]);
    }
}

#[test]
fn patterns_draw_from_streams_of_their_own() {
    let incast = "[[traffic]]\npattern = \"incast\"\nsenders = 3\nto = 0\nsizes = \"sizes.txt\"\n";
    let poisson = "[[traffic]]\npattern = \"poisson\"\nload = 0.1\nsizes = \"sizes.txt\"\nduration = \"50 us\"\n";
    let alone = bench_with(&format!("{NETWORK}{incast}"));
    let both = bench_with(&format!("{NETWORK}{incast}{poisson}"));
    for bench in [&alone, &both] {
        bench.write("sizes.txt", "100 0\n9000 1\n");
    }
    let (alone, both) = (flows(&alone, &[]), flows(&both, &[]));
    assert_eq!(alone, both[..3], "what follows changes nothing before it");
    assert!(both.len() > 10);
}

#[test]
fn parameters_go_over_one_another() {
    let bench = bench_with(&format!(
        "{NETWORK}[parameters]\nfile = \"own.toml\"\n[parameters.switch]\nlatency = \"2 ns\"\n\
         [[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n"
    ));
    bench.write(
        "own.toml",
        "[switch]\nlatency = \"1 ns\"\nresume_offset = \"1 kB\"\nsource = \"our lab\"\ndate = \"2026-11\"\n",
    );
    let answer = bench.ask(&["simulate", "s.toml"]);
    let parameters = answer["manifest"]["parameters"].as_array().unwrap();
    let find = |name: &str| {
        let found = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        (found["value"].as_str().unwrap(), found["source"].as_str().unwrap())
    };
    assert_eq!(find("switch.latency"), ("2 ns", "the scenario"));
    assert_eq!(find("switch.resume_offset"), ("1 kB", "our lab"));
    assert!(find("switch.buffer_per_port").1.starts_with("assumed"));
    assert!(find("dcqcn.g").1.contains("SIGCOMM 2015"));
}

/// Values of a named set replace those of the shipped file. The user's file replaces both, and the scenario all three.
#[test]
fn parameters_have_named_sets() {
    let in_force = |parameters: &str| {
        let bench = bench_with(&format!(
            "{NETWORK}[parameters]\n{parameters}[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n"
        ));
        let own = "[ecn]\nkmin = \"300 kB\"\nsource = \"our lab\"\ndate = \"2026-11\"\n";
        bench.write("own.toml", own);
        let answer = bench.ask(&["simulate", "s.toml"]);
        let all = answer["manifest"]["parameters"].as_array().unwrap().clone();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let of = move |name: &str| {
            let found = all.iter().find(|parameter| parameter["name"] == name).unwrap();
            (text(&found["value"]), text(&found["source"]))
        };
        let names = [
            "dcqcn.clamp",
            "dcqcn.byte_counter",
            "dcqcn.at",
            "ecn.kmin",
            "ecn.when",
            "switch.minimum_per_port",
            "switch.drop_share",
            "stack.send",
        ];
        names.map(of)
    };
    let values = |found: &[(String, String); 8]| found.each_ref().map(|(value, _)| value.clone());
    let none = in_force("");
    let ours = in_force("set = \"lightloom\"\n");
    assert_eq!(none, ours, "ours is the default");
    let expected = ["always", "10 MB", "any", "400 kB", "joining", "0 B", "1", "0 ps"];
    assert_eq!(values(&ours), expected);
    let expected = ["always", "10 MB", "any", "5 kB", "joining", "0 B", "1", "0 ps"];
    assert_eq!(values(&in_force("set = \"paper\"\n")), expected);
    let forks = in_force(
        "set = \"rdma-ns3\"\nfile = \"own.toml\"\n[parameters.switch]\nminimum_per_port = \"1 kB\"\n",
    );
    let expected = ["after-increase", "none", "100 Gbps", "300 kB", "leaving", "1 kB", "1", "0 ps"];
    assert_eq!(values(&forks), expected);
    let sources = forks.map(|(_, source)| source);
    assert!(sources[0].starts_with("HPCC's simulator: ") && sources[0].contains("rdma-hw.cc"));
    assert_eq!((&*sources[3], &*sources[5]), ("our lab", "the scenario"));
    assert_eq!(
        [&sources[6], &sources[7]],
        [&ours[6].1, &ours[7].1],
        "what a set lacks is as shipped"
    );
}

#[test]
fn a_switch_that_dies_and_comes_back_costs_its_time() {
    let scenario = format!(
        "{NETWORK}[parameters.transport]\ntimeout = \"100 us\"\n[[flow]]\nfrom = 0\nto = 1\nsize = \"1 MB\"\n"
    );
    let healthy = bench_with(&scenario).ask(&["simulate", "s.toml"]);
    let failed = bench_with(&format!(
        "{scenario}[[failure]]\nnode = \"edge 0.0\"\nat = \"20 us\"\nuntil = \"50 us\"\n"
    ))
    .ask(&["simulate", "s.toml"]);
    assert_eq!(healthy["flows"]["repeated"], 0);
    assert!(failed["flows"]["repeated"].as_u64().unwrap() >= 1, "{failed}");
    assert_eq!(failed["flows"]["completed"], 1);
    assert_eq!(failed["drops"][0]["reason"], "dead");
    let time =
        |answer: &serde_json::Value| answer["flows"]["completion"]["max_ps"].as_u64().unwrap();
    assert!(time(&failed) > time(&healthy) + 30_000_000);
}

#[test]
fn flows_of_a_connection_share_a_queue_pair() {
    let flow = |from: u32, to: u32, more: &str| {
        format!("[[flow]]\nfrom = {from}\nto = {to}\nsize = \"40960 B\"\n{more}\n")
    };
    let received = |more: &str| -> Vec<u64> {
        let flows = format!("{NETWORK}{}{}", flow(0, 9, more), flow(0, 9, more));
        let bench = bench_with(&flows);
        let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let files = bench.snapshot();
        let mut reader = csv::Reader::from_reader(files[&bench.path("out/flows.csv")].as_slice());
        let header = reader.headers().unwrap().clone();
        let column = header.iter().position(|name| name == "received_ps").unwrap();
        reader.records().map(|row| row.unwrap()[column].parse().unwrap()).collect()
    };
    // Own queue pairs take turns at the port, packet by packet; a shared one sends one message, then the other.
    let (own, shared) = (received(""), received("connection = \"a\""));
    assert_eq!(own[1], shared[1], "the same bytes take the same time");
    assert!(shared[0] + 3_000_000 < own[0], "{shared:?} and {own:?}");
}

#[test]
fn a_flow_waits_for_several() {
    let flow = |from: u32, to: u32, more: &str| {
        format!("[[flow]]\nfrom = {from}\nto = {to}\nsize = \"10 kB\"\n{more}\n")
    };
    let all = [
        flow(0, 2, ""),
        flow(1, 2, "start = \"70 us\""),
        flow(2, 3, "after = [0, 1]"),
        flow(2, 3, "after = [0]"),
    ];
    let found = flows(&bench_with(&format!("{NETWORK}{}", all.concat())), &[]);
    assert!(found[2].3 > 70_000_000 && found[3].3 < 20_000_000, "{found:?}");
}

#[test]
fn connections_that_contradict_each_other_are_refused() {
    let flow = |from: u32, to: u32, more: &str| {
        format!("[[flow]]\nfrom = {from}\nto = {to}\nsize = \"1 kB\"\n{more}\n")
    };
    let a = |from: u32, to: u32, more: &str| flow(from, to, &format!("connection = \"a\"\n{more}"));
    let traffic =
        |more: &str| format!("[[traffic]]\npattern = \"stride\"\nsize = \"1 kB\"\n{more}\n");
    let cases: [(String, &str); 8] = [
        (
            a(0, 1, "") + &a(0, 2, ""),
            "s.toml:19: flow.connection: found \"a\", the connection between \"host 0\" and \"host 1\"",
        ),
        (
            a(0, 1, "") + &a(1, 0, "class = \"lossy\""),
            "flow.connection: found \"a\", which has another class",
        ),
        (flow(0, 1, "connection = 3"), "flow.connection: found an integer"),
        (flow(0, 1, "connection = \" \""), "flow.connection: found an empty name"),
        (
            a(0, 1, "") + &traffic("connection = \"a\""),
            "traffic.connection: found \"a\", the connection between",
        ),
        (flow(0, 1, "") + &flow(1, 0, "after = [0, 0]"), "flow.after: found 0 twice"),
        (
            flow(0, 1, "") + &flow(1, 0, "after = [\"0\"]"),
            "flow.after: found \"0\", and no [[multicast]] has a name",
        ),
        (flow(0, 1, "") + &flow(1, 0, "after = [0, 1]"), "flow.after: found 1; this is flow 1"),
    ];
    for (flows, message) in cases {
        bench_with(&format!("{NETWORK}{flows}")).refuses(&["simulate", "s.toml"], &[message]);
    }
    // Both directions, and the pairs of patterns, are connections of their own.
    let good = a(0, 1, "")
        + &a(1, 0, "")
        + &traffic("connection = \"b\"")
        + &traffic("connection = \"b\"\noffset = 8");
    assert_eq!(flows(&bench_with(&format!("{NETWORK}{good}")), &[]).len(), 34);
}

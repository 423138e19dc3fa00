//! Scenarios over the racks of a design, and what is recorded of each flow.

use crate::bench::Bench;
use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"5 ms\"\n";
const RACKS: &str = "name,row,position,units\nA1,A,1,42\nA2,A,2,42\nA3,A,3,42\nA4,A,4,42\n\
                     B1,B,1,42\nB2,B,2,42\nB3,B,3,42\nB4,B,4,42\n";
const DESIGN: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n\
                      [hall]\ninventory = \"racks.csv\"\n";
const NETWORK: &str = "[network]\nkind = \"design\"\nfile = \"hall.toml\"\nhosts_per_tor = 3\nspines = 2\n\
                       rate = \"100 Gb/s\"\nhost_rate = \"25 Gb/s\"\nlength = \"3 m\"\n";
const FLOW: &str = "[[flow]]\nfrom = \"A2 host 1\"\nto = \"B4 host 2\"\nsize = \"1 MB\"\n";

fn over_design(scenario: &str) -> Bench {
    let bench = bench_with(scenario);
    bench.write("hall.toml", DESIGN);
    bench.write("racks.csv", RACKS);
    bench
}

/// (from, to, delay) of every direction of a link.
fn links(bench: &Bench) -> Vec<(String, String, u64)> {
    let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let files = bench.snapshot();
    let mut reader = csv::Reader::from_reader(files[&bench.path("out/links.csv")].as_slice());
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| (row[1].to_owned(), row[4].to_owned(), row[6].parse().expect("a delay")))
        .collect()
}

#[test]
fn racks_of_a_design_are_leaves() {
    let bench = over_design(&format!("{HEAD}{NETWORK}spine_rack = \"A1\"\n{FLOW}"));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["network"]["hosts"], 24);
    assert_eq!(answer["network"]["switches"], 10);
    assert_eq!(answer["network"]["links"], 24 + 16);
    assert_eq!(answer["flows"]["completed"], 1);
    let files = answer["manifest"]["files"].as_array().unwrap();
    let names: Vec<&str> = files.iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["s.toml", "twin.toml", "hall.toml", "racks.csv"]);

    let links = links(&bench);
    let delay = |from: &str, to: &str| {
        links.iter().find(|link| link.0 == from && link.1 == to).map(|link| link.2).unwrap()
    };
    let host = delay("A2 host 1", "A2");
    assert_eq!(host, delay("A2", "A2 host 1"));
    // The farther a rack stands from the spines, the longer its fibres.
    let (near, middle, far) =
        (delay("A2", "spine 0"), delay("A4", "spine 0"), delay("B4", "spine 0"));
    assert!(host < near && near < middle && middle < far, "{host} {near} {middle} {far}");
    assert_eq!(delay("A1", "spine 1"), delay("A1", "spine 0"));
    // Two racks on are 1.2 m more, at the delay a metre of the parameters.
    let per_m = (middle - near) as f64 / 1.2;
    assert!((4_850.0..5_050.0).contains(&per_m), "{per_m} ps a metre");
}

#[test]
fn without_a_rack_for_spines_all_links_are_alike() {
    let links = links(&over_design(&format!("{HEAD}{NETWORK}{FLOW}")));
    assert!(links.iter().all(|link| link.2 == links[0].2));
}

#[test]
fn what_is_wrong_with_a_design_is_said() {
    let cases: [(String, &[&str]); 6] = [
        (
            format!("{NETWORK}spine_rack = \"C9\"\n{FLOW}"),
            &["s.toml:11: network.spine_rack: found \"C9\"", "name a rack of the design"],
        ),
        (NETWORK.replace("tor = 3", "tor = 0") + FLOW, &["network.hosts_per_tor: "]),
        (NETWORK.replace("tor = 3", "tor = 4000000000") + FLOW, &["network.hosts_per_tor: "]),
        (NETWORK.replace("spines = 2", "spines = 0") + FLOW, &["network.spines: "]),
        (NETWORK.replace("hall.toml", "none.toml") + FLOW, &["none.toml: cannot be read"]),
        (NETWORK.replace("hall.toml", "racks.csv") + FLOW, &["racks.csv:1: "]),
    ];
    for (scenario, expected) in cases {
        let bench = over_design(&format!("{HEAD}{scenario}"));
        bench.refuses(&["simulate", "s.toml"], expected);
    }
}

#[test]
fn flows_are_recorded_over_time() {
    let probes = "[probes]\ninterval = \"10 us\"\nflows = true\n";
    let bench = over_design(&format!(
        "{HEAD}{NETWORK}{probes}{FLOW}[[flow]]\nfrom = 0\nto = 5\nsize = \"500 kB\"\nstart = \"40 us\"\n"
    ));
    links(&bench);
    let files = bench.snapshot();
    let mut reader =
        csv::Reader::from_reader(files[&bench.path("out/flow-throughput.csv")].as_slice());
    let rows: Vec<[u64; 4]> = reader
        .records()
        .map(|row| std::array::from_fn(|i| row.as_ref().unwrap()[i].parse().unwrap()))
        .collect();
    let sum = |flow| rows.iter().filter(|row| row[0] == flow).map(|row| row[2]).sum::<u64>();
    assert_eq!((sum(0), sum(1)), (1_000_000, 500_000));
    assert!(rows.iter().all(|row| row[3] == row[2] * 8 * 100_000 && row[1] % 10_000_000 == 0));
    assert!(rows.iter().filter(|row| row[0] == 1).all(|row| row[1] >= 40_000_000));
    assert!(files.contains_key(&bench.path("out/flow-throughput.arrow")));
    // Without the probe there are no such files, nor are old ones left.
    bench.write("s.toml", format!("{HEAD}{NETWORK}{FLOW}"));
    links(&bench);
    assert!(!bench.snapshot().contains_key(&bench.path("out/flow-throughput.csv")));
}

#[test]
fn a_network_of_too_many_links_is_refused_before_it_is_made() {
    let scenario = NETWORK.replace("spines = 2", "spines = 4294967295") + FLOW;
    let bench = over_design(&format!("{HEAD}{scenario}"));
    bench.refuses(&["simulate", "s.toml"], &["network.spines: found 4294967295", "4194304 links"]);
}

//! `lightloom collective` on a scenario: alone, and beside its messages.

use serde_json::Value;

use crate::collective::bench;

/// On a scenario each schedule runs alone, and beside its messages: as a file does that has the operation too.
#[test]
fn a_scenario_is_asked_alone_and_beside_its_messages() {
    let bench = bench();
    let network = "version = 1\nseed = 4\nuntil = \"20 ms\"\n[network]\nkind = \"design\"\nfile = \"d.toml\"\n\
                   hosts_per_tor = 2\nspines = 2\nrate = \"50 Gb/s\"\nlength = \"30 m\"\n";
    let losses = "[[loss]]\nlink = [\"R1.02 host 0\", \"R1.02\"]\nrate = 0.001\n";
    let others = "[[traffic]]\npattern = \"poisson\"\nload = 0.3\nsize = \"40 kB\"\nduration = \"1 ms\"\n\
                  [[group]]\nname = \"theirs\"\nmembers = [7, 8, 9]\n\
                  [[collective]]\noperation = \"broadcast\"\nschedule = \"multicast\"\ngroup = \"theirs\"\n\
                  size = \"500 kB\"\nstart = \"500 us\"\n";
    bench.write("s.toml", format!("{network}{others}{losses}"));
    let of = "collective s.toml --op broadcast --size 100kB --members 9 --start 600us --schedules \
              multicast:light,multicast:gleam,chain,scatter-ring";
    let of: Vec<&str> = of.split(' ').collect();
    let report = bench.ask(&of);
    let hosts: Vec<u64> = (0..9).collect();
    for case in report["cases"].as_array().expect("cases") {
        let schedule = case["schedule"].as_str().expect("a word");
        let way = match case["over"].as_str().expect("a word") {
            "links" => None,
            "light" => Some("data = \"light\""),
            "cepheus" => Some("data = \"links\""),
            _ => Some("data = \"links\"\ndialect = \"gleam\""),
        };
        let group =
            way.map(|way| format!("[[group]]\nname = \"ours\"\nmembers = {hosts:?}\n{way}\n"));
        let of = if way.is_some() {
            "group = \"ours\"\n".to_owned()
        } else {
            format!("members = {hosts:?}\n")
        };
        let own = format!(
            "{}[[collective]]\noperation = \"broadcast\"\nschedule = \"{schedule}\"\nname = \"ours\"\n{of}\
             size = \"{} B\"\nstart = \"600 us\"\n",
            group.unwrap_or_default(),
            case["bytes"]
        );
        for (field, others) in [("last_ps", ""), ("beside_ps", others)] {
            bench.write("again.toml", format!("{network}{others}{own}{losses}"));
            let again = bench.ask(&["simulate", "again.toml"]);
            let last = again["collectives"].as_array().expect("operations").last().expect("ours");
            assert_eq!(case[field], last["times"][0]["last_ps"], "{field} of {case}");
        }
    }
    assert_eq!(report["cases"].as_array().map(Vec::len), Some(4));
    let beside = report["fastest_beside"].as_array().expect("a list");
    assert_eq!(beside.len(), 1);
    let ran = bench.run(&of);
    assert!(ran.stdout.contains("\nBeside others: Broadcast of 9 members: "), "{ran:?}");
    for (more, parts) in [
        (&["--start", "20ms"][..], &["--start: found 20 ms; the run ends at 20 ms"][..]),
        (&["--spines", "3"], &["--spines: is for designs; the scenario says its network"]),
        (&["--rate", "10 Gb/s"], &["s.toml", "is a scenario, which takes no settings of a design"]),
        (&["--member-order", "random"], &["--order: found random; a scenario with [[collective]]"]),
    ] {
        bench.refuses(&[&of[..8], more].concat(), parts);
    }
}

/// The table of docs/collectives.md is what its command says.
#[test]
fn the_table_beside_other_traffic_is_that_of_its_command() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let document = std::fs::read_to_string(format!("{root}/docs/collectives.md")).expect("a text");
    let example = format!("{root}/examples/background.toml");
    let schedules = "multicast:light,multicast:cepheus,double-tree,binomial";
    let of = ["--op", "broadcast", "--size", "1MB", "--start", "1ms", "--schedules", schedules];
    let report = bench().ask(&[&["collective", &example][..], &of].concat());
    let us = |ps: &Value| format!("{:.1} us", ps.as_f64().expect("a time") / 1e6);
    let cases = report["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 4);
    for case in cases {
        let cells = format!("| {} | {} |", us(&case["last_ps"]), us(&case["beside_ps"]));
        assert!(
            document.contains(&cells),
            "docs/collectives.md lacks {cells:?} of {}",
            case["name"]
        );
    }
}

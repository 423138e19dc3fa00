//! Admission of messages over light, from a scenario to its report and files.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"50 ms\"\npatience = \"5 ms\"\n";
const NETWORK: &str = "[network]\nkind = \"design\"\nfile = \"hall.toml\"\nhosts_per_tor = 2\nspines = 2\n\
                       rate = \"100 Gb/s\"\nlength = \"3 m\"\nlight = \"off\"\n";
const SMALL: &str = "[parameters.switch]\nbuffer = \"0 B\"\nbuffer_per_port = \"60 kB\"\n\
                     headroom_per_port = \"20 kB\"\n";

fn bench(scenario: &str) -> Bench {
    let bench = bench_with(&format!("{HEAD}{NETWORK}{SMALL}{scenario}"));
    let design = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n";
    bench.write("hall.toml", design);
    bench
}

/// Messages of hosts on ToRs of their own to all hosts of the other column.
fn broadcasts(transport: &str, senders: &[u32]) -> String {
    let group = |from: &u32| {
        format!(
            "[[group]]\nname = \"of {from}\"\nmembers = [{from}, 8, 9, 10, 11, 12, 13, 14, 15]\n\
             transport = \"{transport}\"\n\
             [[multicast]]\ngroup = \"of {from}\"\nfrom = {from}\nsize = \"1 MB\"\n"
        )
    };
    senders.iter().map(group).collect()
}

/// Messages to the two hosts of one ToR.
fn pair(name: &str, from: u32, to: u32) -> String {
    format!(
        "[[group]]\nname = \"{name}\"\nmembers = [{from}, {to}, {}]\n\
         [[multicast]]\ngroup = \"{name}\"\nfrom = {from}\nsize = \"2 MB\"\n",
        to + 1
    )
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a number"))
}

/// Packets that found no room.
fn dropped(answer: &Value) -> u64 {
    let drops = answer["drops"].as_array().expect("drops").iter();
    let full = drops.filter(|drop| drop["reason"] == "buffer" || drop["reason"] == "headroom");
    full.map(|drop| number(&drop["packets"])).sum()
}

/// What is dropped without admission is not dropped with it, and all arrives.
#[test]
fn admitted_messages_drop_nothing() {
    for transport in ["rc", "datagram"] {
        let traffic = broadcasts(transport, &[0, 2, 4]);
        let without = bench(&traffic).ask(&["simulate", "s.toml"]);
        assert!(dropped(&without) > 0 && without["admission"].is_null());
        for policy in ["turns", "share"] {
            let bench =
                bench(&format!("{traffic}[admission]\npolicy = \"{policy}\"\ncontroller = 7\n"));
            let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
            assert_eq!((dropped(&answer), &answer["end"]["how"]), (0, &Value::from("done")));
            let admission = &answer["admission"];
            assert_eq!(admission["policy"], policy);
            assert_eq!((number(&admission["asked"]), number(&admission["granted"])), (3, 3));
            let at_once = if policy == "turns" { 1 } else { 3 };
            assert_eq!(number(&admission["most_at_once"]), at_once, "{transport} {policy}");
            assert_eq!(number(&admission["senders"]), 3);
            let rates = answer["multicasts"].as_array().expect("messages").iter().map(|message| {
                assert_eq!(message["completed"], 8);
                let one = &message["admission"];
                assert!(number(&one["asked_ps"]) <= number(&one["granted_ps"]));
                number(&one["least_rate_bps"]) / 10_000_000
            });
            let share = if policy == "turns" { 9_999 } else { 3_333 };
            assert!(
                rates.clone().all(|rate| rate.abs_diff(share) <= 1),
                "{:?}",
                rates.collect::<Vec<_>>()
            );

            let files = bench.snapshot();
            let mut reader =
                csv::Reader::from_reader(files[&bench.path("out/receivers.csv")].as_slice());
            let titles = reader.headers().expect("a header").clone();
            let at = |title: &str| titles.iter().position(|each| each == title).expect(title);
            for row in reader.records().map(|row| row.expect("a row")) {
                let message = &answer["multicasts"][row[0].parse::<usize>().expect("a number")];
                let one = &message["admission"];
                for (title, key) in [
                    ("admission_granted_ps", "granted_ps"),
                    ("admission_rate_bps", "rate_bps"),
                    ("admission_waited_for", "waited_for"),
                ] {
                    let said =
                        one[key].as_u64().map_or_else(String::new, |known| known.to_string());
                    assert_eq!(row[at(title)], said, "{title}");
                }
            }
            let table = bench.run(&["simulate", "s.toml"]).stdout;
            assert!(table.contains("waited for") && table.contains(policy), "{table}");
        }
    }
}

/// shufflecast:lemma3, shufflecast:A3.shifts: a source of a column and its shifts go at line rate at once, two such
/// sets at half of it, three at a third, and all p^k sources of the column at p^-(k-1). Nothing is dropped at these
/// rates, and the last receiver has all bytes as late as the rate says.
#[test]
fn sets_of_sources_share_the_line_rate_as_lemma_3_says() {
    let size = 2_000_000_u64;
    let network = NETWORK.replace("hosts_per_tor = 2", "hosts_per_tor = 8");
    let ran = |senders: &[u32]| {
        // Each group has a host of its own at every ToR, so that only relays are shared.
        let of = |(number, from): (u32, &u32)| {
            let members: Vec<String> = (0..24).map(|tor| (8 * tor + number).to_string()).collect();
            format!(
                "[[group]]\nname = \"of {from}\"\nmembers = [{}]\ntransport = \"datagram\"\n\
                 [[multicast]]\ngroup = \"of {from}\"\nfrom = {}\nsize = \"{size} B\"\n",
                members.join(", "),
                8 * from + number
            )
        };
        let traffic: String = (0..).zip(senders).map(of).collect();
        let admission = "[admission]\npolicy = \"share\"\ncontroller = 191\n";
        let bench = bench_with(&format!("{HEAD}{network}{SMALL}{traffic}{admission}"));
        let design = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 3\n";
        bench.write("hall.toml", design);
        bench.ask(&["simulate", "s.toml"])
    };
    // Of 2,3 the rows of column 0 are 0 to 7. The shift of a row has all its three binary digits turned.
    let mut senders = Vec::new();
    let mut alone = 0.0;
    for sets in 1..=4_u32 {
        senders.extend([sets - 1, 7 - (sets - 1)]);
        let answer = ran(&senders);
        assert_eq!((dropped(&answer), &answer["end"]["how"]), (0, &Value::from("done")));
        assert_eq!(number(&answer["admission"]["most_at_once"]), u64::from(2 * sets));
        let messages = answer["multicasts"].as_array().expect("messages");
        assert_eq!(messages.len(), senders.len());
        for message in messages {
            assert_eq!(message["completed"], 23);
            let rate = number(&message["admission"]["least_rate_bps"]);
            assert!(rate.abs_diff(100_000_000_000 / u64::from(sets)) < 100_000_000, "{rate}");
            let goodput = message["goodput_bps"].as_f64().expect("it is complete");
            if sets == 1 {
                alone = goodput;
            }
            let share = goodput / alone * f64::from(sets);
            assert!((0.98..=1.02).contains(&share), "{sets} sets: {share} of the share");
        }
    }
}

/// With trees made for it, senders to receivers of their own go at once.
#[test]
fn parallel_trees_let_senders_go_at_once() {
    let traffic: String = [("a", 0, 4), ("b", 6, 10), ("c", 8, 2)]
        .map(|(name, from, to)| pair(name, from, to))
        .concat();
    let at_once = |trees: &str| {
        let bench =
            bench(&format!("{traffic}[admission]\npolicy = \"turns\"\ntrees = \"{trees}\"\n"));
        let answer = bench.ask(&["simulate", "s.toml"]);
        assert_eq!((dropped(&answer), &answer["end"]["how"]), (0, &Value::from("done")));
        let admission = &answer["admission"];
        assert_eq!(admission["trees"], trees);
        (number(&admission["most_at_once"]), number(&admission["disjoint_senders"]))
    };
    let (installed, parallel) = (at_once("installed"), at_once("parallel"));
    // A 2,2-Shufflecast has at most two disjoint trees.
    assert!(parallel.1 == 2 && parallel.1 >= installed.1, "{installed:?} {parallel:?}");
    assert!(parallel.0 >= 2, "{installed:?} {parallel:?}");
}

/// A run in which a turn never ends says who waits for whom.
#[test]
fn a_stalled_run_names_who_waits() {
    let traffic = broadcasts("rc", &[0, 2]);
    let dead = "[[failure]]\nnode = 9\nat = \"30 us\"\n[admission]\npolicy = \"turns\"\n";
    let bench = bench(&format!("{traffic}{dead}"));
    let ran = bench.run(&["simulate", "s.toml"]);
    assert_ne!(ran.code, 0);
    let text = format!("{}{}", ran.stdout, ran.stderr);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("wait to be admitted, the first, message 1 of"), "{text}");
    assert!(text.contains("for message 0 of"), "{text}");
}

#[test]
fn wrong_admission_is_refused_with_its_line() {
    let traffic = broadcasts("datagram", &[0]);
    let cases = [
        ("[admission]\n", "policy"),
        ("[admission]\npolicy = \"queue\"\n", "policy"),
        ("[admission]\npolicy = \"turns\"\ncontroller = 99\n", "controller"),
        ("[admission]\npolicy = \"turns\"\ncontroller = \"spine 0\"\n", "only hosts"),
        ("[admission]\npolicy = \"turns\"\ntrees = \"all\"\n", "trees"),
        ("[admission]\npolicy = \"turns\"\nrate = 3\n", "rate"),
        (
            "[admission]\npolicy = \"turns\"\ntrees = \"parallel\"\n[recovery]\nrecover = false\n",
            "[recovery]",
        ),
    ];
    for (said, word) in cases {
        let ran = bench(&format!("{traffic}{said}")).run(&["simulate", "s.toml"]);
        assert_ne!(ran.code, 0, "{said}");
        assert!(ran.stderr.contains("s.toml:") && ran.stderr.contains(word), "{}", ran.stderr);
    }
    // Without light there is nothing to admit.
    let links = traffic.replace("transport", "data = \"links\"\ntransport");
    let said = "[admission]\npolicy = \"turns\"\n";
    let ran = bench(&format!("{links}{said}")).run(&["simulate", "s.toml"]);
    assert!(ran.code != 0 && ran.stderr.contains("messages over light"), "{}", ran.stderr);
    let leaves = "[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 2\n\
                  rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
    let ran = bench_with(&format!("{HEAD}{leaves}{traffic}{said}")).run(&["simulate", "s.toml"]);
    assert!(ran.code != 0 && ran.stderr.contains("messages over light"), "{}", ran.stderr);
}

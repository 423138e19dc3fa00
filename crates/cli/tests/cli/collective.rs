//! `lightloom collective`: every time is that of a run, what is extended is near what a run gives, and what is refused.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::{Bench, SMALL};

const DESIGN: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 3\n\
                      [cost]\nyears = 5\nenergy_price = \"0.12 USD\"\n";

pub(crate) fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("d.toml", DESIGN);
    bench
}

fn ask(bench: &Bench, more: &[&str]) -> Value {
    bench.ask(&[&["collective", "d.toml"], more].concat())
}

/// The times of an answer, by schedule, members, groups and size.
fn times(report: &Value) -> BTreeMap<(String, u64, u64, u64), u64> {
    let cases = report["cases"].as_array().expect("cases").iter();
    let time = |case: &Value| {
        let number = |name: &str| case[name].as_u64().unwrap_or_else(|| panic!("{name} of {case}"));
        let name = case["name"].as_str().expect("a name").to_owned();
        ((name, number("members"), number("groups"), number("bytes")), number("last_ps"))
    };
    cases.map(time).collect()
}

/// The time until the last member of the last group had all, by a scenario file.
fn simulated(bench: &Bench, file: &str, case: (&str, &str, u64, u64, u64)) -> u64 {
    let (schedule, way, members, groups, bytes) = case;
    let mut text = format!(
        "version = 1\nseed = 1\nuntil = \"10 s\"\n[network]\nkind = \"design\"\nfile = \"{file}\"\n\
         hosts_per_tor = 1\nspines = 1\nrate = \"100 Gb/s\"\nlength = \"100 m\"\n"
    );
    for group in 0..groups {
        let hosts: Vec<u64> = (group * members..(group + 1) * members).collect();
        let of = if way.is_empty() {
            format!("members = {hosts:?}\n")
        } else {
            text += &format!("[[group]]\nname = \"g{group}\"\nmembers = {hosts:?}\n{way}\n");
            format!("group = \"g{group}\"\n")
        };
        text += &format!(
            "[[collective]]\noperation = \"broadcast\"\nschedule = \"{schedule}\"\n{of}size = \"{bytes} B\"\n\
             start = \"10 ms\"\n"
        );
    }
    bench.write("s.toml", text);
    let report = bench.ask(&["simulate", "s.toml"]);
    let of = report["collectives"].as_array().expect("operations").iter();
    of.map(|one| one["times"][0]["last_ps"].as_u64().expect("it is done")).max().expect("a group")
}

#[test]
fn every_time_is_that_of_a_run() {
    let bench = bench();
    let report = ask(
        &bench,
        &["--op", "broadcast", "--size", "8kB,100kB", "--members", "5,12", "--groups", "1,2"],
    );
    let found = times(&report);
    for (name, schedule, way) in [
        ("chain", "chain", ""),
        ("double-tree", "double-tree", ""),
        ("scatter-ring", "scatter-ring", ""),
        ("multicast over light", "multicast", "data = \"light\""),
        ("multicast over cepheus", "multicast", "data = \"links\""),
        ("multicast over gleam", "multicast", "data = \"links\"\ndialect = \"gleam\""),
    ] {
        for (members, groups) in [(5, 1), (5, 2), (12, 1), (12, 2)] {
            for bytes in [8_000, 100_000] {
                let run = simulated(&bench, "d.toml", (schedule, way, members, groups, bytes));
                let key = (name.to_owned(), members, groups, bytes);
                assert_eq!(found[&key], run, "{key:?}");
            }
        }
    }
    // Five and twelve are no powers of two.
    let left_out = report["left_out"].as_array().expect("a list");
    let names: Vec<&str> = left_out.iter().filter_map(|out| out["schedule"].as_str()).collect();
    assert_eq!(names.iter().filter(|name| **name == "binomial-pipeline").count(), 4, "{names:?}");
    assert_eq!(names.iter().filter(|name| **name == "scatter-doubling").count(), 4, "{names:?}");
    assert_eq!(names.len(), 8);
}

/// A plan that goes around a failure has its rules in a run, and in this answer.
#[test]
fn a_repaired_plan_is_asked_as_it_stands() {
    let bench = bench();
    let apply = ["recover", "d.toml", "--failed", "relay:0", "--apply", "repaired"];
    assert_eq!(bench.run(&apply).code, 0);
    let report = bench.ask(&["collective", "repaired", "--op", "broadcast", "--size", "100kB"]);
    let all = simulated(&bench, "repaired", ("multicast", "data = \"light\"", 24, 1, 100_000));
    assert_eq!(times(&report)[&("multicast over light".to_owned(), 24, 1, 100_000)], all);
    let whole = times(&ask(&bench, &["--op", "broadcast", "--size", "100kB"]));
    assert_ne!(whole[&("multicast over light".to_owned(), 24, 1, 100_000)], all);
}

#[test]
fn extended_times_are_near_those_of_runs() {
    let bench = bench();
    let of = ["--op", "broadcast", "--size", "8MB", "--members", "16"];
    let run = times(&ask(&bench, &of));
    let all = [&["collective", "d.toml"], &of[..], &["--simulate-up-to", "2MB", "--json"]].concat();
    let ran = bench.run(&all);
    // Cornet's blocks of 4 MB are larger than all that is simulated.
    let report = ran.document();
    let out = &report["left_out"].as_array().expect("a list")[0];
    assert_eq!(
        (ran.code, &out["schedule"], &out["bytes"]),
        (1, &"cornet".into(), &8_000_000.into())
    );
    assert!(
        out["reason"].as_str().is_some_and(|why| why.contains("too few slices of 4 MB")),
        "{out}"
    );
    let extended = times(&report);
    for (key, run) in run.iter().filter(|(key, _)| key.0 != "cornet") {
        let (extended, run) = (extended[key] as f64, *run as f64);
        // Its partners drift apart, and the longer it runs the more of them meet at a port.
        let within = if key.0 == "binomial-pipeline" { 0.1 } else { 0.01 };
        assert!((extended / run - 1.0).abs() < within, "{key:?}: {extended} of {run}");
    }
    // The two sizes that give the slope are there too.
    assert_eq!(extended.len(), 3 * run.len() - 1);
    for case in report["cases"].as_array().expect("cases") {
        let is_extended = case["bytes"].as_u64() == Some(8_000_000);
        assert_eq!(case["is_extended"], is_extended);
        assert_eq!(case["first_ps"].is_null(), is_extended);
    }
}

#[test]
fn the_answer_follows_from_its_cases() {
    let bench = bench();
    let of = ["--op", "allreduce", "--size", "1kB..4MB", "--members", "4,8,16"];
    let report = ask(&bench, &of);
    let found = times(&report);
    let mut winners = BTreeMap::new();
    for one in report["fastest"].as_array().expect("fastest") {
        let [members, groups, bytes] =
            ["members", "groups", "bytes"].map(|name| one[name].as_u64().expect("a number"));
        let times: Vec<(&str, u64)> = found
            .iter()
            .filter(|((_, m, g, b), _)| (*m, *g, *b) == (members, groups, bytes))
            .map(|((name, ..), time)| (name.as_str(), *time))
            .collect();
        let least = times.iter().map(|(_, time)| *time).min().expect("a time");
        assert_eq!(one["last_ps"], least);
        let name = one["name"].as_str().expect("a name");
        assert!(times.contains(&(name, least)), "{one}");
        winners.insert((members, bytes), name.to_owned());
    }
    for one in report["crossovers"].as_array().expect("crossovers") {
        let [members, from, to, about] = ["members", "from_bytes", "to_bytes", "about_bytes"]
            .map(|name| one[name].as_u64().expect("a number"));
        assert!(from <= about && about <= to, "{one}");
        assert_eq!(one["before"], winners[&(members, from)]);
        assert_eq!(one["after"], winners[&(members, to)]);
        assert_ne!(one["before"], one["after"]);
    }
    assert!(
        !report["crossovers"].as_array().expect("crossovers").is_empty(),
        "small and large sums differ"
    );
    for case in report["cases"].as_array().expect("cases") {
        let bps = |name: &str| case[name].as_f64().unwrap_or_else(|| panic!("{name} of {case}"));
        // What is possible: no link carries more than its rate, and no port is passed faster.
        for name in ["link_bps", "host_bps", "bus_bps"] {
            assert!(bps(name) > 0.0 && bps(name) <= 100e9, "{name} of {case}");
        }
        assert!(bps("host_bps") <= bps("link_bps"), "{case}");
        assert!(bps("joules_per_tb") > 0.0, "{case}");
    }
}

/// Joules and money follow from the comparison of the design, the time, and what arrives.
#[test]
fn a_terabyte_costs_what_stands_there_for_so_long() {
    let bench = bench();
    let report = ask(
        &bench,
        &["--op", "broadcast", "--size", "1MB", "--schedules", "multicast:light,chain"],
    );
    let compare = bench.ask(&["compare", "d.toml"]);
    let watts = |side: &Value| side["power_w"].as_f64().expect("a power");
    let (core, glass) = (&compare["ip_multicast"], &compare["whole_fabric"]["splitter_fabric"]);
    for case in report["cases"].as_array().expect("cases") {
        let seconds = case["last_ps"].as_f64().expect("a time") / 1e12;
        let terabytes = 23.0 * 1e6 / 1e12;
        let light = case["name"] == "multicast over light";
        let power = watts(core) + if light { watts(glass) } else { 0.0 };
        let expected = power * seconds / terabytes;
        let found = case["joules_per_tb"].as_f64().expect("a number");
        assert!((found / expected - 1.0).abs() < 1e-9, "{case}: {expected}");
    }
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads() {
    let bench = bench();
    let ran = ["1", "2", "3"].map(|threads| {
        bench.run(&[
            "collective",
            "d.toml",
            "--op",
            "allgather",
            "--size",
            "8kB..64kB",
            "--threads",
            threads,
            "--json",
        ])
    });
    assert_eq!(ran[0].code, 0, "{ran:?}");
    assert!(ran[0].stdout == ran[1].stdout && ran[0].stdout == ran[2].stdout);
}

#[test]
fn bad_questions_are_refused() {
    let bench = bench();
    for (more, parts) in [
        (&["--op", "barrier"][..], &["--operation: found barrier, which has no size"][..]),
        (&["--op", "broadcast", "--size", "0B"], &["--size: found 0 B; expected 1 B to 1 TB"]),
        (&["--op", "broadcast", "--size", "2MB..1MB"], &["--size: found 2 MB to 1 MB"]),
        (&["--op", "broadcast", "--size", "64"], &["--size: "]),
        (
            &["--op", "broadcast", "--members", "1"],
            &["--members: found 1; a group has at least 2 members"],
        ),
        (
            &["--op", "broadcast", "--members", "25"],
            &["--members: found 25; the network has 24 hosts"],
        ),
        (&["--op", "broadcast", "--groups", "0"], &["--groups: found 0"]),
        (
            &["--op", "broadcast", "--members", "9", "--groups", "3"],
            &["--groups: found 3 groups of 9, 27 hosts; the network has 24"],
        ),
        (&["--op", "broadcast", "--groups", "13"], &["--members: found 1"]),
        (
            &["--op", "broadcast", "--schedules", "scatter-doubling", "--members", "12"],
            &["--schedules: scatter-doubling", "needs a power of two, such as 8 or 16"],
        ),
        (
            &["--op", "broadcast", "--schedules", "chain,mpi,chain"],
            &["--schedules: found chain twice; name it once"],
        ),
        (
            &["--op", "allreduce", "--schedules", "binomial"],
            &["--schedules: found \"binomial\"; schedules of allreduce are ring-multicast:light, "],
        ),
        (&["--op", "broadcast", "--slice", "0B"], &["--slice"]),
        (
            &["--op", "broadcast", "--simulate-up-to", "1B"],
            &["--simulate-up-to: found 1 B; expected 64 kB or more"],
        ),
        (&["--op", "broadcast", "--hosts-per-tor", "0"], &["--hosts-per-tor"]),
        (&["--op", "broadcast", "--spines", "0"], &["--spines"]),
        (&["--op", "broadcast", "--link-rate", "0 b/s"], &["--link-rate"]),
        (&["--op", "broadcast", "--link-length", "-1 m"], &["--link-length"]),
        (&["--op", "broadcast", "--threads", "0"], &["--threads"]),
        (&["--op", "broadcast", "--plot", "p.png"], &["p.png", "end it in .svg"]),
        (&["--op", "broadcast", "--plot", "d.toml"], &["d.toml", "end it in .svg"]),
    ] {
        bench.refuses(&[&["collective", "d.toml"], more].concat(), parts);
    }
    bench.refuses(&["collective", "d.toml"], &["--op"]);
}

/// The picture has a curve for each schedule, and the design and other files stay.
#[test]
fn curves_are_drawn() {
    let bench = bench();
    let of = [
        "collective",
        "d.toml",
        "--op",
        "broadcast",
        "--size",
        "8kB..1GB",
        "--members",
        "8",
        "--plot",
        "p.svg",
    ];
    let ran = bench.run(&of);
    assert_eq!(ran.code, 0, "{ran:?}");
    let first = ran.stdout.lines().next().expect("a line");
    assert!(
        first.starts_with("Broadcast of 8 members: multicast over light is fastest from 8 kB"),
        "{first}"
    );
    let text = std::fs::read_to_string(bench.path("p.svg")).expect("a picture");
    // 17 schedules in each of four panels.
    assert_eq!(text.matches("<polyline ").count(), 4 * 17);
    let again = bench.run(&of);
    assert_eq!(again.stdout, ran.stdout);
    assert_eq!(std::fs::read_to_string(bench.path("p.svg")).expect("a picture"), text);
}

/// The light of this design does not close. The answer leaves schedules over light out, and says why.
#[test]
fn a_design_without_light_is_asked_about_its_links() {
    let bench = Bench::new();
    let design =
        "--family kautz --p 16 --tors 64 --transceiver 10gbase-lr --catalogue datasheets-2026";
    let design: Vec<&str> = design.split(' ').collect();
    let of = ["--op", "broadcast", "--size", "8kB", "--members", "8"];
    let report = bench.ask(&[&["collective"], &design[..], &of].concat());
    let out = &report["left_out"].as_array().expect("a list")[0];
    assert_eq!(out["schedule"], "multicast over light");
    let why = out["reason"].as_str().expect("a reason");
    assert!(why.contains("the light of 1024 of 1024 branches does not close"), "{why}");
    assert!(!why.contains("dark_branches"), "{why}");
    assert_eq!(report["cases"].as_array().map(Vec::len), Some(16));
    let light = ["--schedules", "multicast:light"];
    let told = ["--schedules: found multicast:light: the light of 1024 of", "leave it out"];
    bench.refuses(&[&["collective"], &design[..], &of, &light].concat(), &told);
}

#[test]
fn a_design_may_be_flags() {
    let bench = Bench::new();
    let of = ["--op", "reduce-scatter", "--size", "64kB"];
    let report = bench.ask(&[&["collective"], &SMALL[..], &of].concat());
    assert_eq!(report["fastest"][0]["members"], 8);
    assert!(
        report["break_even"].as_array().expect("a list").is_empty(),
        "nothing sends to a group"
    );
}

/// A member without power never has its part. The answer says which runs failed, and why. It says the same of a
/// repaired plan whose light does not close.
#[test]
fn runs_that_fail_are_told() {
    let bench = bench();
    let apply = |design: &str, out: &str| {
        let of = format!("recover {design} --failed tor:3 --apply {out}");
        assert_eq!(bench.run(&of.split(' ').collect::<Vec<_>>()).code, 1, "ToR 3 is cut off");
    };
    let ask = |of: &str| bench.run(&of.split(' ').collect::<Vec<_>>());
    apply("d.toml", "dark");
    let of = "collective dark --op broadcast --size 128kB --schedules multicast:light,chain";
    let ran = ask(&format!("{of} --members 3,4"));
    assert_eq!(ran.code, 1, "{ran:?}");
    let text = ran.stdout.replace("\n  ", " ");
    assert!(text.contains("Failed: chain of 4 members, 128000 B: "), "{text}");
    assert!(text.contains("Failed: multicast over light of 4 members, 128000 B: "), "{text}");
    assert!(!text.contains("of 3 members, 128000 B"), "{text}");
    let first = "Broadcast of 3 members: multicast over light is fastest at 128 kB";
    assert!(text.starts_with(first), "{text}");

    let unlit = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 16\ntors = 64\n[optics]\n\
                 catalogue = \"datasheets-2026\"\ntransceiver = \"10gbase-lr\"\n";
    bench.write("u.toml", unlit);
    apply("u.toml", "unlit");
    let of_unlit = "collective unlit --op broadcast --size 128kB --schedules chain";
    for (of, schedules) in [(of, 2), (of_unlit, 1)] {
        // From 32 and 64 kB nothing can be extended.
        for (more, extended) in [("", 0), (" --simulate-up-to 64kB", schedules)] {
            let ran = ask(&format!("{of} --members 4 --json{more}"));
            assert_eq!(ran.code, 1, "{ran:?}");
            let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
            assert_eq!(report["answer"], serde_json::json!(["No case has a time."]));
            let cases = report["cases"].as_array().expect("cases");
            assert_eq!(cases.len(), schedules * if extended > 0 { 2 } else { 1 });
            for case in cases {
                let why = case["why"].as_str().unwrap_or_default();
                assert!(case["last_ps"].is_null() && !why.is_empty(), "{case}");
            }
            let out = report["left_out"].as_array().expect("a list");
            assert_eq!(out.len(), extended, "{out:?}");
            assert!(out.iter().all(|out| out["bytes"] == 128_000), "{out:?}");
        }
    }
}

//! Jobs: collective operations that go one after the other, and round again.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const NETWORK: &str = "version = 1\nseed = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\n\
                       spines = 2\nhosts_per_leaf = 2\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const GROUP: &str = "[[group]]\nname = \"acceptors\"\nmembers = [1, 2, 4, 6]\n";

/// An operation of the job `paxos`.
fn one(name: &str, more: &str) -> String {
    format!("[[collective]]\njob = \"paxos\"\nname = \"{name}\"\nsize = \"8 B\"\n{more}")
}

/// A client asks a proposer, which asks acceptors; answers come back the same way.
fn rounds(asks: &str, repeat: u32) -> Bench {
    let repeat = format!("repeat = {repeat}\n");
    let step = |name, more: &str| one(name, &format!("{more}{repeat}"));
    let text = [
        step("request", "operation = \"broadcast\"\nschedule = \"sequential\"\nmembers = [0, 1]\n"),
        step("accept", asks),
        step(
            "accepted",
            "operation = \"gather\"\nschedule = \"concurrent\"\nmembers = [1, 2, 4, 6]\nroot = 1\n",
        ),
        step("answer", "operation = \"broadcast\"\nschedule = \"sequential\"\nmembers = [1, 0]\n"),
    ];
    bench_with(&format!("{NETWORK}{GROUP}{}", text.concat()))
}

const APART: &str =
    "operation = \"broadcast\"\nschedule = \"concurrent\"\nmembers = [1, 2, 4, 6]\n";
const TOGETHER: &str =
    "operation = \"broadcast\"\nschedule = \"multicast\"\ngroup = \"acceptors\"\n";

fn times(one: &Value) -> Vec<(u64, u64)> {
    let at = |time: &Value, field: &str| time[field].as_u64().unwrap_or_else(|| panic!("{time}"));
    let times = one["times"].as_array().expect("a list").iter();
    times.map(|time| (at(time, "start_ps"), at(time, "start_ps") + at(time, "last_ps"))).collect()
}

/// Each operation begins when its sender has what the one before brought it, and the first when the client has its
/// answer.
#[test]
fn operations_of_a_job_go_one_after_the_other() {
    for asks in [APART, TOGETHER] {
        let told = rounds(asks, 20).ask(&["simulate", "s.toml", "--check"]);
        let all: Vec<Vec<(u64, u64)>> =
            told["collectives"].as_array().expect("a list").iter().map(times).collect();
        assert_eq!(all.len(), 4);
        for round in 0..20 {
            for (before, after) in [(0, 1), (2, 3)] {
                let (ends, begins) = (all[before][round].1, all[after][round].0);
                assert!(ends <= begins, "round {round}: {before} and {after}, {ends} {begins}");
            }
            // The first acceptor answers when it has the question, and the last one when all have.
            assert!(all[1][round].0 < all[2][round].0 && all[2][round].1 > all[1][round].1);
            if round > 0 {
                assert!(all[3][round - 1].1 <= all[0][round].0, "round {round}");
            }
        }
        let job = &told["jobs"][0];
        assert_eq!((&job["name"], &job["operations"]), (&"paxos".into(), &4.into()));
        assert_eq!((&job["rounds"], &job["completed"]), (&20.into(), &20.into()));
        let taken: Vec<u64> = (0..20).map(|round| all[3][round].1 - all[0][round].0).collect();
        let longest = taken.iter().max().expect("there are some");
        assert_eq!(job["completion"]["max_ps"].as_u64(), Some(*longest));
        assert_eq!(job["total_ps"].as_u64(), Some(all[3][19].1 - all[0][0].0));
    }
}

/// A root that has received two messages sends only what it has: the panel of the step before goes on before the next.
#[test]
fn a_member_waits_for_all_that_came_before() {
    let panels: String = (0..4)
        .map(|root| {
            format!(
                "[[collective]]\njob = \"panels\"\noperation = \"broadcast\"\nschedule = \"increasing-ring\"\n\
                 members = [0, 2, 4, 6]\nroot = {}\nsize = \"100 kB\"\n",
                2 * root
            )
        })
        .collect();
    let bench = bench_with(&format!("{NETWORK}{panels}"));
    let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let column = |name: &str| bench.column("out/flows.csv", name);
    let number = |cells: Vec<String>| -> Vec<u64> {
        cells.iter().map(|cell| cell.parse().expect("a number")).collect()
    };
    let (from, to) = (column("from"), column("to"));
    let (taken, received) = (number(column("completion_ps")), number(column("received_ps")));
    let asked: Vec<u64> = received.iter().zip(&taken).map(|(at, taken)| at - taken).collect();
    assert_eq!(from.len(), 12);
    for later in 0..12 {
        for before in 0..later {
            // Of another panel, to the host that sends this one.
            if before / 3 < later / 3 && to[before] == from[later] {
                assert!(received[before] <= asked[later], "{before} and {later}");
            }
        }
    }
}

/// Computations are a part of it: with one operation that computes, a round takes that longer.
#[test]
fn jobs_compute() {
    let job = |compute: &str| {
        let text = format!(
            "{NETWORK}[[collective]]\njob = \"step\"\noperation = \"broadcast\"\nschedule = \"binomial\"\n\
             size = \"1 kB\"\nrepeat = 3\n[[collective]]\njob = \"step\"\noperation = \"allreduce\"\n\
             schedule = \"ring\"\nsize = \"8 kB\"\nrepeat = 3\n{compute}"
        );
        bench_with(&text).ask(&["simulate", "s.toml"])["jobs"][0]["total_ps"]
            .as_u64()
            .expect("it ends")
    };
    let (without, with) = (job(""), job("compute = \"100 us\"\n"));
    assert!((with - without).abs_diff(300_000_000) < 30_000_000, "{with} {without}");
}

/// What does not end before the run does is told as that.
#[test]
fn a_job_that_does_not_end_has_no_total() {
    let bench = rounds(APART, 10_000);
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    let told = ran.document();
    let warnings = told["warnings"].as_array().expect("a list");
    let is_told =
        |of: &str| warnings.iter().any(|one| one.as_str().is_some_and(|one| one.starts_with(of)));
    assert!(is_told("\"answer\" did not complete"), "{warnings:?}");
    let job = &told["jobs"][0];
    let (rounds, completed) = (job["rounds"].as_u64(), job["completed"].as_u64());
    assert!(
        rounds == Some(10_000) && completed.is_some_and(|completed| completed < 10_000),
        "{job}"
    );
    assert_eq!(job["total_ps"], Value::Null);
}

/// A job alone takes what it takes in a scenario of its own, and it is told beside what it takes with others.
#[test]
fn jobs_run_alone_and_beside_others() {
    let ring = |job: &str, members: &str| {
        format!(
            "[[collective]]\njob = \"{job}\"\noperation = \"allreduce\"\nschedule = \"ring\"\nmembers = {members}\n\
             size = \"2 MB\"\nrepeat = 3\n"
        )
    };
    let first = format!("{NETWORK}{}", ring("a", "[0, 2, 4, 6]"));
    let own = bench_with(&first).ask(&["simulate", "s.toml"]);
    let both = bench_with(&format!("{first}{}", ring("b", "[0, 2, 4, 6]")));
    let told = both.ask(&["simulate", "s.toml", "--alone"]);
    let (a, b) = (&told["jobs"][0], &told["jobs"][1]);
    for field in ["completed", "completion", "total_ps"] {
        assert_eq!(a["alone"][field], own["jobs"][0][field], "{field}");
    }
    let mean = |of: &Value| of["completion"]["mean_ps"].as_f64().expect("a time");
    for job in [a, b] {
        // They share every port.
        let ratio = mean(job) / mean(&job["alone"]);
        assert!(ratio > 1.8 && ratio < 2.3, "{ratio} of {job}");
    }
    // Nothing else in the report changes.
    let mut without = told.clone();
    for job in without["jobs"].as_array_mut().expect("a list") {
        job.as_object_mut().expect("an object").remove("alone");
    }
    let mut plain = both.ask(&["simulate", "s.toml"]);
    for report in [&mut without, &mut plain] {
        report.as_object_mut().expect("an object").remove("timing");
    }
    assert_eq!(without, plain);
    let text = both.run(&["simulate", "s.toml", "--alone"]).said();
    assert!(text.contains("times as long"), "{text}");
    let lonely = bench_with(&format!("{NETWORK}[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n"));
    lonely.refuses(&["simulate", "s.toml", "--alone"], &["--alone: is for scenarios with jobs"]);
    both.refuses(&["simulate", "s.toml", "--alone", "--seeds", "3"], &["--alone: is for one run"]);
}

/// A job over a group that others send to, among flows and computations: alone it takes what it takes in a scenario
/// without them, but for who registered the group and which ways flows take.
#[test]
fn jobs_over_groups_run_alone() {
    let job = |others: &str| {
        format!(
            "{GROUP}{others}[[collective]]\njob = \"a\"\noperation = \"broadcast\"\nschedule = \"multicast\"\n\
             group = \"acceptors\"\nsize = \"1 MB\"\nrepeat = 3\n[[collective]]\njob = \"a\"\noperation = \"gather\"\n\
             schedule = \"binomial\"\nmembers = [1, 2, 4, 6]\nsize = \"1 MB\"\ncompute = \"10 us\"\nrepeat = 3\n"
        )
    };
    let own = bench_with(&format!("{NETWORK}{}", job("")));
    let to_group = "[[multicast]]\ngroup = \"acceptors\"\nfrom = 2\nsize = \"1 MB\"\n";
    let flows = "[[flow]]\nfrom = 0\nto = 6\nsize = \"4 MB\"\n[[traffic]]\npattern = \"stride\"\noffset = 2\n\
                 size = \"1 MB\"\n";
    let more = "[[collective]]\noperation = \"allreduce\"\nschedule = \"ring\"\nsize = \"1 MB\"\ncompute = \"50 us\"\n";
    let all = bench_with(&format!("{NETWORK}{flows}{}{more}", job(to_group)));
    let told = all.ask(&["simulate", "s.toml", "--alone"])["jobs"][0].clone();
    let own = own.ask(&["simulate", "s.toml"])["jobs"][0].clone();
    let total = |of: &Value| of["total_ps"].as_f64().unwrap_or_else(|| panic!("{of}"));
    let off = total(&told["alone"]) / total(&own) - 1.0;
    assert!(off.abs() < 0.02, "{told} {own}");
    assert!(total(&told) > 1.3 * total(&told["alone"]), "{told}");
}

#[test]
fn bad_jobs_are_refused() {
    let ring = |more: &str| {
        format!(
            "[[collective]]\noperation = \"allreduce\"\nschedule = \"ring\"\nsize = \"8 kB\"\n{more}"
        )
    };
    let datagrams = String::from(
        "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n[[collective]]\n\
         operation = \"broadcast\"\nschedule = \"multicast\"\ngroup = \"all\"\nsize = \"1 kB\"\njob = \"a\"\n",
    );
    for (text, message) in [
        (ring("job = \" \"\n"), "collective.job: found an empty name"),
        (
            ring("job = \"a\"\n") + &ring("") + &ring("job = \"a\"\n"),
            "collective.job: found \"a\", which other operations are a part of",
        ),
        (
            ring("job = \"a\"\nrepeat = 3\n") + &ring("job = \"a\"\nrepeat = 2\n"),
            "collective.repeat: found 2, and the first operation of job \"a\" runs 3 times",
        ),
        (
            ring("job = \"a\"\nrepeat = 3\ndepth = 2\n"),
            "collective.depth: is for an operation without a job",
        ),
        (datagrams, "collective.job: is for operations over a reliable group"),
    ] {
        bench_with(&format!("{NETWORK}{text}")).refuses(&["simulate", "s.toml"], &[message]);
    }
}

//! Closed loops: a collective operation of which several times are under way at once.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const NETWORK: &str = "version = 1\nseed = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\n\
                       spines = 2\nhosts_per_leaf = 2\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const GROUP: &str = "[[group]]\nname = \"replicas\"\nmembers = [0, 2, 4, 6]\n";

fn writes(more: &str) -> Bench {
    bench_with(&format!("{NETWORK}[[collective]]\noperation = \"broadcast\"\n{more}"))
}

fn apart(size: &str, more: &str) -> Bench {
    writes(&format!("schedule = \"concurrent\"\nmembers = [0, 2, 4, 6]\nsize = \"{size}\"\n{more}"))
}

fn report(bench: &Bench) -> Value {
    bench.ask(&["simulate", "s.toml", "--check"])["collectives"][0].clone()
}

fn rate(report: &Value) -> f64 {
    report["per_second"].as_f64().unwrap_or_else(|| panic!("{report}"))
}

/// With a depth of 3 the fourth write begins when all replicas have acknowledged the first. The first three begin
/// at once.
#[test]
fn a_write_waits_for_the_one_so_many_before() {
    for depth in [1_usize, 3, 7] {
        let bench = apart("8 kB", &format!("repeat = 20\ndepth = {depth}\n"));
        let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let column = |name: &str| -> Vec<u64> {
            let cells = bench.column("out/flows.csv", name);
            cells.iter().map(|cell| cell.parse().expect("a number")).collect()
        };
        let told = report(&bench);
        let starts: Vec<u64> = told["times"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|time| time["start_ps"].as_u64().expect("it began"))
            .collect();
        let acknowledged = column("acknowledged_ps");
        assert_eq!(acknowledged.len(), 60);
        for (number, &start) in starts.iter().enumerate() {
            let before = number.checked_sub(depth).map(|before| 3 * before..3 * before + 3);
            let until =
                before.map_or(0, |before| acknowledged[before].iter().copied().max().unwrap());
            assert_eq!(start, until, "write {number} at a depth of {depth}");
        }
    }
}

/// The more writes are under way, the more a second, until the port of the client is full: three copies, or one.
#[test]
fn the_rate_grows_until_the_port_is_full() {
    let run = |bench: &dyn Fn(u32) -> Bench| -> Vec<f64> {
        [1, 4, 16, 64].map(|depth| rate(&report(&bench(depth)))).to_vec()
    };
    let frames = |copies: f64| 100e9 / (copies * 8.0 * (8_000.0 + 2.0 * 82.0 + 16.0));
    let apart = run(&|depth| apart("8 kB", &format!("repeat = 500\ndepth = {depth}\n")));
    assert!(apart.is_sorted() && apart[3] > 4.0 * apart[0], "{apart:?}");
    assert!(apart[3] <= frames(3.0) && apart[3] > 0.95 * frames(3.0), "{apart:?}");
    let group = run(&|depth| {
        bench_with(&format!(
            "{NETWORK}{GROUP}[[collective]]\noperation = \"broadcast\"\nschedule = \"multicast\"\n\
             group = \"replicas\"\nsize = \"8 kB\"\nrepeat = 500\ndepth = {depth}\n"
        ))
    });
    assert!(group.is_sorted() && group[3] <= frames(1.0), "{group:?}");
    // A single copy leaves the port: nearly three times as many.
    assert!(group[3] > 2.8 * apart[3], "{group:?} {apart:?}");
}

/// The same to a group: with a depth of 5 the sixth write begins when the first has reached all replicas.
#[test]
fn writes_to_a_group_wait_for_the_one_so_many_before() {
    for depth in [1_usize, 5] {
        let bench = bench_with(&format!(
            "{NETWORK}{GROUP}[[collective]]\noperation = \"broadcast\"\nschedule = \"multicast\"\n\
             group = \"replicas\"\nsize = \"30 kB\"\nrepeat = 30\ndepth = {depth}\n"
        ));
        let told = report(&bench);
        let times = told["times"].as_array().expect("a list");
        let at = |time: &Value, field: &str| time[field].as_u64().expect("a time");
        for (number, time) in times.iter().enumerate() {
            let start = at(time, "start_ps");
            match number.checked_sub(depth).map(|before| &times[before]) {
                None => assert_eq!(start, at(&times[0], "start_ps")),
                Some(before) => {
                    let had = at(before, "start_ps") + at(before, "last_ps");
                    // And an acknowledgement over four links of 1 us.
                    assert!(
                        start > had + 4_000_000 && start < had + 6_000_000,
                        "{number}: {start} {had}"
                    );
                }
            }
        }
    }
}

/// Rates are those of all times, whatever is under way at once.
#[test]
fn rates_are_those_of_all_times() {
    let told = report(&apart("512 kB", "repeat = 30\ndepth = 8\n"));
    assert_eq!((&told["depth"], &told["completed"]), (&8.into(), &30.into()));
    let ends = told["times"].as_array().expect("a list").iter();
    let ends = ends.map(|time| {
        time["start_ps"].as_u64().expect("it began") + time["last_ps"].as_u64().expect("it ended")
    });
    let took = ends.max().expect("there are some") as f64;
    assert!((rate(&told) / (30.0 * 1e12 / took) - 1.0).abs() < 1e-9, "{told}");
    let algorithm = told["algorithm_bps"].as_f64().expect("a rate");
    assert!((algorithm / (rate(&told) * 512_000.0 * 8.0) - 1.0).abs() < 1e-9, "{told}");
    // Three copies leave one port.
    assert!(3.0 * algorithm < 100e9, "{told}");
    let once = report(&apart("512 kB", ""));
    assert_eq!((&once["depth"], &once["per_second"]), (&Value::Null, &Value::Null));
    let same = [apart("8 kB", "repeat = 9\n"), apart("8 kB", "repeat = 9\ndepth = 1\n")];
    assert_eq!(report(&same[0]), report(&same[1]));
}

#[test]
fn bad_depths_are_refused() {
    for (more, message) in [
        (
            "repeat = 2\ndepth = 3\n",
            "collective.depth: found 3 at once, and the operation runs 2 times",
        ),
        ("depth = 2\n", "found 2 at once, and the operation runs 1 times"),
        ("repeat = 2\ndepth = 0\n", "collective.depth: "),
    ] {
        apart("8 kB", more).refuses(&["simulate", "s.toml"], &[message]);
    }
}

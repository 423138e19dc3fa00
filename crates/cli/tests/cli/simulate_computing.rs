//! Collective operations whose members compute before they send.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

fn scenario(more: &str) -> Bench {
    bench_with(&format!(
        "version = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 1\n\
         hosts_per_leaf = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n\
         [parameters.stack]\nsend = \"0 s\"\nreceive = \"0 s\"\nforward = \"0 s\"\n\
         [[group]]\nname = \"all\"\nmembers = \"all\"\n[[collective]]\n{more}"
    ))
}

/// The report of the only operation.
fn one(more: &str) -> Value {
    scenario(more).ask(&["simulate", "s.toml", "--check"])["collectives"][0].clone()
}

/// Picoseconds from the begin until the last member had all, the first time.
fn last(one: &Value) -> u64 {
    one["times"][0]["last_ps"].as_u64().unwrap_or_else(|| panic!("{one}"))
}

const RING: &str = "operation = \"allreduce\"\nschedule = \"ring\"\n";
const MS: u64 = 1_000_000_000;

/// What is sent while the next part is computed takes no time: the last part alone is left.
#[test]
fn buckets_overlap_with_the_computation() {
    for parts in [1_u64, 4, 7] {
        let size = 400_000 * parts;
        let alone = last(&one(&format!("{RING}size = \"400 kB\"\n")));
        let more = format!("size = \"{size} B\"\ncompute = \"{parts} ms\"\nbuckets = {parts}\n");
        let step = one(&format!("{RING}{more}"));
        assert_eq!(last(&step), parts * MS + alone, "{parts} parts");
        assert_eq!(step["compute_ps"], parts * MS);
        let buckets = if parts == 1 { Value::Null } else { parts.into() };
        assert_eq!(step["buckets"], buckets);
        // A rate over a time in which members compute is none.
        assert_eq!((&step["algorithm_bps"], &step["bus_bps"]), (&Value::Null, &Value::Null));
    }
}

/// Where messages take longer than computations, parts go one after the other: each takes no longer than alone.
#[test]
fn what_does_not_overlap_adds_up() {
    let alone = last(&one(&format!("{RING}size = \"8 MB\"\n")));
    let whole = last(&one(&format!("{RING}size = \"8 MB\"\ncompute = \"100 us\"\n")));
    assert_eq!(whole, alone + MS / 10);
    let part = last(&one(&format!("{RING}size = \"800 kB\"\n")));
    let parts = last(&one(&format!("{RING}size = \"8 MB\"\ncompute = \"100 us\"\nbuckets = 10\n")));
    assert!(parts > alone && parts <= MS / 100 + 10 * part, "{alone} {parts} {part}");
}

/// Each member computes again when it is done with all parts.
#[test]
fn steps_follow_each_other() {
    let step =
        one(&format!("{RING}size = \"4 MB\"\ncompute = \"1 ms\"\nbuckets = 5\nrepeat = 3\n"));
    let times = step["times"].as_array().expect("a list");
    let of = |time: &Value, name: &str| time[name].as_u64().expect("a time");
    for pair in times.windows(2) {
        // The first member that is done begins anew.
        let (begin, next) = (of(&pair[0], "start_ps"), of(&pair[1], "start_ps"));
        assert!(next >= begin + of(&pair[0], "first_ps"), "{step}");
        assert!(next < begin + of(&pair[0], "last_ps") + MS / 50, "{step}");
    }
    let all = of(&times[0], "last_ps");
    assert!(times.iter().all(|time| of(time, "last_ps").abs_diff(all) < MS / 50), "{step}");
}

/// Messages to a group wait for the computation too, over all dialects of sending.
#[test]
fn messages_to_groups_wait_for_computations() {
    for (operation, schedule) in
        [("broadcast", "multicast"), ("allgather", "multicast"), ("allreduce", "ring-multicast")]
    {
        let more = format!(
            "operation = \"{operation}\"\nschedule = \"{schedule}\"\ngroup = \"all\"\nsize = \"400 kB\"\n\
             start = \"1 ms\"\n"
        );
        let alone = last(&one(&more));
        let computed = last(&one(&format!("{more}compute = \"2 ms\"\n")));
        assert_eq!(computed, alone + 2 * MS, "{operation} {schedule}");
    }
}

#[test]
fn what_computes_beyond_the_end_is_not_complete() {
    let bench = scenario(&format!("{RING}size = \"4 MB\"\ncompute = \"60 ms\"\n"));
    let report = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(report["end"]["how"], "time");
    assert_eq!(report["collectives"][0]["completed"], 0);
    assert!(report["warnings"].to_string().contains("did not complete"), "{report}");
    // Longer than anybody waits for a packet.
    let step = one(&format!("{RING}size = \"4 kB\"\ncompute = \"40 ms\"\n"));
    assert!(last(&step) > 40 * MS);
}

#[test]
fn bad_fields_are_refused() {
    let cases = [
        (
            format!("{RING}size = \"3 B\"\nbuckets = 4\n"),
            "collective.buckets: found 4 parts of 3 B",
        ),
        (format!("{RING}size = \"3 B\"\nbuckets = 0\n"), "collective.buckets: "),
        (format!("{RING}size = \"3 B\"\ncompute = \"-1 s\"\n"), "collective.compute: "),
        (
            "operation = \"barrier\"\nschedule = \"dissemination\"\nbuckets = 2\n".to_owned(),
            "collective.buckets: unknown field",
        ),
    ];
    for (more, message) in cases {
        scenario(&more).refuses(&["simulate", "s.toml"], &[message]);
    }
}

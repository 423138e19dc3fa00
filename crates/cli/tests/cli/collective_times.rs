//! Schedules on a network without congestion against their closed forms in the α-β model (Hockney; Thakur,
//! Rabenseifner, Gropp 2005; RDMC 2018): a message of m bytes takes α + β m.

use serde_json::Value;

use crate::simulate::bench_with;

const RATE: f64 = 100e9;
const MTU: f64 = 4096.0;
const HEADER: f64 = 14.0;
/// Bytes.
const SIZE: f64 = 16e6;
const SLICE: f64 = 4e6;

/// Hosts at one switch, with the shortest headers, and without times of software and switches.
fn network(hosts: u64) -> String {
    format!(
        "version = 1\nuntil = \"1 s\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 1\n\
         hosts_per_leaf = {hosts}\nrate = \"100 Gb/s\"\ndelay = \"10 ns\"\n\
         [parameters.wire]\nmtu = \"4096 B\"\nheader = \"14 B\"\n\
         preamble = \"0 B\"\ngap = \"0 B\"\ncontrol = \"14 B\"\n\
         [parameters.switch]\nlatency = \"0 s\"\n\
         [parameters.dcqcn]\nenabled = false\n\
         [parameters.stack]\nsend = \"0 s\"\nreceive = \"0 s\"\nforward = \"0 s\"\n\
         [[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n[[collective]]\n"
    )
}

/// Seconds until the last member had all, and the report of the operation.
fn time(hosts: u64, operation: &str, schedule: &str) -> (f64, Value) {
    let mut text = network(hosts);
    text += &format!("operation = \"{operation}\"\nschedule = \"{schedule}\"\n");
    if operation != "barrier" {
        text += &format!("size = \"{SIZE} B\"\n");
    }
    if ["chain", "binomial-pipeline"].contains(&schedule) {
        text += &format!("slice = \"{SLICE} B\"\n");
    }
    if schedule == "double-tree" {
        text += "slice = \"40 kB\"\n";
    }
    if schedule.ends_with("multicast") {
        text += "group = \"all\"\n";
    }
    let report = bench_with(&text).ask(&["simulate", "s.toml"]);
    let one = report["collectives"][0].clone();
    (one["times"][0]["last_ps"].as_f64().expect("it completed") / 1e12, one)
}

#[test]
fn schedules_meet_their_closed_forms() {
    // Two links, and the last packet waits at the switch until all of it is there.
    let packet = 8.0 * (MTU + HEADER) / RATE;
    let alpha = 20e-9 + packet;
    let beta = packet / MTU;
    for hosts in [2_u64, 4, 8, 16, 5, 6, 11] {
        let n = hosts as f64;
        let up = n.log2().ceil();
        let slices = SIZE / SLICE;
        let part = SIZE / n;
        let around = (n - 1.0) * (alpha + beta * part);
        let pass = beta * SIZE * (n - 1.0) / n;
        let mut rows = vec![
            ("broadcast", "sequential", (n - 1.0) * (alpha + beta * SIZE)),
            ("broadcast", "concurrent", alpha + (n - 1.0) * beta * SIZE),
            ("broadcast", "binomial", up * (alpha + beta * SIZE)),
            ("broadcast", "chain", (n + slices - 2.0) * beta * SLICE + (n - 1.0) * alpha),
            ("broadcast", "increasing-ring", (n - 1.0) * (alpha + beta * SIZE)),
            ("broadcast", "modified-ring", (n - 1.0) * (alpha + beta * SIZE)),
            ("broadcast", "two-rings", two_rings(hosts) * (alpha + beta * SIZE)),
            ("broadcast", "multicast", alpha + beta * SIZE),
            ("allgather", "ring", around),
            ("allgather", "bruck", up * alpha + pass),
            ("allgather", "multicast", n * (alpha + beta * part)),
            ("reduce-scatter", "ring", around),
            ("allreduce", "ring", 2.0 * around),
            ("allreduce", "ring-multicast", around + n * (alpha + beta * part)),
            ("all-to-all", "pairwise", around),
            ("scatter", "concurrent", alpha + pass),
            ("gather", "concurrent", alpha + pass),
            ("reduce", "concurrent", alpha + (n - 1.0) * beta * SIZE),
            ("reduce", "binomial", up * (alpha + beta * SIZE)),
        ];
        if hosts.is_power_of_two() {
            rows.extend([
                ("broadcast", "scatter-ring", up * alpha + pass + around),
                ("broadcast", "long", up * alpha + pass + around),
                ("allgather", "long", around),
                ("scatter", "binomial", up * alpha + pass),
                ("gather", "binomial", up * alpha + pass),
                ("broadcast", "scatter-doubling", 2.0 * (up * alpha + pass)),
                ("broadcast", "binomial-pipeline", (up + slices - 1.0) * (alpha + beta * SLICE)),
                ("allgather", "recursive-doubling", up * alpha + pass),
                ("reduce-scatter", "recursive-halving", up * alpha + pass),
                ("allreduce", "recursive-doubling", up * (alpha + beta * SIZE)),
                ("allreduce", "halving-doubling", 2.0 * (up * alpha + pass)),
            ]);
        }
        for (operation, schedule, expected) in rows {
            let (found, one) = time(hosts, operation, schedule);
            let off = found / expected - 1.0;
            assert!(
                off.abs() < 0.01,
                "{operation} {schedule}, {hosts} hosts: {found} s, {expected} s"
            );
            check_rates(&one, hosts);
        }
        // Every member receives all of it once, and the first slice goes down both trees.
        let (found, _) = time(hosts, "broadcast", "double-tree");
        let fill = 2.0 * (up + 1.0) * (alpha + 2.0 * beta * 40e3);
        let least = beta * SIZE;
        assert!(found > least && found < 1.01 * least + fill, "{hosts}: {found} s, {least} s");
        // Blocks come one after the other, and a member more serves in each round that doubles the holders.
        let (found, _) = time(hosts, "broadcast", "cornet");
        let control = 3.0 * (20e-9 + 2.0 * 8.0 * HEADER / RATE);
        let round = alpha + beta * SLICE + control;
        let most = (slices + 2.0 * up + 1.0) * round;
        assert!(found > least && found < most, "{hosts}: {found} s, {least} s, {most} s");
        // Empty messages are headers.
        let (found, _) = time(hosts, "barrier", "dissemination");
        let expected = up * (20e-9 + 2.0 * 8.0 * HEADER / RATE);
        assert!((found / expected - 1.0).abs() < 0.2, "{hosts}: {found} s, {expected} s");
    }
}

/// Rounds of the longer ring.
fn two_rings(hosts: u64) -> f64 {
    let middle = (hosts / 2).max(2);
    (1 + (hosts - middle).max(middle - 2)) as f64
}

/// The rates by nccl-tests (doc/PERFORMANCE.md), from time and size, and the busiest link.
fn check_rates(one: &Value, hosts: u64) {
    let seconds = one["completion"]["mean_ps"].as_f64().expect("a time") / 1e12;
    let n = hosts as f64;
    let share = match one["operation"].as_str().expect("a word") {
        "broadcast" | "reduce" => 1.0,
        "allreduce" => 2.0 * (n - 1.0) / n,
        _ => (n - 1.0) / n,
    };
    let algorithm = SIZE * 8.0 / seconds;
    for (name, expected) in [("algorithm_bps", algorithm), ("bus_bps", algorithm * share)] {
        let found = one[name].as_f64().expect("a rate");
        assert!((found / expected - 1.0).abs() < 1e-9, "{name}: {found}, {expected}");
    }
    let wire = &one["wire"];
    let host = wire["host_bps"].as_f64().expect("a rate");
    assert!(host <= RATE && wire["link_bps"].as_f64().expect("a rate") >= host, "{wire}");
}

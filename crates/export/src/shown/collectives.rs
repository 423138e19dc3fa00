//! What a run tells of collective operations.

use lightloom_sim::collectives::{CollectiveReport, IterationReport};
use lightloom_sim::jobs::JobReport;
use lightloom_sim::replicas::{CollectiveIntervals, ReplicasReport};
use lightloom_tables::shown::{Face, Head, List};

use crate::shown::amounts::{bytes, known, time};
use crate::shown::replicas::{half, mean};

/// Collective operations, and when their members had all. Of several times, the first.
pub const COLLECTIVES: List<CollectiveReport> = List {
    title: "Collective operations",
    heads: &[
        Head::new("collective", |one| one.name.clone()),
        Head::only(Face::Window, "operation", |one| one.operation.to_string()),
        Head::only(Face::Window, "schedule", |one| one.schedule.to_string()),
        Head::new("members", |one| one.members.to_string()),
        Head::new("size", |one| bytes(one.bytes)),
        Head::new("completed", |one| format!("{} of {}", one.completed, one.times.len())),
        Head::new("first member", |one| first(one, |time| time.first_ps)),
        Head::new("median", |one| first(one, |time| time.median_ps)),
        Head::new("last", |one| first(one, |time| time.last_ps)),
        Head::new("mean of all times", |one| {
            known(one.completion.map(|times| time(times.mean_ps)))
        }),
    ],
};

/// What servers of a fleet have first, and what members receive that they do not need. Of `CollectiveReport::fleets`.
pub const FLEETS: List<CollectiveReport> = List {
    title: "Fleets and experts",
    heads: &[
        Head::new("collective", |one| one.name.clone()),
        Head::new("first layer, median", |one| known(one.first_layer.map(|it| time(it.p50_ps)))),
        Head::new("first layer, last", |one| known(one.first_layer.map(|it| time(it.max_ps)))),
        Head::new("last byte", |one| first(one, |time| time.last_ps)),
        Head::new("received, not needed", |one| known(one.filtered_bytes.map(bytes))),
    ],
};

/// Jobs of several collective operations.
pub const JOBS: List<JobReport> = List {
    title: "Jobs",
    heads: &[
        Head::new("job", |one| one.name.clone()),
        Head::new("operations", |one| one.operations.to_string()),
        Head::new("completed", |one| format!("{} of {}", one.completed, one.rounds)),
        Head::new("mean", |one| known(one.completion.map(|times| time(times.mean_ps)))),
        Head::new("median", |one| known(one.completion.map(|times| time(times.p50_ps)))),
        Head::new("90 %", |one| known(one.completion.map(|times| time(times.p90_ps)))),
        Head::new("99 %", |one| known(one.completion.map(|times| time(times.p99_ps)))),
        Head::new("all times together", |one| known(one.total_ps.map(time))),
    ],
};

/// Jobs beside each other and alone. Of `JobReport::both`.
pub const ALONE: List<JobReport> = List {
    title: "Jobs alone and beside others",
    heads: &[
        Head::new("job", |one| one.name.clone()),
        Head::new("completed alone", |one| {
            known(one.alone.as_ref().map(|it| format!("{} of {}", it.completed, one.rounds)))
        }),
        Head::new("mean alone", |one| {
            known(one.alone.as_ref().and_then(|it| it.completion).map(|it| time(it.mean_ps)))
        }),
        Head::new("mean beside", |one| known(one.completion.map(|times| time(times.mean_ps)))),
        Head::new("times as long", |one| {
            known(one.times_as_long().map(|ratio| format!("{ratio:.3}")))
        }),
    ],
};

/// A collective operation over several runs.
pub struct OverRuns {
    intervals: CollectiveIntervals,
    runs: usize,
}

impl OverRuns {
    /// All collective operations.
    pub fn of(report: &ReplicasReport) -> Vec<Self> {
        let runs = report.replicas.len();
        let of_one = |intervals: &CollectiveIntervals| Self { intervals: intervals.clone(), runs };
        report.collectives.iter().map(of_one).collect()
    }
}

/// Collective operations over several runs.
pub const OVER_RUNS: List<OverRuns> = List {
    title: "Collective operations over the runs",
    heads: &[
        Head::new("collective", |one| one.intervals.name.clone()),
        Head::new("members", |one| one.intervals.members.to_string()),
        Head::new("size", |one| bytes(one.intervals.bytes)),
        Head::new("runs", |one| format!("{} of {}", one.intervals.completed, one.runs)),
        Head::new("last, us", |one| mean(one.intervals.mean_ps, 1e6)),
        Head::new("±", |one| half(one.intervals.mean_ps, 1e6)),
        Head::new("bus, Gb/s", |one| mean(one.intervals.bus_bps, 1e9)),
        Head::new("±", |one| half(one.intervals.bus_bps, 1e9)),
    ],
};

/// Rates of collective operations.
pub const RATES: List<CollectiveReport> = List {
    title: "Rates of collective operations",
    heads: &[
        Head::new("collective", |one| one.name.clone()),
        Head::new("messages", |one| one.messages.to_string()),
        Head::new("their payload", |one| bytes(one.sent_bytes)),
        Head::new("times a second", |one| known(one.per_second.map(|rate| format!("{rate:.0}")))),
        Head::new("algorithm, Gb/s", |one| gbps(one.algorithm_bps)),
        Head::new("bus, Gb/s", |one| gbps(one.bus_bps)),
        Head::new("busiest link, Gb/s", |one| gbps(one.wire.as_ref().map(|wire| wire.link_bps))),
        Head::new("busiest host, Gb/s", |one| gbps(one.wire.as_ref().map(|wire| wire.host_bps))),
    ],
};

/// A time of the first time.
fn first(one: &CollectiveReport, of: fn(&IterationReport) -> Option<u64>) -> String {
    known(one.times.first().and_then(of).map(time))
}

fn gbps(bps: Option<f64>) -> String {
    known(bps.map(|bps| format!("{:.3}", bps / 1e9)))
}

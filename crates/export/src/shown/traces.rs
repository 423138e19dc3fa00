//! What a run tells of traces.

use lightloom_sim::replicas::{ReplicasReport, TraceIntervals};
use lightloom_sim::traces::{TraceCallsReport, TraceRunReport};
use lightloom_tables::shown::{Face, Head, List};

use crate::shown::amounts::{bytes, known, time};
use crate::shown::replicas::{half, mean};
use crate::shown::trace_file::named;

/// Traces, and when their ranks had done all.
pub const TRACES: List<TraceRunReport> = List {
    title: "Traces",
    heads: &[
        Head::new("trace", |one| one.name.clone()),
        Head::new("ranks done", |one| format!("{} of {}", one.completed, one.ranks)),
        Head::only(Face::Window, "operations ended", |one| {
            format!("{} of {}", one.ended, one.operations)
        }),
        Head::new("sends", |one| one.messages.to_string()),
        Head::new("their payload", |one| bytes(one.bytes)),
        Head::new("computing, most of a rank", |one| known(one.most_computing_ps.map(time))),
        Head::new("longest path without a network", |one| known(one.path_ps.map(time))),
        Head::new("first rank", |one| known(one.first_ps.map(time))),
        Head::new("median", |one| known(one.median_ps.map(time))),
        Head::new("last", |one| known(one.last_ps.map(time))),
    ],
};

/// The collective operations of one kind of a process group, with the name of their trace.
pub struct Calls {
    trace: String,
    calls: TraceCallsReport,
}

impl Calls {
    /// Those of all traces.
    pub fn of(traces: &[TraceRunReport]) -> Vec<Self> {
        let of_trace = |trace: &TraceRunReport| {
            let name = trace.name.clone();
            let calls = trace.collectives.clone().into_iter();
            calls.map(move |calls| Self { trace: name.clone(), calls })
        };
        traces.iter().flat_map(of_trace).collect()
    }
}

/// Collective operations of traces.
pub const CALLS: List<Calls> = List {
    title: "Collective operations of traces",
    heads: &[
        Head::new("trace", |one| one.trace.clone()),
        Head::new("process group", |one| named(&one.calls.group)),
        Head::new("ranks", |one| one.calls.ranks.to_string()),
        Head::new("operation", |one| one.calls.operation.to_string()),
        Head::new("schedule", |one| known(one.calls.schedule.map(|it| it.to_string()))),
        Head::new("completed", |one| format!("{} of {}", one.calls.completed, one.calls.calls)),
        Head::new("data", |one| known(one.calls.bytes.map(bytes))),
        Head::new("median", |one| known(one.calls.median_ps.map(time))),
        Head::new("longest", |one| known(one.calls.longest_ps.map(time))),
    ],
};

/// A trace over several runs.
pub struct OverRuns {
    intervals: TraceIntervals,
    runs: usize,
}

impl OverRuns {
    /// All traces.
    pub fn of(report: &ReplicasReport) -> Vec<Self> {
        let runs = report.replicas.len();
        let of_one = |intervals: &TraceIntervals| Self { intervals: intervals.clone(), runs };
        report.traces.iter().map(of_one).collect()
    }
}

/// Traces over several runs.
pub const OVER_RUNS: List<OverRuns> = List {
    title: "Traces over the runs",
    heads: &[
        Head::new("trace", |one| one.intervals.name.clone()),
        Head::new("ranks", |one| one.intervals.ranks.to_string()),
        Head::new("runs", |one| format!("{} of {}", one.intervals.completed, one.runs)),
        Head::new("median, us", |one| mean(one.intervals.median_ps, 1e6)),
        Head::new("±", |one| half(one.intervals.median_ps, 1e6)),
        Head::new("last, us", |one| mean(one.intervals.last_ps, 1e6)),
        Head::new("±", |one| half(one.intervals.last_ps, 1e6)),
    ],
};

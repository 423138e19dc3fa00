//! What several runs tell, over all of them and for each.

use lightloom_sim::replicas::{MessageIntervals, ReplicaReport, ReplicasReport};
use lightloom_sim::summary::IntervalReport;
use lightloom_tables::shown::{Head, List, Shown};

use crate::shown::amounts::{bytes, known, time};

/// Each run.
pub const RUNS: List<ReplicaReport> = List {
    title: "Runs",
    heads: &[
        Head::new("seed", |run| run.seed.to_string()),
        Head::new("ended", |run| run.end.how.to_string()),
        Head::new("flows", |run| {
            let all = run.flows.completed + run.flows.unfinished;
            known((all > 0).then(|| format!("{} of {all}", run.flows.completed)))
        }),
        Head::new("mean", |run| {
            known(run.flows.completion.as_ref().map(|times| time(times.mean_ps)))
        }),
        Head::new("p99", |run| {
            known(run.flows.completion.as_ref().map(|times| time(times.p99_ps)))
        }),
        Head::new("to groups", |run| {
            let all =
                run.to_groups.as_ref().map(|all| (all.completed, all.completed + all.unfinished));
            known(all.map(|(completed, all)| format!("{completed} of {all}")))
        }),
        Head::new("goodput, Gb/s", |run| {
            known(run.goodput.all.map(|moved| format!("{:.3}", moved.goodput_bps / 1e9)))
        }),
        Head::new("dropped", |run| run.dropped.to_string()),
    ],
};

/// Means over the runs, with half the width of their 95 % intervals.
pub fn means(report: &ReplicasReport) -> Shown {
    let mut shown = Shown::new(["over the runs", "mean", "95 %, ±"]);
    let goodput = &report.goodput;
    for (name, interval, scale) in [
        ("mean completion, us", report.mean_completion_ps, 1e6),
        ("p99 completion, us", report.p99_completion_ps, 1e6),
        ("goodput of flows, Gb/s", goodput.flows, 1e9),
        ("goodput of groups, Gb/s", goodput.groups, 1e9),
        ("goodput of both, Gb/s", goodput.all, 1e9),
    ] {
        shown.add([name.to_owned(), mean(interval, scale), half(interval, scale)]);
    }
    shown
}

/// A message to a group over several runs.
pub struct Message {
    intervals: MessageIntervals,
    runs: usize,
}

impl Message {
    /// All messages to groups.
    pub fn of(report: &ReplicasReport) -> Vec<Self> {
        let runs = report.replicas.len();
        let of_one = |intervals: &MessageIntervals| Self { intervals: intervals.clone(), runs };
        report.multicasts.iter().map(of_one).collect()
    }
}

/// Messages to groups over several runs.
pub const MESSAGES: List<Message> = List {
    title: "Messages to groups over the runs",
    heads: &[
        Head::new("group", |message| message.intervals.group.clone()),
        Head::new("from", |message| message.intervals.from.clone()),
        Head::new("payload", |message| bytes(message.intervals.bytes)),
        Head::new("runs", |message| format!("{} of {}", message.intervals.completed, message.runs)),
        Head::new("last, us", |message| mean(message.intervals.last_ps, 1e6)),
        Head::new("±", |message| half(message.intervals.last_ps, 1e6)),
        Head::new("Gb/s", |message| mean(message.intervals.goodput_bps, 1e9)),
        Head::new("±", |message| half(message.intervals.goodput_bps, 1e9)),
        Head::new("repeated", |message| mean(message.intervals.repeated, 1.0)),
        Head::new("±", |message| half(message.intervals.repeated, 1.0)),
    ],
};

/// The mean over the runs.
pub(super) fn mean(interval: Option<IntervalReport>, scale: f64) -> String {
    known(interval.map(|interval| format!("{:.3}", interval.mean / scale)))
}

/// Half the width of an interval.
pub(super) fn half(interval: Option<IntervalReport>, scale: f64) -> String {
    let width = interval.and_then(|interval| interval.half_width_95);
    known(width.map(|width| format!("{:.3}", width / scale)))
}

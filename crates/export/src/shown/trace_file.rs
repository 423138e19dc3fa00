//! What a trace of an application has, as people read it.

use lightloom_sim::trace_file::{CallsReport, PathReport, TraceFileReport};
use lightloom_tables::shown::{Head, List, Shown};

use crate::shown::amounts::{bytes, known, time};

/// What a trace has.
pub fn facts(report: &TraceFileReport) -> Shown {
    let ranks = match report.idle_ranks {
        0 => report.ranks.to_string(),
        idle => format!("{}, {idle} of them idle", report.ranks),
    };
    let (least, most) = (report.smallest_bytes.map(bytes), report.largest_bytes.map(bytes));
    let (all, of_rank) = (report.computing_ps.map(time), report.most_computing_ps.map(time));
    let path = report.path.as_ref().map(|path| time(path.length_ps));
    let mut shown = Shown::facts(
        "trace",
        [
            ("ranks", ranks),
            ("operations", report.operations.to_string()),
            ("messages", report.messages.to_string()),
            ("their payload", known(report.bytes.map(bytes))),
            ("smallest / largest", format!("{} / {}", known(least), known(most))),
            ("pairs of sender and receiver", report.pairs.to_string()),
            ("computations", report.computations.to_string()),
            ("their time, all / most of a rank", format!("{} / {}", known(all), known(of_rank))),
            ("streams of a rank at most", report.streams.to_string()),
            ("longest path without a network", known(path)),
        ],
    );
    if let Some(path) = &report.over_network {
        shown.add(["longest path over the network".to_owned(), over(path)]);
    }
    shown
}

/// Collective operations.
pub const CALLS: List<CallsReport> = List {
    title: "Collective operations",
    heads: &[
        Head::new("process group", |one| named(&one.group)),
        Head::new("ranks", |one| one.ranks.to_string()),
        Head::new("operation", |one| one.operation.to_string()),
        Head::new("number", |one| one.calls.to_string()),
        Head::new("data", |one| known(one.bytes.map(bytes))),
        Head::new("over light", |one| match one.over_light.as_slice() {
            [] => "no".to_owned(),
            known => known.iter().map(|one| one.name()).collect::<Vec<_>>().join(", "),
        }),
    ],
};

/// The name of a process group.
pub(super) fn named(group: &str) -> String {
    if group.is_empty() { "all ranks".to_owned() } else { group.to_owned() }
}

fn over(path: &PathReport) -> String {
    let PathReport { length_ps, computing_ps, messages, collectives, bytes: payload, .. } = *path;
    let collectives = match collectives {
        0 => String::new(),
        some => format!(" and {some} collective operations"),
    };
    format!(
        "{}: {} of computations, {messages} messages{collectives} with {}",
        time(length_ps),
        time(computing_ps),
        bytes(payload)
    )
}

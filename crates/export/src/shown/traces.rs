//! What a run tells of traces.

use lightloom_sim::traces::TraceRunReport;
use lightloom_tables::shown::{Face, Head, List};

use crate::shown::amounts::{bytes, known, time};

/// Traces, and when their ranks had done all.
pub const TRACES: List<TraceRunReport> = List {
    title: "Traces",
    heads: &[
        Head::new("trace", |one| one.name.clone()),
        Head::new("ranks done", |one| format!("{} of {}", one.completed, one.ranks)),
        Head::only(Face::Window, "operations ended", |one| {
            format!("{} of {}", one.ended, one.operations)
        }),
        Head::new("messages", |one| one.messages.to_string()),
        Head::new("payload", |one| bytes(one.bytes)),
        Head::new("computing, most of a rank", |one| known(one.most_computing_ps.map(time))),
        Head::new("longest path without a network", |one| known(one.path_ps.map(time))),
        Head::new("first rank", |one| known(one.first_ps.map(time))),
        Head::new("median", |one| known(one.median_ps.map(time))),
        Head::new("last", |one| known(one.last_ps.map(time))),
    ],
};

//! Collective operations, messages to groups and splitters of a simulation, as people read them.

use std::fmt::Write as _;

use lightloom::shown::amounts::{bytes, known};
use lightloom::shown::collectives::{ALONE, COLLECTIVES, FLEETS, JOBS, RATES};
use lightloom::shown::groups::{
    COPIES, Copied, LACKING, LOSSY, Lacking, MESSAGES, PACKETS, RELIABLE, REPEATS, splitters,
};
use lightloom::shown::traces::{CALLS, Calls, TRACES};
use lightloom::twin::{CollectiveReport, JobReport, SimulateReport};

use crate::cells::{listed, sheet};

/// The tables of collective operations, traces, groups and splitters. Empty if there are none.
pub(crate) fn groups(report: &SimulateReport) -> String {
    let messages = || report.multicasts.iter();
    let mut text = listed(&COLLECTIVES, &report.collectives);
    text += &listed(&RATES, &report.collectives);
    text += &listed(&FLEETS, &CollectiveReport::fleets(&report.collectives));
    text += &listed(&JOBS, &report.jobs);
    text += &listed(&ALONE, &JobReport::both(&report.jobs));
    text += &listed(&TRACES, &report.traces);
    text += &listed(&CALLS, &Calls::of(&report.traces));
    text += &listed(&MESSAGES, messages());
    text += &listed(&PACKETS, messages());
    text += &listed(&REPEATS, messages());
    text += &listed(&LACKING, &Lacking::of(&report.multicasts));
    text += &listed(&COPIES, &Copied::of(&report.multicasts));
    text += &listed(&RELIABLE, &report.groups);
    if !report.groups.is_empty() {
        let most = report.group_tables.iter().rev().max_by_key(|table| table.bytes);
        let most = most.map(|most| format!("{} at {}", bytes(most.bytes), most.switch));
        let _ = writeln!(text, "Largest table of groups: {}.", known(most));
    }
    if let Some(report) = &report.splitters {
        let _ = writeln!(text, "\n{}", sheet(&splitters(report)));
        text += &listed(&LOSSY, &report.lossy);
    }
    text
}

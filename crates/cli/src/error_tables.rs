//! Messages of a simulation that ended in errors of their queue pairs, as people read them.

use std::fmt::Write as _;

use lightloom::twin::{EndReport, QueuePairErrorReport, SimulateReport};

use crate::amounts::{known, time};
use crate::cells::{SHOWN, more, table};

/// The tables of what failed, and of what waits for it. Empty if nothing failed.
pub(crate) fn errors(report: &SimulateReport) -> String {
    let mut text = failures(&report.end);
    if !report.queue_pair_errors.is_empty() {
        let header = ["queue pair in error", "ended", "at", "packet", "timeouts", "had in order"];
        let mut errors = table(&header);
        for failed in report.queue_pair_errors.iter().take(SHOWN) {
            let message = match &failed.to {
                None => failed.message.clone(),
                Some(to) => format!("{}, to {to}", failed.message),
            };
            errors.add_row([
                message,
                failed.error.to_string(),
                time(failed.at_ps),
                failed.psn.to_string(),
                failed.timeouts.to_string(),
                had(failed),
            ]);
        }
        let _ = writeln!(text, "\n{errors}{}", more(report.queue_pair_errors.len()));
    }
    if !report.never_started.is_empty() {
        let mut never = table(&["never started", "waits for"]);
        for waits in report.never_started.iter().take(SHOWN) {
            never.add_row([waits.message.clone(), waits.waits_for.clone()]);
        }
        let _ = writeln!(text, "\n{never}{}", more(report.never_started.len()));
    }
    text
}

/// The messages that failed, with the receivers that lack a part, and those that make no run fail.
fn failures(end: &EndReport) -> String {
    let mut text = String::new();
    if !end.failures.is_empty() {
        let mut failed =
            table(&["failed", "because of", "refused by", "receivers that lack a part"]);
        for failure in end.failures.iter().take(SHOWN) {
            failed.add_row([
                failure.message.clone(),
                failure.cause.to_string(),
                known(failure.switch.clone()),
                named(&failure.members),
            ]);
        }
        let _ = writeln!(text, "\n{failed}{}", more(end.failures.len()));
    }
    if !end.exempt.is_empty() {
        let header = ["lacked by receivers that are declared dead for good", "receivers"];
        let mut exempt = table(&header);
        for message in end.exempt.iter().take(SHOWN) {
            exempt.add_row([message.message.clone(), named(&message.members)]);
        }
        let _ = writeln!(text, "\n{exempt}{}", more(end.exempt.len()));
    }
    text
}

/// The first of some hosts, and how many more there are.
fn named(hosts: &[String]) -> String {
    const NAMED: usize = 4;
    let named = hosts.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match hosts.len().saturating_sub(NAMED) {
        0 if hosts.is_empty() => "none".into(),
        0 => named,
        1 => format!("{named}, 1 other"),
        others => format!("{named}, {others} others"),
    }
}

/// What receivers had. Those of a large group are in the report as JSON.
fn had(failed: &QueuePairErrorReport) -> String {
    const NAMED: usize = 4;
    let mut had: Vec<String> = failed
        .receivers
        .iter()
        .take(NAMED)
        .map(|had| format!("{}: {} B", had.host, had.in_order_bytes))
        .collect();
    if failed.receivers.len() > NAMED {
        had.push(format!("{} others", failed.receivers.len() - NAMED));
    }
    had.join(", ")
}

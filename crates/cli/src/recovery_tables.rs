//! Failures during a simulation and recoveries from them, as people read them.

use std::fmt::Write as _;

use lightloom::shown::amounts::time;
use lightloom::shown::run::RECOVERIES;
use lightloom::twin::{LackingReport, SimulateReport};

use crate::cells::{SHOWN, listed};

/// Number of hosts that a line names.
const NAMED: usize = 8;

/// The course of recoveries. Empty if the scenario says nothing of them.
pub(crate) fn recovery(report: &SimulateReport) -> String {
    let Some(recovery) = &report.recovery else { return String::new() };
    let mut text = listed(&RECOVERIES, &recovery.events);
    let _ = writeln!(
        text,
        "Copies lost on parts that are dead or shut: {}. Packets sent again: {}. Packets that members lack: {}. \
         Copies that came twice: {}.",
        recovery.lost, recovery.repeated, recovery.missing, recovery.twice
    );
    if !recovery.finished {
        text += "The run ended before the rules for all failures and returns were in force.\n";
    }
    for event in recovery.events.iter().filter(|event| !event.cut_off.is_empty()).take(SHOWN) {
        let since = time(event.at_ps);
        let hosts = named(&event.cut_off);
        let _ = writeln!(text, "From {since} on no path of links reaches {hosts}.");
    }
    for lacking in recovery.lacking.iter().take(SHOWN) {
        let LackingReport { group, from, hosts } = lacking;
        let hosts = named(hosts);
        let _ = writeln!(text, "A part of a message of {from} to {group} is lacking at {hosts}.");
    }
    text
}

/// The first of these hosts, and how many others there are.
fn named(hosts: &[String]) -> String {
    let named = hosts.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match hosts.len().saturating_sub(NAMED) {
        0 => named,
        1 => format!("{named} and another"),
        others => format!("{named} and {others} others"),
    }
}

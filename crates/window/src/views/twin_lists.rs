//! What a run tells in lists: warnings, errors, flows by size, recoveries, drops and ports that wait.

use egui::Ui;
use lightloom::twin::{
    OverflowReport, QueuePairErrorReport, RecoveryReport, SimulateReport, SizeReport, StoppedReport,
};

use super::emit::{Emit, time};
use super::run_list::{list, none};
use super::twin_groups;

/// Number of hosts that a line names. The exported results name all.
const NAMED: usize = 8;

/// Why the run ended so, and what is doubtful about it.
pub fn warnings(ui: &mut Ui, report: &SimulateReport, emit: &Emit<'_>) {
    if let Some(why) = &report.end.why {
        ui.colored_label(emit.colours.broken_text, format!("✖ {why}"));
    }
    for warning in &report.warnings {
        ui.colored_label(emit.colours.broken_text, format!("⚠ {warning}"));
    }
}

/// The lists that are not empty.
pub fn show(ui: &mut Ui, report: &SimulateReport) {
    errors(ui, report);
    if report.flows.by_size.len() > 1 {
        sizes(ui, &report.flows.by_size);
    }
    twin_groups::show(ui, report);
    if let Some(recovery) = &report.recovery {
        recoveries(ui, recovery);
    }
    overflows(ui, &report.overflows);
    let drops = report.drops.iter().map(|drop| {
        let (port, packets) = (drop.port.to_string(), drop.packets.to_string());
        [drop.node.clone(), port, drop.reason.to_string(), packets]
    });
    list(ui, "Packets dropped", ["at", "port", "reason", "packets"], drops);
    for (number, ring) in report.end.rings.iter().enumerate() {
        ports(ui, &format!("Ring {}: ports that are stopped for ever", number + 1), &ring.ports);
    }
    ports(ui, "Ports that wait at the end", &report.end.stopped_ports);
}

/// Ports that wait, and the nodes that stop them.
fn ports(ui: &mut Ui, title: &str, ports: &[StoppedReport]) {
    let rows = ports.iter().map(|port| {
        let (number, bytes) = (port.port.to_string(), port.bytes.to_string());
        [port.node.clone(), number, port.stopped_by.clone(), bytes]
    });
    list(ui, title, ["at", "port", "stopped by", "bytes"], rows);
}

/// Ports whose headroom was too small.
fn overflows(ui: &mut Ui, overflows: &[OverflowReport]) {
    let titles = [
        "at",
        "port",
        "class",
        "sent by",
        "first lost",
        "packets",
        "headroom, bytes",
        "needed, bytes",
        "pause lost",
    ];
    let rows = overflows.iter().map(|port| {
        let lost = port.pause_lost_ps.zip(port.pause_lost_by);
        [
            port.node.clone(),
            port.port.to_string(),
            port.class.to_string(),
            port.peer.clone(),
            time(port.at_ps),
            port.packets.to_string(),
            port.headroom_bytes.to_string(),
            port.needed_bytes.to_string(),
            lost.map_or_else(none, |(at, why)| format!("{} ({why})", time(at))),
        ]
    });
    list(ui, "Overflows of headroom", titles, rows);
}

/// Messages that failed, and those that never started because of them.
fn errors(ui: &mut Ui, report: &SimulateReport) {
    let titles = ["message", "because of", "refused by", "receivers that lack a part"];
    let rows = report.end.failures.iter().map(|failure| {
        let switch = failure.switch.clone().unwrap_or_else(none);
        [failure.message.clone(), failure.cause.to_string(), switch, named(&failure.members)]
    });
    list(ui, "Messages that failed", titles, rows);
    let rows = report.end.exempt.iter();
    let rows = rows.map(|message| [message.message.clone(), named(&message.members)]);
    let titles = ["message", "receivers that lack a part"];
    list(ui, "Lacked by receivers that are declared dead for good", titles, rows);
    let titles = ["message", "to", "ended", "at", "packet", "time-outs", "had in order"];
    let rows = report.queue_pair_errors.iter().map(|failed| {
        [
            failed.message.clone(),
            failed.to.clone().unwrap_or_default(),
            failed.error.to_string(),
            time(failed.at_ps),
            failed.psn.to_string(),
            failed.timeouts.to_string(),
            had(failed),
        ]
    });
    list(ui, "Queue pairs in error", titles, rows);
    let rows = report.never_started.iter();
    let rows = rows.map(|waits| [waits.message.clone(), waits.waits_for.clone()]);
    list(ui, "Messages that never started", ["message", "waits for"], rows);
}

/// What receivers had in order.
fn had(failed: &QueuePairErrorReport) -> String {
    let had =
        failed.receivers.iter().map(|had| format!("{}: {} bytes", had.host, had.in_order_bytes));
    named(&had.collect::<Vec<_>>())
}

/// Flows by the order of magnitude of their size.
fn sizes(ui: &mut Ui, sizes: &[SizeReport]) {
    let titles =
        ["bytes", "flows", "mean", "median", "p99", "longest", "slowdown, mean", "slowdown, p99"];
    let rows = sizes.iter().map(|size| {
        let (times, slowdown) = (&size.completion, &size.slowdown);
        [
            format!("{} to {}", size.from_bytes, size.below_bytes - 1),
            times.count.to_string(),
            time(times.mean_ps),
            time(times.p50_ps),
            time(times.p99_ps),
            time(times.max_ps),
            format!("{:.2}", slowdown.mean),
            format!("{:.2}", slowdown.p99),
        ]
    });
    list(ui, "Flows by size", titles, rows);
}

fn recoveries(ui: &mut Ui, recovery: &RecoveryReport) {
    let titles = ["time", "recovery", "parts", "rules", "switches", "entries of groups"];
    let rows = recovery.events.iter().map(|event| {
        [
            time(event.at_ps),
            event.what.to_string(),
            event.parts.clone().unwrap_or_else(none),
            event.rules.to_string(),
            event.switches.to_string(),
            event.group_rules.to_string(),
        ]
    });
    list(ui, "Failures and recoveries", titles, rows);
    let cut_off = recovery.events.iter().filter(|event| !event.cut_off.is_empty());
    let rows = cut_off.map(|event| [time(event.at_ps), named(&event.cut_off)]);
    let titles = ["from", "hosts that no path of links reaches"];
    list(ui, "Hosts that are cut off", titles, rows.collect::<Vec<_>>().into_iter());
    let rows = recovery
        .lacking
        .iter()
        .map(|lacking| [lacking.group.clone(), lacking.from.clone(), named(&lacking.hosts)]);
    list(ui, "Members that lack a part of a message", ["group", "from", "members"], rows);
}

/// The first of these names, and how many others there are.
fn named(names: &[String]) -> String {
    let first = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        1 => format!("{first} and another"),
        others => format!("{first} and {others} others"),
    }
}

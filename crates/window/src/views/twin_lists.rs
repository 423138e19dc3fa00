//! What a run tells in lists: warnings, messages to groups, recoveries, branches that lost copies, and drops.

use egui::{CollapsingHeader, Grid, Ui};
use lightloom::units::BitRate;
use lightloom::{
    MulticastReport, RecoveryReport, ReliableGroupReport, SimulateReport, SizeReport,
    SplittersReport,
};

use super::emit::{Emit, known, time};

/// The most rows of a list. The exported results have all.
const MOST: usize = 40;

/// Why the run ended so, and what is doubtful about it.
pub fn warnings(ui: &mut Ui, report: &SimulateReport, emit: &Emit<'_>) {
    if let Some(why) = &report.end.why {
        ui.colored_label(emit.colours.broken, format!("✖ {why}"));
    }
    for warning in &report.warnings {
        ui.colored_label(emit.colours.broken, format!("⚠ {warning}"));
    }
}

/// The lists that are not empty.
pub fn show(ui: &mut Ui, report: &SimulateReport) {
    errors(ui, report);
    if report.flows.by_size.len() > 1 {
        sizes(ui, &report.flows.by_size);
    }
    messages(ui, &report.multicasts);
    groups(ui, &report.groups);
    admission(ui, &report.multicasts);
    if let Some(recovery) = &report.recovery {
        recoveries(ui, recovery);
    }
    if let Some(splitters) = &report.splitters {
        branches(ui, splitters);
    }
    let drops = report.drops.iter().map(|drop| {
        let (port, packets) = (drop.port.to_string(), drop.packets.to_string());
        [drop.node.clone(), port, drop.reason.to_string(), packets]
    });
    list(ui, "Packets dropped", ["at", "port", "reason", "packets"], drops);
    let stopped = report.end.stopped_ports.iter().map(|port| {
        let (number, bytes) = (port.port.to_string(), port.bytes.to_string());
        [port.node.clone(), number, port.stopped_by.clone(), bytes]
    });
    list(ui, "Ports that wait at the end", ["at", "port", "stopped by", "bytes"], stopped);
}

/// Messages that failed, and those that never started because of them.
fn errors(ui: &mut Ui, report: &SimulateReport) {
    let titles = ["message", "to", "ended", "at", "packet", "time-outs"];
    let rows = report.queue_pair_errors.iter().map(|failed| {
        [
            failed.message.clone(),
            failed.to.clone().unwrap_or_default(),
            failed.error.to_string(),
            time(failed.at_ps),
            failed.psn.to_string(),
            failed.timeouts.to_string(),
        ]
    });
    list(ui, "Queue pairs in error", titles, rows);
    let rows = report.never_started.iter();
    let rows = rows.map(|waits| [waits.message.clone(), waits.waits_for.clone()]);
    list(ui, "Messages that never started", ["message", "waits for"], rows);
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

fn messages(ui: &mut Ui, messages: &[MulticastReport]) {
    let titles = [
        "group",
        "transport",
        "from",
        "bytes",
        "receivers that have all",
        "first",
        "median",
        "last",
        "goodput, Gb/s",
        "sent",
        "sent again",
        "time-outs",
        "copied",
        "delivered",
        "twice",
        "dropped",
    ];
    let rows = messages.iter().map(|message| {
        let median = message.completion.as_ref().map(|times| times.p50_ps);
        let [first, median, last] =
            [message.first_ps, median, message.last_ps].map(|taken| taken.map_or_else(none, time));
        let [sent, again, late, copied, delivered, twice, dropped] = [
            message.sent,
            message.repeated,
            message.timeouts,
            message.copied,
            message.delivered,
            message.twice,
            message.dropped,
        ]
        .map(|count| count.to_string());
        [
            message.group.clone(),
            message.transport.to_string(),
            message.from.clone(),
            message.bytes.to_string(),
            format!("{} of {}", message.completed, message.receivers),
            first,
            median,
            last,
            message.goodput_bps.map_or_else(none, |bps| format!("{:.3}", bps / 1e9)),
            sent,
            again,
            late,
            copied,
            delivered,
            twice,
            dropped,
        ]
    });
    list(ui, "Messages to groups", titles, rows);
}

fn groups(ui: &mut Ui, groups: &[ReliableGroupReport]) {
    let titles = [
        "group",
        "standing",
        "registration",
        "fell back",
        "ACKs",
        "NACKs",
        "answers in",
        "answers out",
    ];
    let rows = groups.iter().map(|group| {
        [
            group.group.clone(),
            group.standing.map_or_else(none, |standing| standing.to_string()),
            time(group.registration_ps),
            group.fell_back.to_string(),
            group.acks.to_string(),
            group.nacks.to_string(),
            group.answers_in.to_string(),
            group.answers_out.to_string(),
        ]
    });
    list(ui, "Reliable groups", titles, rows);
}

/// When messages over light were asked for, granted and over.
fn admission(ui: &mut Ui, messages: &[MulticastReport]) {
    let titles =
        ["message", "group", "asked", "granted", "over", "waited for", "rate", "least rate"];
    let rate = |bps: Option<u64>| bps.map_or_else(none, |bps| BitRate::from_bps(bps).to_string());
    let at = |ps: Option<u64>| ps.map_or_else(none, time);
    let all = messages.iter().enumerate();
    let asked: Vec<_> = all
        .filter_map(|(number, message)| Some((number, &message.group, message.admission.as_ref()?)))
        .collect();
    let rows = asked.iter().map(|(number, group, one)| {
        [
            number.to_string(),
            (*group).clone(),
            at(one.asked_ps),
            at(one.granted_ps),
            at(one.over_ps),
            one.waited_for.map_or_else(none, |number| number.to_string()),
            rate(one.rate_bps),
            rate(one.least_rate_bps),
        ]
    });
    list(ui, "Admission", titles, rows);
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
}

fn branches(ui: &mut Ui, splitters: &SplittersReport) {
    let titles = ["branch from", "to", "lost", "received", "margin, dB", "frames lost"];
    let rows = splitters.lossy.iter().map(|branch| {
        [
            branch.from.clone(),
            branch.to.clone(),
            branch.lost.to_string(),
            branch.received.to_string(),
            known(branch.margin_db, 2),
            branch.frame_loss.map_or_else(|| "unknown".to_owned(), |share| format!("{share:.1e}")),
        ]
    });
    list(ui, "Branches that lost copies", titles, rows);
}

fn none() -> String {
    "none".to_owned()
}

/// A list under its title. Nothing is drawn of an empty one.
fn list<const N: usize>(
    ui: &mut Ui,
    title: &'static str,
    titles: [&str; N],
    rows: impl ExactSizeIterator<Item = [String; N]>,
) {
    let number = rows.len();
    if number == 0 {
        return;
    }
    CollapsingHeader::new(format!("{title} ({number})")).id_salt(title).default_open(true).show(
        ui,
        |ui| {
            egui::ScrollArea::horizontal().id_salt(title).show(ui, |ui| {
                Grid::new(title).striped(true).num_columns(N).show(ui, |ui| {
                    for title in titles {
                        ui.strong(title);
                    }
                    ui.end_row();
                    for row in rows.take(MOST) {
                        for cell in row {
                            ui.label(cell);
                        }
                        ui.end_row();
                    }
                });
            });
            if number > MOST {
                ui.weak(format!("{} more are in the results of the run.", number - MOST));
            }
        },
    );
}

//! Messages to groups and splitters of a simulation, as people read them.

use std::fmt::Write as _;

use lightloom::twin::{
    CausesReport, CrossedReport, IntervalReport, MulticastReport, ReplicasReport, SimulateReport,
};

use crate::amounts::{bytes, known, time};
use crate::cells::{SHOWN, more, table};

/// The tables of groups and splitters. Empty if there are none.
pub(crate) fn groups(report: &SimulateReport) -> String {
    let mut text = String::new();
    if !report.multicasts.is_empty() {
        let header = ["group", "from", "payload", "receivers", "first", "median", "last", "Gb/s"];
        let mut messages = table(&header);
        // Sent and copied are delivered, absorbed, dropped and under way.
        let header = ["group", "sent", "copied", "delivered", "absorbed", "dropped", "under way"];
        let mut ledger = table(&header);
        let header = ["group", "repeated", "timeouts", "came twice", "crossed", "by unicasts"];
        let mut copies = table(&header);
        for message in report.multicasts.iter().take(SHOWN) {
            let times = message.completion.as_ref();
            messages.add_row([
                message.group.clone(),
                message.from.clone(),
                bytes(message.bytes),
                format!("{} of {}", message.completed, message.receivers),
                known(message.first_ps.map(time)),
                known(times.map(|times| time(times.p50_ps))),
                known(message.last_ps.map(time)),
                known(message.goodput_bps.map(|bps| format!("{:.3}", bps / 1e9))),
            ]);
            let mut row = vec![message.group.clone()];
            let MulticastReport { sent, copied, delivered, absorbed, dropped, .. } = *message;
            let counts = [sent, copied, delivered, absorbed, dropped, message.in_flight];
            row.extend(counts.map(|count| count.to_string()));
            ledger.add_row(row);
            let mut row = vec![message.group.clone()];
            let counts = [message.repeated, message.timeouts, message.twice];
            row.extend(counts.map(|count| count.to_string()));
            row.extend([known(message.tree.as_ref().map(crossed)), unicasts(message)]);
            copies.add_row(row);
        }
        let more = more(report.multicasts.len());
        let _ = writeln!(text, "\n{messages}{more}\n\n{ledger}{more}\n\n{copies}{more}");
    }
    text.push_str(&lacking(report));
    let counted: Vec<_> =
        report.multicasts.iter().filter_map(|message| Some((message, message.copies?))).collect();
    if !counted.is_empty() {
        let header = ["group", "from", "packets over links", "branches", "by unicasts", "saved"];
        let mut traffic = table(&header);
        for (message, copies) in counted.iter().take(SHOWN) {
            traffic.add_row([
                message.group.clone(),
                message.from.clone(),
                copies.links.to_string(),
                copies.branches.to_string(),
                copies.unicasts.to_string(),
                known(copies.saved.map(|share| format!("{:.1} %", 100.0 * share))),
            ]);
        }
        let _ = writeln!(text, "\n{traffic}{}", more(counted.len()));
    }
    if !report.groups.is_empty() {
        let header = [
            "reliable group",
            "standing",
            "registration",
            "fell back",
            "acks",
            "nacks",
            "answers in",
            "out",
        ];
        let mut groups = table(&header);
        for group in report.groups.iter().take(SHOWN) {
            groups.add_row([
                group.group.clone(),
                known(group.standing.map(|standing| standing.to_string())),
                time(group.registration_ps),
                group.fell_back.to_string(),
                group.acks.to_string(),
                group.nacks.to_string(),
                group.answers_in.to_string(),
                group.answers_out.to_string(),
            ]);
        }
        let most = report.group_tables.iter().rev().max_by_key(|table| table.bytes);
        let most = most.map(|most| format!("{} at {}", bytes(most.bytes), most.switch));
        let more = more(report.groups.len());
        let _ = writeln!(text, "\n{groups}{more}\nLargest table of groups: {}.", known(most));
    }
    let Some(splitters) = &report.splitters else { return text };
    let mut facts = table(&["splitters", "value"]);
    facts.add_row(["number".into(), splitters.splitters.to_string()]);
    facts.add_row(["light".into(), splitters.light.to_string()]);
    facts.add_row([
        "packets sent / copies lost".into(),
        format!("{} / {}", splitters.sent, splitters.lost),
    ]);
    let busiest = splitters.busiest.as_ref();
    let busiest = busiest.map(|busy| format!("{}, {} packets", busy.tor, busy.sent));
    facts.add_row(["busiest".into(), known(busiest)]);
    let _ = writeln!(text, "\n{facts}");
    if !splitters.lossy.is_empty() {
        let header = ["branch from", "to", "lost", "received", "margin, dB", "frames lost"];
        let mut lossy = table(&header);
        for branch in &splitters.lossy {
            lossy.add_row([
                branch.from.clone(),
                branch.to.clone(),
                branch.lost.to_string(),
                branch.received.to_string(),
                known(branch.margin_db.map(|margin| format!("{margin:.2}"))),
                known(branch.frame_loss_text()),
            ]);
        }
        let _ = writeln!(text, "\n{lossy}");
    }
    text
}

/// Receivers that lack packets, and why. Empty if none does.
fn lacking(report: &SimulateReport) -> String {
    let receivers = report.multicasts.iter().flat_map(|message| {
        message.each.iter().filter_map(move |each| Some((message, each, each.lacks?)))
    });
    let receivers: Vec<_> = receivers.collect();
    if receivers.is_empty() {
        return String::new();
    }
    let header =
        ["group", "receiver", "lacks packets", "rules", "dead", "lost", "overflow", "end of run"];
    let mut lacking = table(&header);
    for (message, each, lacks) in receivers.iter().take(SHOWN) {
        let causes = lacks.causes.map_or([const { None }; 5], |causes| {
            let CausesReport { rules, dead, lost, overflow, end } = causes;
            [rules, dead, lost, overflow, end].map(|packets| Some(packets.to_string()))
        });
        let mut row = vec![message.group.clone(), each.host.clone(), lacks.packets.to_string()];
        row.extend(causes.map(|packets| packets.unwrap_or_else(|| "unknown".into())));
        lacking.add_row(row);
    }
    format!("\n{lacking}{}\n", more(receivers.len()))
}

/// What one packet crosses.
fn crossed(tree: &CrossedReport) -> String {
    match tree.branches {
        0 => format!("{} links", tree.links),
        branches => format!("{} links, {branches} branches", tree.links),
    }
}

fn unicasts(message: &MulticastReport) -> String {
    format!("{} links", message.unicast_links)
}

/// Messages to groups over several runs. Empty if there are none.
pub(crate) fn over_runs(report: &ReplicasReport) -> String {
    if report.multicasts.is_empty() {
        return String::new();
    }
    let header =
        ["group", "from", "payload", "runs", "last, us", "±", "Gb/s", "±", "repeated", "±"];
    let mut messages = table(&header);
    for message in report.multicasts.iter().take(SHOWN) {
        let mut row = vec![
            message.group.clone(),
            message.from.clone(),
            bytes(message.bytes),
            format!("{} of {}", message.completed, report.replicas.len()),
        ];
        row.extend(interval(message.last_ps, 1e6));
        row.extend(interval(message.goodput_bps, 1e9));
        row.extend(interval(message.repeated, 1.0));
        messages.add_row(row);
    }
    let more = more(report.multicasts.len());
    format!("\n{messages}{more}\n")
}

/// A mean, and half the width of its 95 % interval.
fn interval(interval: Option<IntervalReport>, scale: f64) -> [String; 2] {
    let show = |value: f64| format!("{:.3}", value / scale);
    let width = interval.and_then(|interval| interval.half_width_95);
    [known(interval.map(|interval| show(interval.mean))), known(width.map(show))]
}

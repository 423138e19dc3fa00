//! What a run tells of groups: messages, copies, groups, memory of switches, admission, and splitters.

use egui::Ui;
use lightloom::twin::{
    AdmissionReport, CrossedReport, MulticastReport, ReliableGroupReport, SimulateReport,
    SplittersReport,
};
use lightloom::units::BitRate;

use super::emit::{known, time};
use super::run_list::{list, none};

/// The lists that are not empty.
pub fn show(ui: &mut Ui, report: &SimulateReport) {
    messages(ui, &report.multicasts);
    copies(ui, &report.multicasts);
    groups(ui, &report.groups);
    let tables = report.group_tables.iter();
    let tables = tables.map(|table| [table.switch.clone(), table.bytes.to_string()]);
    list(ui, "Memory for groups at switches", ["switch", "bytes at most"], tables);
    if let Some(admission) = &report.admission {
        admitted(ui, admission);
    }
    admissions(ui, &report.multicasts);
    if let Some(splitters) = &report.splitters {
        loads(ui, splitters);
        branches(ui, splitters);
    }
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
        "not handed on",
        "dropped",
        "under way",
        "one packet crosses",
        "by unicasts, links",
    ];
    let rows = messages.iter().map(|message| {
        let median = message.completion.as_ref().map(|times| times.p50_ps);
        let [first, median, last] =
            [message.first_ps, median, message.last_ps].map(|taken| taken.map_or_else(none, time));
        let [sent, again, late, copied, delivered, twice, absorbed, dropped, in_flight, unicasts] =
            [
                message.sent,
                message.repeated,
                message.timeouts,
                message.copied,
                message.delivered,
                message.twice,
                message.absorbed,
                message.dropped,
                message.in_flight,
                message.unicast_links,
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
            absorbed,
            dropped,
            in_flight,
            message.tree.as_ref().map_or_else(none, crossed),
            unicasts,
        ]
    });
    list(ui, "Messages to groups", titles, rows);
}

/// What one packet crosses.
fn crossed(tree: &CrossedReport) -> String {
    match tree.branches {
        0 => format!("{} links", tree.links),
        branches => format!("{} links, {branches} branches", tree.links),
    }
}

/// Copies over links and branches, and the traffic that groups save.
fn copies(ui: &mut Ui, messages: &[MulticastReport]) {
    let titles = ["group", "from", "packets over links", "over branches", "by unicasts", "saved"];
    let counted: Vec<_> =
        messages.iter().filter_map(|message| Some((message, message.copies.as_ref()?))).collect();
    let rows = counted.iter().map(|(message, copies)| {
        let saved = copies.saved.map_or_else(none, |share| format!("{:.1} %", 100.0 * share));
        let [links, branches, unicasts] =
            [copies.links, copies.branches, copies.unicasts].map(|count| count.to_string());
        [message.group.clone(), message.from.clone(), links, branches, unicasts, saved]
    });
    list(ui, "Copies of messages to groups", titles, rows);
}

fn groups(ui: &mut Ui, groups: &[ReliableGroupReport]) {
    let titles = [
        "group",
        "members",
        "standing",
        "registration",
        "fell back",
        "cut off",
        "ACKs",
        "NACKs",
        "notifications",
        "answers in",
        "answers out",
    ];
    let rows = groups.iter().map(|group| {
        [
            group.group.clone(),
            group.members.to_string(),
            group.standing.map_or_else(none, |standing| standing.to_string()),
            time(group.registration_ps),
            group.fell_back.to_string(),
            group.cut_off.to_string(),
            group.acks.to_string(),
            group.nacks.to_string(),
            group.notifications.to_string(),
            group.answers_in.to_string(),
            group.answers_out.to_string(),
        ]
    });
    list(ui, "Reliable groups", titles, rows);
}

/// How messages over light were admitted.
fn admitted(ui: &mut Ui, admission: &AdmissionReport) {
    let disjoint = admission.disjoint_senders.map_or_else(none, |many| many.to_string());
    let facts = [
        ["policy".to_owned(), admission.policy.to_string()],
        ["controller".to_owned(), admission.controller.clone()],
        ["trees".to_owned(), admission.trees.to_string()],
        ["ToRs that send".to_owned(), admission.senders.to_string()],
        ["of them with disjoint relays".to_owned(), disjoint],
        ["messages asked for".to_owned(), admission.asked.to_string()],
        ["messages admitted".to_owned(), admission.granted.to_string()],
        ["most at once".to_owned(), admission.most_at_once.to_string()],
        ["longest wait".to_owned(), admission.longest_wait_ps.map_or_else(none, time)],
    ];
    list(ui, "Admission over light", ["fact", "value"], facts.into_iter());
}

/// When messages over light were asked for, granted and over.
fn admissions(ui: &mut Ui, messages: &[MulticastReport]) {
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
    list(ui, "Messages that asked for light", titles, rows);
}

/// Splitters as a whole.
fn loads(ui: &mut Ui, splitters: &SplittersReport) {
    let busiest = splitters.busiest.as_ref().map_or_else(none, |busy| {
        let (tor, sent, bytes) = (&busy.tor, busy.sent, busy.most_queued_bytes);
        format!("{tor}, {sent} packets, a queue of {bytes} bytes at most")
    });
    let facts = [
        ["number".to_owned(), splitters.splitters.to_string()],
        ["light".to_owned(), splitters.light.to_string()],
        ["packets sent".to_owned(), splitters.sent.to_string()],
        ["copies lost".to_owned(), splitters.lost.to_string()],
        ["busiest".to_owned(), busiest],
    ];
    list(ui, "Splitters", ["fact", "value"], facts.into_iter());
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
            branch.frame_loss_text().unwrap_or_else(|| "unknown".to_owned()),
        ]
    });
    list(ui, "Branches that lost copies", titles, rows);
}

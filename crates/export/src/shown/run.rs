//! What a run tells in lists: flows by size, what was dropped, who waits, what failed, and its recoveries.

use lightloom_sim::ending::StoppedReport;
use lightloom_sim::errors::{NeverStartedReport, QueuePairErrorReport};
use lightloom_sim::failed::{ExemptReport, FailureReport};
use lightloom_sim::overflow::OverflowReport;
use lightloom_sim::recovery::{LackingReport, RecoveryEventReport};
use lightloom_sim::report::{DropReport, SizeReport};
use lightloom_tables::shown::{Head, List};

use crate::shown::amounts::{bytes, known, time};

/// Number of hosts that a cell names.
const NAMED: usize = 4;

/// Flows by the order of magnitude of their size.
pub const SIZES: List<SizeReport> = List {
    title: "Flows by size",
    heads: &[
        Head::new("bytes", |size| {
            format!("{} to {}", bytes(size.from_bytes), bytes(size.below_bytes))
        }),
        Head::new("flows", |size| size.completion.count.to_string()),
        Head::new("mean", |size| time(size.completion.mean_ps)),
        Head::new("p50", |size| time(size.completion.p50_ps)),
        Head::new("p99", |size| time(size.completion.p99_ps)),
        Head::new("max", |size| time(size.completion.max_ps)),
        Head::new("slowdown, mean", |size| format!("{:.2}", size.slowdown.mean)),
        Head::new("p99", |size| format!("{:.2}", size.slowdown.p99)),
    ],
};

/// Packets that were dropped.
pub const DROPS: List<DropReport> = List {
    title: "Packets dropped",
    heads: &[
        Head::new("dropped at", |drop| drop.node.clone()),
        Head::new("port", |drop| drop.port.to_string()),
        Head::new("reason", |drop| drop.reason.to_string()),
        Head::new("packets", |drop| drop.packets.to_string()),
    ],
};

/// Ports of a ring that stop each other for ever.
pub const RING: List<StoppedReport> = List {
    title: "Ports that are stopped for ever",
    heads: &[
        Head::new("stopped for ever", |port| port.node.clone()),
        Head::new("port", |port| port.port.to_string()),
        Head::new("waits for", |port| port.stopped_by.clone()),
        Head::new("bytes", |port| port.bytes.to_string()),
    ],
};

/// Ports that wait when the run ends.
pub const WAITING: List<StoppedReport> = List {
    title: "Ports that wait at the end",
    heads: &[
        Head::new("waits at the end", |port| port.node.clone()),
        Head::new("port", |port| port.port.to_string()),
        Head::new("stopped by", |port| port.stopped_by.clone()),
        Head::new("bytes", |port| port.bytes.to_string()),
    ],
};

/// Ports whose headroom was too small. The command says so in a warning.
pub const OVERFLOWS: List<OverflowReport> = List {
    title: "Overflows of headroom",
    heads: &[
        Head::new("at", |port| port.node.clone()),
        Head::new("port", |port| port.port.to_string()),
        Head::new("class", |port| port.class.to_string()),
        Head::new("sent by", |port| port.peer.clone()),
        Head::new("first lost", |port| time(port.at_ps)),
        Head::new("packets", |port| port.packets.to_string()),
        Head::new("headroom, bytes", |port| port.headroom_bytes.to_string()),
        Head::new("needed, bytes", |port| port.needed_bytes.to_string()),
        Head::new("pause lost", |port| {
            let lost = port.pause_lost_ps.zip(port.pause_lost_by);
            known(lost.map(|(at, why)| format!("{} ({why})", time(at))))
        }),
    ],
};

/// Messages that failed.
pub const FAILED: List<FailureReport> = List {
    title: "Messages that failed",
    heads: &[
        Head::new("failed", |failure| failure.message.clone()),
        Head::new("because of", |failure| failure.cause.to_string()),
        Head::new("refused by", |failure| known(failure.switch.clone())),
        Head::new("receivers that lack a part", |failure| named(&failure.members)),
    ],
};

/// Messages that are lacked only where no run fails of it.
pub const EXEMPT: List<ExemptReport> = List {
    title: "Lacked by receivers that are declared dead for good",
    heads: &[
        Head::new("lacked by receivers that are declared dead for good", |message| {
            message.message.clone()
        }),
        Head::new("receivers", |message| named(&message.members)),
    ],
};

/// Queue pairs in error.
pub const QUEUE_PAIRS: List<QueuePairErrorReport> = List {
    title: "Queue pairs in error",
    heads: &[
        Head::new("queue pair in error", |failed| match &failed.to {
            None => failed.message.clone(),
            Some(to) => format!("{}, to {to}", failed.message),
        }),
        Head::new("ended", |failed| failed.error.to_string()),
        Head::new("at", |failed| time(failed.at_ps)),
        Head::new("packet", |failed| failed.psn.to_string()),
        Head::new("timeouts", |failed| failed.timeouts.to_string()),
        Head::new("had in order", had),
    ],
};

/// Messages that never started.
pub const NEVER_STARTED: List<NeverStartedReport> = List {
    title: "Messages that never started",
    heads: &[
        Head::new("never started", |waits| waits.message.clone()),
        Head::new("waits for", |waits| waits.waits_for.clone()),
    ],
};

/// The course of recoveries.
pub const RECOVERIES: List<RecoveryEventReport> = List {
    title: "Failures and recoveries",
    heads: &[
        Head::new("time", |event| time(event.at_ps)),
        Head::new("recovery", |event| event.what.to_string()),
        Head::new("parts", |event| known(event.parts.clone())),
        Head::new("rules", |event| event.rules.to_string()),
        Head::new("switches", |event| event.switches.to_string()),
        Head::new("entries of groups", |event| event.group_rules.to_string()),
    ],
};

/// Hosts that a failure cuts off. The command says it in sentences.
pub const CUT_OFF: List<RecoveryEventReport> = List {
    title: "Hosts that are cut off",
    heads: &[
        Head::new("from", |event| time(event.at_ps)),
        Head::new("hosts that no path of links reaches", |event| named(&event.cut_off)),
    ],
};

/// Members that lack a part of a message after recoveries. The command says it in sentences.
pub const MEMBERS: List<LackingReport> = List {
    title: "Members that lack a part of a message",
    heads: &[
        Head::new("group", |lacking| lacking.group.clone()),
        Head::new("from", |lacking| lacking.from.clone()),
        Head::new("members", |lacking| named(&lacking.hosts)),
    ],
};

/// The first of some hosts, and how many more there are.
fn named(hosts: &[String]) -> String {
    let named = hosts.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match hosts.len().saturating_sub(NAMED) {
        0 if hosts.is_empty() => "none".into(),
        0 => named,
        1 => format!("{named}, 1 other"),
        others => format!("{named}, {others} others"),
    }
}

/// What receivers had. The report has those of a large group.
fn had(failed: &QueuePairErrorReport) -> String {
    let first = failed.receivers.iter().take(NAMED);
    let mut had: Vec<String> =
        first.map(|had| format!("{}: {} B", had.host, had.in_order_bytes)).collect();
    if failed.receivers.len() > NAMED {
        had.push(format!("{} others", failed.receivers.len() - NAMED));
    }
    had.join(", ")
}

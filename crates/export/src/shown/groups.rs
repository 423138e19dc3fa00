//! What a run tells of groups: messages, copies, memory of switches, admission, and splitters.

use lightloom_sim::admission::{AdmissionReport, MessageAdmissionReport};
use lightloom_sim::copies::CopiesReport;
use lightloom_sim::groups::{
    CrossedReport, GroupTableReport, LossyReport, MulticastReport, ReceiverReport,
    ReliableGroupReport, SplittersReport,
};
use lightloom_sim::lacks::{CausesReport, LacksReport};
use lightloom_tables::shown::{Face, Head, List, Shown};

use crate::shown::amounts::{UNKNOWN, bytes, known, time};

/// Messages, and when their receivers had them.
pub const MESSAGES: List<MulticastReport> = List {
    title: "Messages to groups",
    heads: &[
        Head::new("group", |message| message.group.clone()),
        Head::only(Face::Window, "transport", |message| message.transport.to_string()),
        Head::new("from", |message| message.from.clone()),
        Head::new("payload", |message| bytes(message.bytes)),
        Head::new("receivers", |message| format!("{} of {}", message.completed, message.receivers)),
        Head::new("first", |message| known(message.first_ps.map(time))),
        Head::new("median", |message| {
            known(message.completion.as_ref().map(|times| time(times.p50_ps)))
        }),
        Head::new("last", |message| known(message.last_ps.map(time))),
        Head::new("Gb/s", |message| {
            known(message.goodput_bps.map(|bps| format!("{:.3}", bps / 1e9)))
        }),
    ],
};

/// Packets of messages. What is sent and copied is delivered, absorbed, dropped or under way.
pub const PACKETS: List<MulticastReport> = List {
    title: "Packets of messages to groups",
    heads: &[
        Head::new("group", |message| message.group.clone()),
        Head::new("sent", |message| message.sent.to_string()),
        Head::new("copied", |message| message.copied.to_string()),
        Head::new("delivered", |message| message.delivered.to_string()),
        Head::new("absorbed", |message| message.absorbed.to_string()),
        Head::new("dropped", |message| message.dropped.to_string()),
        Head::new("under way", |message| message.in_flight.to_string()),
    ],
};

/// What messages repeat, and what one packet of them crosses.
pub const REPEATS: List<MulticastReport> = List {
    title: "Repeats and ways of messages to groups",
    heads: &[
        Head::new("group", |message| message.group.clone()),
        Head::new("repeated", |message| message.repeated.to_string()),
        Head::new("timeouts", |message| message.timeouts.to_string()),
        Head::new("came twice", |message| message.twice.to_string()),
        Head::new("crossed", |message| known(message.tree.as_ref().map(crossed))),
        Head::new("by unicasts", |message| format!("{} links", message.unicast_links)),
    ],
};

/// A receiver of a message that lacks packets.
pub struct Lacking {
    group: String,
    host: String,
    lacks: LacksReport,
}

impl Lacking {
    /// The receivers of a run that lack packets.
    pub fn of(messages: &[MulticastReport]) -> Vec<Self> {
        let of_one = |message: &MulticastReport, each: &ReceiverReport| {
            let (group, host) = (message.group.clone(), each.host.clone());
            each.lacks.map(|lacks| Self { group, host, lacks })
        };
        let all = messages
            .iter()
            .flat_map(|message| message.each.iter().map(move |each| (message, each)));
        all.filter_map(|(message, each)| of_one(message, each)).collect()
    }

    fn because(&self, of: fn(&CausesReport) -> u64) -> String {
        self.lacks.causes.as_ref().map_or_else(|| UNKNOWN.into(), |causes| of(causes).to_string())
    }
}

/// Receivers that lack packets, and why.
pub const LACKING: List<Lacking> = List {
    title: "Receivers that lack packets",
    heads: &[
        Head::new("group", |lacking| lacking.group.clone()),
        Head::new("receiver", |lacking| lacking.host.clone()),
        Head::new("lacks packets", |lacking| lacking.lacks.packets.to_string()),
        Head::new("rules", |lacking| lacking.because(|causes| causes.rules)),
        Head::new("dead", |lacking| lacking.because(|causes| causes.dead)),
        Head::new("lost", |lacking| lacking.because(|causes| causes.lost)),
        Head::new("overflow", |lacking| lacking.because(|causes| causes.overflow)),
        Head::new("end of run", |lacking| lacking.because(|causes| causes.end)),
    ],
};

/// The copies of a message.
pub struct Copied {
    group: String,
    from: String,
    copies: CopiesReport,
}

impl Copied {
    /// The messages whose copies were counted.
    pub fn of(messages: &[MulticastReport]) -> Vec<Self> {
        let of_one = |message: &MulticastReport| {
            let (group, from) = (message.group.clone(), message.from.clone());
            Some(Self { group, from, copies: message.copies? })
        };
        messages.iter().filter_map(of_one).collect()
    }
}

/// Copies over links and branches, and the traffic that groups save.
pub const COPIES: List<Copied> = List {
    title: "Copies of messages to groups",
    heads: &[
        Head::new("group", |message| message.group.clone()),
        Head::new("from", |message| message.from.clone()),
        Head::new("packets over links", |message| message.copies.links.to_string()),
        Head::new("branches", |message| message.copies.branches.to_string()),
        Head::new("by unicasts", |message| message.copies.unicasts.to_string()),
        Head::new("saved", |message| {
            known(message.copies.saved.map(|share| format!("{:.1} %", 100.0 * share)))
        }),
    ],
};

/// Groups with reliable messages.
pub const RELIABLE: List<ReliableGroupReport> = List {
    title: "Reliable groups",
    heads: &[
        Head::new("reliable group", |group| group.group.clone()),
        Head::only(Face::Window, "members", |group| group.members.to_string()),
        Head::new("standing", |group| known(group.standing.map(|standing| standing.to_string()))),
        Head::new("registration", |group| time(group.registration_ps)),
        Head::new("fell back", |group| group.fell_back.to_string()),
        Head::only(Face::Window, "cut off", |group| group.cut_off.to_string()),
        Head::new("acks", |group| group.acks.to_string()),
        Head::new("nacks", |group| group.nacks.to_string()),
        Head::only(Face::Window, "notifications", |group| group.notifications.to_string()),
        Head::new("answers in", |group| group.answers_in.to_string()),
        Head::new("out", |group| group.answers_out.to_string()),
    ],
};

/// Memory for groups at switches. The command names the largest one.
pub const MEMORY: List<GroupTableReport> = List {
    title: "Memory for groups at switches",
    heads: &[
        Head::new("switch", |table| table.switch.clone()),
        Head::new("bytes at most", |table| table.bytes.to_string()),
    ],
};

/// How messages over light were admitted.
pub fn admission(report: &AdmissionReport) -> Shown {
    let disjoint = known(report.disjoint_senders.map(|many| many.to_string()));
    Shown::facts(
        "admission",
        [
            ("policy", report.policy.to_string()),
            ("controller", report.controller.clone()),
            ("trees", report.trees.to_string()),
            ("ToRs that send / with disjoint relays", format!("{} / {disjoint}", report.senders)),
            ("messages asked for / admitted", format!("{} / {}", report.asked, report.granted)),
            ("most at once", report.most_at_once.to_string()),
            ("longest wait", known(report.longest_wait_ps.map(time))),
        ],
    )
}

/// A message that asked for light.
pub struct Admitted {
    number: usize,
    group: String,
    admission: MessageAdmissionReport,
}

impl Admitted {
    /// The messages of a run that asked for light.
    pub fn of(messages: &[MulticastReport]) -> Vec<Self> {
        let of_one = |(number, message): (usize, &MulticastReport)| {
            let (group, admission) = (message.group.clone(), message.admission.clone()?);
            Some(Self { number, group, admission })
        };
        messages.iter().enumerate().filter_map(of_one).collect()
    }
}

/// When messages over light were asked for, granted and over.
pub const ADMITTED: List<Admitted> = List {
    title: "Messages that asked for light",
    heads: &[
        Head::new("message", |message| message.number.to_string()),
        Head::new("group", |message| message.group.clone()),
        Head::new("asked", |message| known(message.admission.asked_ps.map(time))),
        Head::new("granted", |message| known(message.admission.granted_ps.map(time))),
        Head::new("over", |message| known(message.admission.over_ps.map(time))),
        Head::new("waited for", |message| {
            known(message.admission.waited_for.map(|number| number.to_string()))
        }),
        Head::new("Gb/s", |message| gbps(message.admission.rate_bps)),
        Head::new("least", |message| gbps(message.admission.least_rate_bps)),
    ],
};

/// Splitters as a whole.
pub fn splitters(report: &SplittersReport) -> Shown {
    let busiest = report.busiest.as_ref();
    let most_queued = busiest.map(|busy| bytes(busy.most_queued_bytes.into()));
    let busiest = busiest.map(|busy| format!("{}, {} packets", busy.tor, busy.sent));
    Shown::facts(
        "splitters",
        [
            ("number", report.splitters.to_string()),
            ("light", report.light.to_string()),
            ("packets sent / copies lost", format!("{} / {}", report.sent, report.lost)),
            ("busiest", known(busiest)),
            ("longest queue there", known(most_queued)),
        ],
    )
}

/// Branches that lost copies.
pub const LOSSY: List<LossyReport> = List {
    title: "Branches that lost copies",
    heads: &[
        Head::new("branch from", |branch| branch.from.clone()),
        Head::new("to", |branch| branch.to.clone()),
        Head::new("lost", |branch| branch.lost.to_string()),
        Head::new("received", |branch| branch.received.to_string()),
        Head::new("margin, dB", |branch| {
            known(branch.margin_db.map(|margin| format!("{margin:.2}")))
        }),
        Head::new("frames lost", |branch| known(branch.frame_loss_text())),
    ],
};

/// What one packet crosses.
fn crossed(tree: &CrossedReport) -> String {
    match tree.branches {
        0 => format!("{} links", tree.links),
        branches => format!("{} links, {branches} branches", tree.links),
    }
}

#[allow(clippy::cast_precision_loss, reason = "a rate for people")]
fn gbps(bps: Option<u64>) -> String {
    known(bps.map(|bps| format!("{:.3}", bps as f64 / 1e9)))
}

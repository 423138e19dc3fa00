//! Admission of messages over light, as people read it.

use std::fmt::Write as _;

use lightloom::twin::{MulticastReport, SimulateReport};

use crate::amounts::{known, time};
use crate::cells::{SHOWN, more, table};

/// The tables of admission. Empty if there is none.
pub(crate) fn admission(report: &SimulateReport) -> String {
    let mut text = String::new();
    let Some(admission) = &report.admission else { return text };
    let mut facts = table(&["admission", "value"]);
    facts.add_row(["policy".into(), admission.policy.to_string()]);
    facts.add_row(["controller".into(), admission.controller.clone()]);
    facts.add_row(["trees".into(), admission.trees.to_string()]);
    facts.add_row([
        "ToRs that send / with disjoint relays".into(),
        format!(
            "{} / {}",
            admission.senders,
            known(admission.disjoint_senders.map(|many| many.to_string()))
        ),
    ]);
    facts.add_row([
        "messages asked for / admitted".into(),
        format!("{} / {}", admission.asked, admission.granted),
    ]);
    facts.add_row(["most at once".into(), admission.most_at_once.to_string()]);
    facts.add_row(["longest wait".into(), known(admission.longest_wait_ps.map(time))]);
    let _ = writeln!(text, "\n{facts}");
    let header = ["message", "group", "asked", "granted", "over", "waited for", "Gb/s", "least"];
    let mut messages = table(&header);
    let admitted = |(number, message): (usize, &MulticastReport)| {
        Some((number, message.group.clone(), message.admission.clone()?))
    };
    let all = || report.multicasts.iter().enumerate().filter_map(admitted);
    let gbps = |bps: Option<u64>| known(bps.map(|bps| format!("{:.3}", bps as f64 / 1e9)));
    for (number, group, one) in all().take(SHOWN) {
        messages.add_row([
            number.to_string(),
            group,
            known(one.asked_ps.map(time)),
            known(one.granted_ps.map(time)),
            known(one.over_ps.map(time)),
            known(one.waited_for.map(|number| number.to_string())),
            gbps(one.rate_bps),
            gbps(one.least_rate_bps),
        ]);
    }
    let _ = writeln!(text, "\n{messages}{}", more(all().count()));
    text
}

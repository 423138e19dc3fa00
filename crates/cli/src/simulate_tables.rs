//! Simulations as people read them.

use std::fmt::Write as _;

use lightloom::shown::amounts::{bytes, known, time};
use lightloom::shown::collectives::{OVER_RUNS, OverRuns};
use lightloom::shown::ledger::LEDGER;
use lightloom::shown::replicas::{MESSAGES, Message, RUNS, means};
use lightloom::shown::run::{DROPS, RING, SIZES, WAITING};
use lightloom::shown::traces;
use lightloom::twin::{
    EndReport, Ending, FlowsReport, GoodputReport, GoodputsReport, PortReport, Run, Runs,
    TimesReport, TimingReport, ToGroupsReport,
};

use crate::admission_tables;
use crate::cells::{listed, sheet, table};
use crate::error_tables;
use crate::group_tables;
use crate::recovery_tables;
use crate::width::Sheet;

pub(crate) fn run(run: &Run) -> String {
    let report = &run.report;
    // How it ended comes first: warnings may be the cause.
    let mut text = format!("{}\n{}\n", end(&report.end), warnings(&report.warnings));
    let network = &report.network;
    let mut facts = table(&["", "value"]);
    facts.add_row([
        "network".into(),
        format!("{}, {} hosts, {} switches", network.kind, network.hosts, network.switches),
    ]);
    if let Some(circuits) = &network.circuits {
        facts.add_row([
            "circuit switches / most circuits of a packet".into(),
            format!("{} / {}", circuits.switches, circuits.most_hops),
        ]);
        facts.add_row([
            "schedule repeats after / a pair may send for / waits for at most".into(),
            [circuits.period_ps, circuits.least_open_ps, circuits.longest_wait_ps]
                .map(time)
                .join(" / "),
        ]);
    }
    if let Some(group) = &network.largest_group {
        facts.add_row([
            "largest group by fan-out".into(),
            format!(
                "{} hosts of {}-port switches, {} with larger ones",
                group.hosts, group.ports, group.with_larger_switches
            ),
        ]);
    }
    if let Some(of) = &report.accelerators {
        facts.add_row([
            "accelerators / packets in / packets out".into(),
            format!("{} / {} / {}", of.switches, of.packets, of.copies),
        ]);
        if let Some(most) = of.most.first() {
            let waited = bytes(most.most_waiting_bytes);
            facts.add_row([
                "the busiest accelerator sent for / most waited there".into(),
                format!("{} at {} / {waited}", time(most.sending_ps), most.switch),
            ]);
        }
    }
    if flows(&report.flows) > 0 {
        flow_rows(&mut facts, &report.flows);
    }
    if let Some(to_groups) = &report.to_groups {
        group_rows(&mut facts, to_groups);
    }
    goodput_rows(&mut facts, &report.goodput);
    let queues = &report.queues;
    let queued = |port: &PortReport| {
        format!("{} at {}, port {}", bytes(port.most_queued_bytes.into()), port.node, port.port)
    };
    let stopped = |port: &PortReport| {
        format!("{} at {}, port {}", time(port.stopped_ps), port.node, port.port)
    };
    facts.add_row(["longest queue".into(), known(queues.most_queued.as_ref().map(queued))]);
    facts.add_row([
        "marked / notifications".into(),
        format!("{} / {}", queues.marked, queues.notifications),
    ]);
    facts.add_row([
        "pauses / ports stopped".into(),
        format!("{} / {}", queues.pauses, queues.stopped_ports),
    ]);
    facts.add_row(["stopped longest".into(), known(queues.most_stopped.as_ref().map(stopped))]);
    let dropped: u64 = report.drops.iter().map(|drop| drop.packets).sum();
    facts.add_row(["packets dropped".into(), dropped.to_string()]);
    let work = &report.work;
    facts.add_row([
        "data / control hops".into(),
        format!("{} / {}", work.data_hops, work.control_hops),
    ]);
    facts.add_row(["events".into(), work.events.to_string()]);
    timing_rows(&mut facts, &run.timing);
    let _ = writeln!(text, "{facts}");

    text += &listed(&LEDGER, &report.ledger);
    text.push_str(&error_tables::errors(report));
    text.push_str(&group_tables::groups(report));
    text.push_str(&admission_tables::admission(report));
    text.push_str(&recovery_tables::recovery(report));
    if report.flows.by_size.len() > 1 {
        text += &listed(&SIZES, &report.flows.by_size);
    }
    text += &listed(&DROPS, &report.drops);
    for ring in &report.end.rings {
        text += &listed(&RING, &ring.ports);
    }
    text += &listed(&WAITING, &report.end.stopped_ports);
    text
}

pub(crate) fn runs(runs: &Runs) -> String {
    let report = &runs.report;
    let mut text = warnings(&report.warnings);
    text += listed(&RUNS, &report.replicas).trim_start_matches('\n');
    let _ = writeln!(text, "\n{}", sheet(&means(report)));
    text += &listed(&OVER_RUNS, &OverRuns::of(report));
    text += &listed(&traces::OVER_RUNS, &traces::OverRuns::of(report));
    text += &listed(&MESSAGES, &Message::of(report));
    let mut facts = table(&["", "value"]);
    timing_rows(&mut facts, &runs.timing);
    let _ = writeln!(text, "\n{facts}");
    text
}

fn flow_rows(facts: &mut Sheet, flows_report: &FlowsReport) {
    facts.add_row(["flows completed".into(), known(completed(flows_report))]);
    facts.add_row(["payload".into(), bytes(flows_report.bytes)]);
    facts.add_row([
        "completion, mean / p50 / p90 / p99 / p99.9 / max".into(),
        known(flows_report.completion.as_ref().map(completions)),
    ]);
    let ratios = flows_report.slowdown.as_ref().map(|slowdown| {
        [slowdown.mean, slowdown.p50, slowdown.p90, slowdown.p99, slowdown.p999, slowdown.max]
            .map(|ratio| format!("{ratio:.2}"))
            .join(" / ")
    });
    facts.add_row(["slowdown, the same".into(), known(ratios)]);
    facts.add_row([
        "packets repeated / timeouts".into(),
        format!("{} / {}", flows_report.repeated, flows_report.timeouts),
    ]);
    if flows_report.spurious > 0 {
        let in_vain = flows_report.spurious.to_string();
        facts.add_row(["of them repeated though they had arrived".into(), in_vain]);
    }
}

/// Messages to groups: what they have in common with flows.
fn group_rows(facts: &mut Sheet, all: &ToGroupsReport) {
    facts.add_row(["messages to groups completed".into(), of_groups(all)]);
    facts.add_row([
        "receivers that have all".into(),
        format!("{} of {}", all.completed_receivers, all.receivers),
    ]);
    facts.add_row([
        "last receiver, mean / p50 / p90 / p99 / p99.9 / max".into(),
        known(all.completion.as_ref().map(completions)),
    ]);
    facts.add_row([
        "packets to groups repeated / timeouts".into(),
        format!("{} / {}", all.repeated, all.timeouts),
    ]);
}

/// Goodput of what ran. Of both together only where both ran.
fn goodput_rows(facts: &mut Sheet, goodput: &GoodputsReport) {
    let both = goodput.flows.and(goodput.groups).and(goodput.all);
    let rows = [("flows", goodput.flows), ("groups", goodput.groups), ("both", both)];
    for (name, moved) in rows {
        let Some(moved) = moved else { continue };
        let value = format!("{} ({} in {})", gbps(moved), bytes(moved.bytes), time(moved.time_ps));
        facts.add_row([format!("goodput of {name}, Gb/s"), value]);
    }
}

fn gbps(moved: GoodputReport) -> String {
    format!("{:.3}", moved.goodput_bps / 1e9)
}

fn completions(times: &TimesReport) -> String {
    [times.mean_ps, times.p50_ps, times.p90_ps, times.p99_ps, times.p999_ps, times.max_ps]
        .map(time)
        .join(" / ")
}

/// How many flows completed. `None`: there are none.
fn completed(report: &FlowsReport) -> Option<String> {
    let all = flows(report);
    (all > 0).then(|| format!("{} of {all}", report.completed))
}

/// How many messages to groups completed.
fn of_groups(all: &ToGroupsReport) -> String {
    format!("{} of {}", all.completed, all.completed + all.unfinished)
}

fn flows(report: &FlowsReport) -> usize {
    report.completed + report.unfinished
}

fn timing_rows(facts: &mut Sheet, timing: &TimingReport) {
    facts.add_row([
        "time to read / to run".into(),
        format!("{:.2} s / {:.2} s on {}", timing.read_s, timing.run_s, threads(timing)),
    ]);
    let millions = timing.data_hops_per_s / 1e6;
    facts.add_row(["million data hops a second".into(), format!("{millions:.2}")]);
}

fn threads(timing: &TimingReport) -> String {
    let TimingReport { threads, threads_used, .. } = *timing;
    let count =
        if threads_used == 1 { "1 thread".into() } else { format!("{threads_used} threads") };
    if threads_used < threads {
        format!("{count} (of {threads} asked for; no more than there are cores)")
    } else {
        count
    }
}

fn warnings(warnings: &[String]) -> String {
    warnings.iter().fold(String::new(), |text, warning| text + "Warning: " + warning + "\n")
}

fn end(end: &EndReport) -> String {
    let at = time(end.reached_ps);
    let how = match end.how {
        Ending::Done => format!("Done at {at} of simulated time."),
        Ending::Time => format!("The time was up at {at}."),
        Ending::Stopped => {
            format!("Stopped at {at} of simulated time; these are the results so far.")
        }
        Ending::Deadlock => format!("DEADLOCK at {at} of simulated time, when the time was up:"),
        Ending::Unacknowledged => format!("UNACKNOWLEDGED at {at} of simulated time:"),
        Ending::Failed => format!("FAILED at {at} of simulated time:"),
        Ending::Stalled => format!("STALLED at {at} of simulated time:"),
        Ending::Fault => "FAULT:".into(),
    };
    end.why.as_ref().map_or_else(|| how.clone(), |why| format!("{how} {why}."))
}

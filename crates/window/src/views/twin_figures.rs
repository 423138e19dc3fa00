//! Figures and series of runs, side by side.

use std::iter::Sum;

use egui::{Grid, ScrollArea, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};
use lightloom::twin::{GoodputReport, MulticastReport, PortReport, Run, SimulateReport, Simulated};

use super::emit::{Emit, time};
use super::{twin_lists, twin_live};
use crate::state::State;
use crate::state::answers::RunOf;

pub fn show(ui: &mut Ui, state: &State, emit: &Emit<'_>) {
    let answers = &state.answers;
    let kept = answers.kept.as_ref().map(|kept| ("kept", &kept.of, &*kept.run));
    let last = answers.run.last_key().zip(answers.run.last()).map(|(of, run)| ("last", of, &**run));
    let (kept, last) = (kept.and_then(named), last.and_then(named));
    let runs: Vec<(&str, &Run)> =
        kept.iter().chain(&last).map(|(name, run)| (name.as_str(), *run)).collect();
    if runs.is_empty() {
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if let Some((_, run)) = &last {
            twin_lists::warnings(ui, &run.report, emit);
        }
        figures(ui, &runs);
        throughput(ui, &runs, emit);
        queues(ui, &runs, emit);
        if let Some((_, run)) = &last {
            twin_lists::show(ui, &run.report);
        }
    });
}

/// A run with its name: the name of its scenario's file.
fn named<'a>((what, of, run): (&str, &RunOf, &'a Simulated)) -> Option<(String, &'a Run)> {
    match run {
        Simulated::One(run) => Some((format!("{what}: {}", of.name()), run)),
        Simulated::Many(_) => None,
    }
}

/// The figures of runs, side by side. A figure that no run has is left out.
fn figures(ui: &mut Ui, runs: &[(&str, &Run)]) {
    type Figure = (&'static str, fn(&SimulateReport) -> Option<String>);
    const FIGURES: &[Figure] = &[
        ("end", |run| Some(run.end.how.name().to_owned())),
        ("network", |run| {
            let of = &run.network;
            Some(format!("{}, {} hosts, {} switches", of.kind, of.hosts, of.switches))
        }),
        ("circuits", |run| {
            let of = run.network.circuits.as_ref()?;
            Some(format!("{} switches, again after {}", of.switches, time(of.period_ps)))
        }),
        ("accelerators", |run| {
            let of = run.accelerators.as_ref()?;
            Some(format!("{} switches, {} packets in, {} out", of.switches, of.packets, of.copies))
        }),
        ("simulated time", |run| Some(time(run.end.reached_ps))),
        ("messages that failed", |run| some(run.end.failures.len() as u64)),
        ("flows completed", |run| {
            let (flows, all) = (&run.flows, of_flows(run)?);
            Some(format!("{} of {all}", flows.completed))
        }),
        ("of them without an acknowledgement", |run| some(run.flows.unacknowledged as u64)),
        ("payload of all flows", |run| of_flows(run).map(|_| format!("{} bytes", run.flows.bytes))),
        ("completion of flows, mean", |run| Some(time(run.flows.completion?.mean_ps))),
        ("completion of flows, median", |run| Some(time(run.flows.completion?.p50_ps))),
        ("completion of flows, p99", |run| Some(time(run.flows.completion?.p99_ps))),
        ("completion of flows, longest", |run| Some(time(run.flows.completion?.max_ps))),
        ("slowdown of flows, mean", |run| Some(format!("{:.2}", run.flows.slowdown?.mean))),
        ("slowdown of flows, p99", |run| Some(format!("{:.2}", run.flows.slowdown?.p99))),
        ("goodput of flows", |run| run.goodput.flows.map(gbps)),
        ("goodput of groups", |run| run.goodput.groups.map(gbps)),
        ("goodput of flows and groups", |run| {
            run.goodput.flows.and(run.goodput.groups).and(run.goodput.all).map(gbps)
        }),
        ("packets of flows sent again", |run| {
            of_flows(run).map(|_| run.flows.repeated.to_string())
        }),
        ("of them in vain", |run| some(run.flows.spurious)),
        ("time-outs of flows", |run| of_flows(run).map(|_| run.flows.timeouts.to_string())),
        ("messages to groups completed", |run| {
            let all = run.to_groups.as_ref()?;
            Some(format!("{} of {}", all.completed, all.completed + all.unfinished))
        }),
        ("last receiver of groups, mean", |run| Some(time(run.to_groups?.completion?.mean_ps))),
        ("last receiver of groups, longest", |run| Some(time(run.to_groups?.completion?.max_ps))),
        ("time-outs of groups", |run| Some(run.to_groups?.timeouts.to_string())),
        ("receivers of groups that have all", |run| {
            let (completed, all) = (|message: &MulticastReport| message.completed, of_groups);
            let receivers = all(run, |message| message.receivers)?;
            Some(format!("{} of {receivers}", all(run, completed)?))
        }),
        ("packets to groups sent again", |run| {
            Some(of_groups(run, |message| message.repeated)?.to_string())
        }),
        ("copies to groups that came twice", |run| {
            Some(of_groups(run, |message| message.twice)?.to_string())
        }),
        ("copies to groups lost or dropped", |run| {
            Some(of_groups(run, |message| message.dropped)?.to_string())
        }),
        ("copies lost behind splitters", |run| Some(run.splitters.as_ref()?.lost.to_string())),
        ("copies lost on parts that are dead or shut", |run| {
            Some(run.recovery.as_ref()?.lost.to_string())
        }),
        ("packets that members lack", |run| Some(run.recovery.as_ref()?.missing.to_string())),
        ("marked packets", |run| Some(run.queues.marked.to_string())),
        ("congestion notifications", |run| some(run.queues.notifications)),
        ("pauses", |run| Some(run.queues.pauses.to_string())),
        ("longest queue", |run| {
            port(run.queues.most_queued.as_ref(), |port| {
                format!("{} bytes", port.most_queued_bytes)
            })
        }),
        ("longest stop of a port", |run| {
            port(run.queues.most_stopped.as_ref(), |port| time(port.stopped_ps))
        }),
        ("ports that were ever stopped", |run| some(run.queues.stopped_ports as u64)),
        ("stops of all ports", |run| Some(time(run.queues.stopped_ps))),
        ("packets dropped", |run| {
            Some(run.drops.iter().map(|drop| drop.packets).sum::<u64>().to_string())
        }),
        ("packets over links, data", |run| Some(run.work.data_hops.to_string())),
        ("packets over links, others", |run| Some(run.work.control_hops.to_string())),
        ("events", |run| Some(run.work.events.to_string())),
    ];
    Grid::new("figures").striped(true).num_columns(runs.len() + 1).show(ui, |ui| {
        ui.label("");
        for (name, _) in runs {
            ui.strong(*name);
        }
        ui.end_row();
        for (title, figure) in FIGURES {
            let values: Vec<_> = runs.iter().map(|(_, run)| figure(&run.report)).collect();
            if values.iter().all(Option::is_none) {
                continue;
            }
            ui.label(*title);
            for value in values {
                ui.label(value.unwrap_or_else(|| "none".to_owned()));
            }
            ui.end_row();
        }
    });
}

/// Throughput over time.
fn throughput(ui: &mut Ui, runs: &[(&str, &Run)], emit: &Emit<'_>) {
    Plot::new("throughput")
        .height(260.0)
        .x_axis_label("time, ms")
        .y_axis_label("throughput, Gb/s")
        .legend(Legend::default())
        .allow_scroll(false)
        .show(ui, |plot| {
            for (number, (name, run)) in runs.iter().enumerate() {
                let line = Line::new(*name, PlotPoints::from(points(run)));
                plot.line(line.color(emit.colours.series(number)).width(2.0));
            }
        });
}

/// Bytes that wait in switches over time, of runs that were recorded.
#[allow(clippy::cast_precision_loss, reason = "points of a plot")]
fn queues(ui: &mut Ui, runs: &[(&str, &Run)], emit: &Emit<'_>) {
    if runs.iter().all(|(_, run)| run.so_far.is_empty()) {
        ui.weak("Queues over time are known of runs that are recorded.");
        return;
    }
    Plot::new("queues")
        .height(200.0)
        .x_axis_label("time, ms")
        .y_axis_label("waiting in switches, kB")
        .legend(Legend::default())
        .allow_scroll(false)
        .show(ui, |plot| {
            for (number, (name, run)) in runs.iter().enumerate() {
                let points: Vec<[f64; 2]> = run
                    .so_far
                    .iter()
                    .map(|at| [at.at_ps as f64 / 1e9, at.queued_bytes as f64 / 1e3])
                    .collect();
                let line = Line::new(*name, PlotPoints::from(points));
                plot.line(line.color(emit.colours.series(number)).width(2.0));
            }
        });
}

/// How many flows there are. `None`: the run has messages to groups alone.
fn of_flows(run: &SimulateReport) -> Option<usize> {
    let all = run.flows.completed + run.flows.unfinished;
    (all > 0).then_some(all)
}

fn gbps(moved: GoodputReport) -> String {
    format!("{:.3} Gb/s", moved.goodput_bps / 1e9)
}

/// A count that is left out if it is 0.
fn some(count: u64) -> Option<String> {
    (count > 0).then(|| count.to_string())
}

/// A count over all messages to groups. `None`: there are none.
fn of_groups<N: Sum>(run: &SimulateReport, count: fn(&MulticastReport) -> N) -> Option<N> {
    let messages = &run.multicasts;
    (!messages.is_empty()).then(|| messages.iter().map(count).sum())
}

/// What a report says of a port, and which one it is.
fn port(port: Option<&PortReport>, of: fn(&PortReport) -> String) -> Option<String> {
    port.map(|port| format!("{} ({}, port {})", of(port), port.node, port.port))
}

/// Time in milliseconds, and throughput in Gb/s: at each look at a run that was recorded, else by the intervals of the
/// scenario.
fn points(run: &Run) -> Vec<[f64; 2]> {
    match run.so_far.len() {
        0 | 1 => steps(&run.report),
        _ => twin_live::throughput(&run.so_far),
    }
}

/// Throughput at the begin and the end of each interval. The last one ends with the run.
#[allow(clippy::cast_precision_loss, reason = "points of a plot")]
fn steps(run: &SimulateReport) -> Vec<[f64; 2]> {
    let series = &run.throughput;
    let begin = |number: u64| series.interval_ps.saturating_mul(number).min(run.end.reached_ps);
    let step = |(number, &bytes): (u64, &u64)| {
        let ends = [begin(number), begin(number + 1)];
        let ps = (ends[1] - ends[0]) as f64;
        // Bits per picosecond are terabits per second.
        (ps > 0.0).then(|| ends.map(|end| [end as f64 / 1e9, bytes as f64 * 8e3 / ps]))
    };
    (0..).zip(&series.bytes).filter_map(step).flatten().collect()
}

//! Figures and series of runs, side by side.

use egui::{Grid, ScrollArea, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};
use lightloom::{PortReport, Run, Simulated};

use super::emit::Emit;
use crate::state::State;
use lightloom::SimulateReport;
use lightloom::units::Span;

pub fn show(ui: &mut Ui, state: &State, emit: &Emit<'_>) {
    let runs: Vec<(&str, &Run)> = [
        ("kept", state.answers.kept.as_deref()),
        ("last", state.answers.run.last().map(AsRef::as_ref)),
    ]
    .into_iter()
    .filter_map(|(name, run)| match run? {
        Simulated::One(run) => Some((name, &**run)),
        Simulated::Many(_) => None,
    })
    .collect();
    if runs.is_empty() {
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        figures(ui, &runs);
        throughput(ui, &runs, emit);
        queues(ui, &runs, emit);
    });
}

/// The figures of runs, side by side.
fn figures(ui: &mut Ui, runs: &[(&str, &Run)]) {
    type Figure = (&'static str, fn(&SimulateReport) -> String);
    const FIGURES: &[Figure] = &[
        ("end", |run| run.end.how.name().to_owned()),
        ("simulated time", |run| format!("{:.3} ms", run.end.reached_ps as f64 / 1e9)),
        ("messages completed", |run| run.flows.completed.to_string()),
        ("messages unfinished", |run| run.flows.unfinished.to_string()),
        ("bytes delivered", |run| run.flows.bytes.to_string()),
        ("goodput", |run| format!("{:.3} Gb/s", run.flows.goodput_bps / 1e9)),
        ("packets sent again", |run| run.flows.repeated.to_string()),
        ("time-outs", |run| run.flows.timeouts.to_string()),
        ("marked packets", |run| run.queues.marked.to_string()),
        ("pauses", |run| run.queues.pauses.to_string()),
        ("longest queue", |run| {
            port(run.queues.most_queued.as_ref(), |port| {
                format!("{} bytes", port.most_queued_bytes)
            })
        }),
        ("longest stop of a port", |run| {
            port(run.queues.most_stopped.as_ref(), |port| {
                Span::from_ps(port.stopped_ps).to_string()
            })
        }),
        ("stops of all ports", |run| Span::from_ps(run.queues.stopped_ps).to_string()),
        ("packets dropped", |run| {
            run.drops.iter().map(|drop| drop.packets).sum::<u64>().to_string()
        }),
    ];
    Grid::new("figures").striped(true).num_columns(runs.len() + 1).show(ui, |ui| {
        ui.label("");
        for (name, _) in runs {
            ui.strong(*name);
        }
        ui.end_row();
        for (title, figure) in FIGURES {
            ui.label(*title);
            for (_, run) in runs {
                ui.label(figure(&run.report));
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
                let points: Vec<[f64; 2]> = points(&run.report);
                let line = Line::new(*name, PlotPoints::from(points));
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

/// What a report says of a port, and which one it is.
fn port(port: Option<&PortReport>, of: impl Fn(&PortReport) -> String) -> String {
    port.map_or_else(
        || "none".to_owned(),
        |port| format!("{} ({}, port {})", of(port), port.node, port.port),
    )
}

/// Time in milliseconds, and throughput in Gb/s, at the middle of each interval.
#[allow(clippy::cast_precision_loss, reason = "points of a plot")]
fn points(run: &SimulateReport) -> Vec<[f64; 2]> {
    let series = &run.throughput;
    let interval_ms = series.interval_ps as f64 / 1e9;
    let point = |(number, &bytes): (usize, &u64)| {
        // Bytes per millisecond times 8 bits, in units of a million bits per millisecond.
        [(number as f64 + 0.5) * interval_ms, bytes as f64 * 8.0 / interval_ms / 1e6]
    };
    series.bytes.iter().enumerate().map(point).collect()
}

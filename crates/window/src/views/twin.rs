//! Runs of the packet twin: a scenario, its progress, what came of it, and another run beside it.

use egui::{Grid, ScrollArea, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};
use lightloom::{SimulateReport, Simulated};

use super::emit::Emit;
use crate::command::Command;
use crate::state::State;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let running = state.answers.run.how_far().is_some();
    ui.horizontal_wrapped(|ui| {
        emit.button(ui, "Open a scenario", Command::OpenScenario);
        let Some(path) = &state.answers.scenario else { return };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ui.label(name).on_hover_text(path.display().to_string());
        ui.add_enabled_ui(!running, |ui| emit.button(ui, "Run", Command::Run));
        if state.answers.run.last().is_some() {
            emit.button(ui, "Keep this run to compare", Command::KeepRun);
        }
    });
    if state.answers.scenario.is_none() {
        super::emit::empty(ui, "Open a scenario, such as examples/glass.toml, and run it.");
        return;
    }
    if let Some(error) = state.answers.run.refused() {
        super::emit::refusal(ui, emit, error);
    }
    let runs: Vec<(&str, &SimulateReport)> = [
        ("kept", state.answers.kept.as_deref()),
        ("last", state.answers.run.last().map(AsRef::as_ref)),
    ]
    .into_iter()
    .filter_map(|(name, run)| match run? {
        Simulated::One(run) => Some((name, &run.report)),
        Simulated::Many(_) => None,
    })
    .collect();
    if runs.is_empty() {
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        figures(ui, &runs);
        series(ui, &runs, emit);
    });
}

/// The figures of runs, side by side.
fn figures(ui: &mut Ui, runs: &[(&str, &SimulateReport)]) {
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
                ui.label(figure(run));
            }
            ui.end_row();
        }
    });
}

/// Throughput over time.
fn series(ui: &mut Ui, runs: &[(&str, &SimulateReport)], emit: &Emit<'_>) {
    Plot::new("throughput")
        .height(260.0)
        .x_axis_label("time, ms")
        .y_axis_label("throughput, Gb/s")
        .legend(Legend::default())
        .allow_scroll(false)
        .show(ui, |plot| {
            for (number, (name, run)) in runs.iter().enumerate() {
                let points: Vec<[f64; 2]> = points(run);
                let line = Line::new(*name, PlotPoints::from(points));
                plot.line(line.color(emit.colours.series(number)).width(2.0));
            }
        });
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

//! Several runs of a scenario with different seeds: a row for each, and means with their intervals.

use egui::{Grid, ScrollArea, Ui};
use lightloom::twin::{IntervalReport, MessageIntervals, ReplicaReport, ReplicasReport};

use super::emit::{Emit, time};

/// The most rows of a list. The exported results have all.
const MOST: usize = 200;

pub fn show(ui: &mut Ui, report: &ReplicasReport, emit: &Emit<'_>) {
    ScrollArea::vertical().id_salt("runs").auto_shrink(false).show(ui, |ui| {
        for warning in &report.warnings {
            ui.colored_label(emit.colours.broken_text, format!("⚠ {warning}"));
        }
        over_runs(ui, report);
        if !report.multicasts.is_empty() {
            messages(ui, report);
        }
        replicas(ui, &report.replicas);
    });
}

/// Means over the runs, with half the width of their 95 % intervals.
fn over_runs(ui: &mut Ui, report: &ReplicasReport) {
    let rows = [
        ("mean completion, us", report.mean_completion_ps, 1e6),
        ("p99 completion, us", report.p99_completion_ps, 1e6),
        ("goodput of flows, Gb/s", report.goodput.flows, 1e9),
        ("goodput of groups, Gb/s", report.goodput.groups, 1e9),
        ("goodput of both, Gb/s", report.goodput.all, 1e9),
    ];
    table(ui, "over the runs", ["over the runs", "mean", "95 %, ±"], rows.len(), |ui, number| {
        let (name, interval, scale) = rows[number];
        ui.label(name);
        cells(ui, interval, scale);
    });
}

/// Messages to groups, over the runs.
fn messages(ui: &mut Ui, report: &ReplicasReport) {
    let titles =
        ["group", "from", "payload", "runs", "last, us", "±", "Gb/s", "±", "repeated", "±"];
    table(ui, "messages", titles, report.multicasts.len(), |ui, number| {
        let message: &MessageIntervals = &report.multicasts[number];
        ui.label(&message.group);
        ui.label(&message.from);
        ui.label(format!("{} bytes", message.bytes));
        ui.label(format!("{} of {}", message.completed, report.replicas.len()));
        cells(ui, message.last_ps, 1e6);
        cells(ui, message.goodput_bps, 1e9);
        cells(ui, message.repeated, 1.0);
    });
}

/// A row for each run.
fn replicas(ui: &mut Ui, replicas: &[ReplicaReport]) {
    let titles = ["seed", "ended", "flows", "mean", "p99", "to groups", "goodput, Gb/s", "dropped"];
    table(ui, "replicas", titles, replicas.len(), |ui, number| {
        let ReplicaReport { seed, end, flows, goodput, to_groups, dropped, .. } = &replicas[number];
        ui.label(seed.to_string());
        ui.label(end.how.name());
        let all = flows.completed + flows.unfinished;
        ui.label(known((all > 0).then(|| format!("{} of {all}", flows.completed))));
        ui.label(known(flows.completion.map(|times| time(times.mean_ps))));
        ui.label(known(flows.completion.map(|times| time(times.p99_ps))));
        let to_groups = to_groups.map(|all| (all.completed, all.completed + all.unfinished));
        ui.label(known(to_groups.map(|(completed, all)| format!("{completed} of {all}"))));
        ui.label(known(goodput.all.map(|moved| format!("{:.3}", moved.goodput_bps / 1e9))));
        ui.label(dropped.to_string());
    });
}

/// A table with this many rows, of which the first ones are drawn.
fn table<const N: usize>(
    ui: &mut Ui,
    name: &str,
    titles: [&str; N],
    rows: usize,
    mut row: impl FnMut(&mut Ui, usize),
) {
    ui.add_space(6.0);
    Grid::new(name).striped(true).num_columns(N).show(ui, |ui| {
        for title in titles {
            ui.strong(title);
        }
        ui.end_row();
        for number in 0..rows.min(MOST) {
            row(ui, number);
            ui.end_row();
        }
    });
    if rows > MOST {
        ui.weak(format!("… and {} more", rows - MOST));
    }
}

/// A figure that not every run has.
fn known(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "none".to_owned())
}

/// A mean, and half the width of its 95 % interval.
fn cells(ui: &mut Ui, interval: Option<IntervalReport>, scale: f64) {
    let show = |value: f64| format!("{:.3}", value / scale);
    ui.label(known(interval.map(|interval| show(interval.mean))));
    ui.label(known(interval.and_then(|interval| interval.half_width_95).map(show)));
}

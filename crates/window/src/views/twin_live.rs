//! A run that is at work: what it has done so far, and how to hold it.

use egui::Ui;
use egui_plot::{Line, Plot, PlotPoints};
use lightloom::twin::SoFarReport;
use lightloom::units::Instant;

use super::emit::Emit;
use super::twin_times::read;
use crate::command::Command;
use crate::state::State;
use crate::twin::Twin;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let (live, samples) = (&state.answers.live, state.answers.live.samples());
    let is_held = live.is_held();
    let last = samples.last();
    ui.horizontal_wrapped(|ui| {
        let stop = Command::Stop(crate::panel::Panel::Twin);
        if live.is_several() {
            return emit.button(ui, "Stop the runs", stop);
        }
        if is_held {
            emit.button(ui, "Go on", Command::Twin(Twin::GoOn));
        } else {
            emit.button(ui, "Pause the run", Command::Twin(Twin::Hold));
        }
        emit.button(ui, "Stop the run", stop);
        let now = last.map_or(Instant::ZERO, |last| Instant::from_ps(last.at_ps));
        ui.label("run until");
        if let Some(at) = read(ui, "Run until a time", now) {
            emit.emit(Command::Twin(Twin::HoldAt(at)));
        }
        if is_held {
            ui.strong(format!("The run waits at {now}."));
        }
    });
    let Some(last) = last else { return };
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("{} bytes delivered", last.delivered_bytes));
        ui.separator();
        ui.label(format!("{} messages completed", last.completed));
        ui.separator();
        ui.label(format!("{} bytes wait in switches", last.queued_bytes));
        if let Some(longest) = &last.longest {
            let (node, port, bytes) = (&longest.node, longest.port, longest.bytes);
            ui.separator();
            ui.label(format!("longest queue: {bytes} bytes at {node}, port {port}"));
        }
    });
    plot(ui, &samples, emit);
}

/// Throughput and queues between samples.
#[allow(clippy::cast_precision_loss, reason = "points of a plot")]
fn plot(ui: &mut Ui, samples: &[SoFarReport], emit: &Emit<'_>) {
    let queued: Vec<[f64; 2]> =
        samples.iter().map(|sample| [ms(sample), sample.queued_bytes as f64 / 1e6]).collect();
    let lines = [("throughput, Gb/s", throughput(samples)), ("waiting, MB", queued)];
    for (number, (name, points)) in lines.into_iter().enumerate() {
        let line = Line::new(name, PlotPoints::from(points));
        Plot::new(("live", number))
            .height(110.0)
            .x_axis_label("time, ms")
            .y_axis_label(name)
            .allow_scroll(false)
            .show(ui, |plot| plot.line(line.color(emit.colours.series(number)).width(2.0)));
    }
}

/// Time in milliseconds, and throughput in Gb/s since the look before.
#[allow(clippy::cast_precision_loss, reason = "points of a plot")]
pub fn throughput(samples: &[SoFarReport]) -> Vec<[f64; 2]> {
    let later = samples.windows(2).filter(|pair| pair[1].at_ps > pair[0].at_ps);
    later
        .map(|pair| {
            let bytes = pair[1].delivered_bytes.saturating_sub(pair[0].delivered_bytes);
            // Bits per picosecond are terabits per second.
            [ms(&pair[1]), bytes as f64 * 8e3 / (pair[1].at_ps - pair[0].at_ps) as f64]
        })
        .collect()
}

#[allow(clippy::cast_precision_loss, reason = "points of a plot")]
fn ms(sample: &SoFarReport) -> f64 {
    sample.at_ps as f64 / 1e9
}

//! All designs for the ToRs of the design: a plot and a table, where a click makes a design the design.

use egui::Ui;
use egui_plot::{Plot, PlotPoints, Points};
use lightloom::DesignReport;

use super::emit::{Emit, answered, known, money};
use super::table::{Head, table};
use crate::command::Command;
use crate::panel::Panel;
use crate::state::State;

const COLUMNS: &[Head<DesignReport>] = &[
    Head { title: "family", text: |row| row.family.name().to_owned(), value: None },
    Head { title: "p", text: |row| row.p.to_string(), value: Some(|row| row.p.into()) },
    Head { title: "k", text: |row| row.k.map_or(String::new(), |k| k.to_string()), value: None },
    Head { title: "splitters", text: |row| row.housing.name().to_owned(), value: None },
    Head {
        title: "hops",
        text: |row| row.max_hops.to_string(),
        value: Some(|row| row.max_hops.into()),
    },
    Head {
        title: "ports a ToR",
        text: |row| row.ports_per_tor.to_string(),
        value: Some(|row| row.ports_per_tor as f64),
    },
    Head {
        title: "fibre, m",
        text: |row| format!("{:.0}", row.fibre_m),
        value: Some(|row| row.fibre_m),
    },
    Head {
        title: "power, W",
        text: |row| known(row.power_w, 0),
        value: Some(|row| row.power_w.unwrap_or(f64::NAN)),
    },
    Head {
        title: "cost",
        text: |row| money(row.cost_usd, row.cost.as_ref()),
        value: Some(|row| row.cost_usd.unwrap_or(f64::NAN)),
    },
    Head {
        title: "margin, dB",
        text: |row| known(row.worst_margin_db, 2),
        value: Some(|row| row.worst_margin_db.unwrap_or(f64::NAN)),
    },
];

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    emit.button(ui, "Search all designs", Command::Explore);
    let sentence = "Search for all designs with these ToRs. A click makes one of them the design.";
    let Some(report) = answered(ui, emit, &state.answers.explored, sentence) else { return };
    ui.label(format!(
        "{} designs that no other beats, {} rejected, at {} ({})",
        report.designs.len(),
        report.rejected.len(),
        report.rate,
        report.case.name(),
    ));
    // With large texts there is little room for both.
    let most = 0.5 * ui.available_width();
    egui::Panel::right("front").default_size(320.0).max_size(most).show(ui, |ui| {
        if let Some(number) = front(ui, &report.designs, emit) {
            emit.emit(Command::TakeDesign(number));
        }
    });
    if let Some(number) = table(
        ui,
        Panel::Explore,
        COLUMNS,
        (&report.designs, state.answers.explored.number()),
        state,
        emit,
    ) {
        emit.emit(Command::TakeDesign(number));
    }
}

/// Cost over hops. Returns the number of the design that was clicked.
fn front(ui: &mut Ui, designs: &[DesignReport], emit: &Emit<'_>) -> Option<usize> {
    let known: Vec<(usize, [f64; 2])> = designs
        .iter()
        .enumerate()
        .filter_map(|(number, design)| Some((number, [design.max_hops.into(), design.cost_usd?])))
        .collect();
    let points: Vec<_> = known.iter().map(|(_, point)| *point).collect();
    let shown =
        Points::new("designs", PlotPoints::from(points)).radius(6.0).color(emit.colours.selected);
    let plot = Plot::new("front")
        .x_axis_label("hops")
        .y_axis_label("cost, USD")
        .allow_scroll(false)
        .show(ui, |plot| {
            plot.points(shown);
            plot.response().clicked().then(|| plot.pointer_coordinate()).flatten().map(|at| {
                let at = plot.screen_from_plot(at);
                let near = |point: &[f64; 2]| {
                    plot.screen_from_plot(egui_plot::PlotPoint::new(point[0], point[1]))
                        .distance(at)
                };
                known
                    .iter()
                    .map(|(number, point)| (near(point), *number))
                    .filter(|(distance, _)| *distance < 12.0)
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .map(|(_, number)| number)
            })
        });
    plot.inner.flatten()
}

//! The arithmetic of a fibre's light, element by element: bars that fall from the launch to the receiver.

use egui::Ui;
use egui_plot::{Bar, BarChart, Plot};
use lightloom::light::{BudgetReport, Case, ElementReport, TracedBranch};
use lightloom::shown::amounts::decimals;

use super::emit::Emit;
use crate::state::State;

/// Draws the selected fibre, or the worst one if none is selected.
pub fn selected_or_worst(ui: &mut Ui, state: &State, report: &BudgetReport, emit: &Emit<'_>) {
    if let Some(traced) = state.answers.traced_fibre(state.selection, state.looks.case) {
        ui.strong(title(traced));
        if let Some(mend) = traced.light.mend_text() {
            ui.label(mend);
        }
        // The table may still be of another case.
        let case = state.answers.trace.last().map_or(report.case, |trace| trace.case);
        return show(ui, case, &traced.elements, emit);
    }
    let Some(worst) = &report.worst else { return };
    ui.strong(format!("Worst fibre: ToR {} to ToR {}", worst.from_tor, worst.to_tor));
    show(ui, report.case, &worst.elements, emit);
}

/// The ends of a branch, with its margin.
pub fn title(traced: &TracedBranch) -> String {
    let light = &traced.light;
    format!(
        "ToR {} to ToR {}: loss {:.2} dB, margin {} dB, {}",
        light.from_tor,
        light.to_tor,
        light.loss_db,
        decimals(light.margin_db, 2),
        light.verdict.name()
    )
}

/// Draws the elements on the way of light.
pub fn show(ui: &mut Ui, case: Case, elements: &[ElementReport], emit: &Emit<'_>) {
    ui.weak(ElementReport::counted_text(case));
    let mut lost = 0.0;
    let mut bars = Vec::new();
    egui::Grid::new("elements").striped(true).num_columns(2).show(ui, |ui| {
        for (number, element) in elements.iter().enumerate() {
            let loss = element.counted_db(case);
            #[allow(clippy::cast_precision_loss, reason = "bars of a plot")]
            let bar = Bar::new(number as f64, -loss).base_offset(-lost).width(0.9);
            bars.push(bar.name(element.element.name()));
            lost += loss;
            ui.label(element.element.name());
            ui.label(format!("{:+.2} dB", -loss));
            ui.end_row();
        }
    });
    let chart = BarChart::new("light", bars).color(emit.colours.selected);
    Plot::new("waterfall")
        .height(160.0)
        .y_axis_label("dB below the launch")
        .allow_scroll(false)
        .show_x(false)
        .show_axes([false, true])
        .show(ui, |plot| plot.bar_chart(chart));
}

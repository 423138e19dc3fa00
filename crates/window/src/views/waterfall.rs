//! The arithmetic of a fibre's light, element by element: a falling line from the launch to the receiver.

use egui::Ui;
use egui_plot::{Line, Plot, PlotPoints};
use lightloom::{BudgetReport, Case, ElementReport, TracedBranch};

use super::emit::{Emit, known};
use crate::state::State;

/// Draws the selected fibre, or the worst one if none is selected.
pub fn selected_or_worst(ui: &mut Ui, state: &State, report: &BudgetReport, emit: &Emit<'_>) {
    if let Some(traced) = state.answers.traced_fibre(state.selection, state.looks.case) {
        ui.strong(title(traced));
        return show(ui, report.case, &traced.elements, emit);
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
        known(light.margin_db, 2),
        light.verdict.name()
    )
}

/// Draws the elements on the way of light.
pub fn show(ui: &mut Ui, case: Case, elements: &[ElementReport], emit: &Emit<'_>) {
    let mut lost = 0.0;
    let mut points = vec![[0.0, 0.0]];
    egui::Grid::new("elements").striped(true).num_columns(2).show(ui, |ui| {
        for (number, element) in elements.iter().enumerate() {
            // The other cases count with the largest losses.
            let loss = match case {
                Case::Typical => element.typical_db,
                Case::Worst | Case::MonteCarlo | Case::Best => element.most_db,
            };
            lost += loss;
            #[allow(clippy::cast_precision_loss, reason = "points of a plot")]
            let at = number as f64;
            points.extend([[at, -lost], [at + 1.0, -lost]]);
            ui.label(element.element.name());
            ui.label(format!("{:+.2} dB", -loss));
            ui.end_row();
        }
    });
    let line = Line::new("light", PlotPoints::from(points)).color(emit.colours.selected).width(2.0);
    Plot::new("waterfall")
        .height(160.0)
        .y_axis_label("dB below the launch")
        .allow_scroll(false)
        .show(ui, |plot| plot.line(line));
}

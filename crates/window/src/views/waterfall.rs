//! The arithmetic of a fibre's light, element by element: a falling line from the launch to the receiver.

use egui::Ui;
use egui_plot::{Line, Plot, PlotPoints};
use lightloom::{BudgetReport, Case};

use super::emit::Emit;
use crate::state::State;

/// Draws the worst branch, which is the one whose elements the answer lists.
pub fn show(ui: &mut Ui, _state: &State, report: &BudgetReport, emit: &Emit<'_>) {
    let Some(worst) = &report.worst else { return };
    ui.strong(format!("Worst fibre: ToR {} to ToR {}", worst.from_tor, worst.to_tor));
    let mut lost = 0.0;
    let mut points = vec![[0.0, 0.0]];
    egui::Grid::new("elements").striped(true).num_columns(2).show(ui, |ui| {
        for (number, element) in worst.elements.iter().enumerate() {
            // The other cases count with the largest losses.
            let loss = match report.case {
                Case::Typical => element.typical_db,
                Case::Worst | Case::MonteCarlo | Case::Best => element.most_db,
            };
            lost += loss;
            #[allow(clippy::cast_precision_loss, reason = "points of a plot")]
            let at = number as f64;
            points.extend([[at, -lost], [at + 1.0, -lost]]);
            ui.label(element.element.name());
            ui.label(format!("-{:.2} dB", loss));
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

//! The racks of ToRs: a search for the cheapest cords, with its progress as a curve.

use std::sync::Arc;

use egui::{Grid, TextEdit, Ui};
use egui_plot::{Line, Plot, PlotPoints};
use lightloom::plan::PlaceReport;
use lightloom::{Error, to_json};

use crate::command::Command;
use crate::export::Export;
use crate::placing::PlacingField;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::asked::needs;
use crate::state::asks::{AnswerOf, Asks};
use crate::state::placing::USUAL_TIME;
use crate::views::axes;
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered};
use crate::words;

/// Most points of a curve that are drawn.
const POINTS: usize = 2_000;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        match &of.asked.placed {
            Some(placed) => to_json(&placed.report),
            None => Err(needs("search the racks of this design first")),
        }
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        fields(ui, state, emit);
        let placing = &state.placing;
        if let Some(error) = &placing.refused {
            let text = format!("✖ {}", words::text_of_input(error));
            ui.colored_label(emit.colours.broken_text, text);
        }
        if placing.placed.how_far().is_some() {
            ui.label("The search goes on. Stop ends it with the racks that it has found.");
            return curve(ui, &placing.curve.so_far(), "least cost so far", emit);
        }
        let sentence = "Search the racks of all ToRs for the cheapest cords.";
        let Some(placed) = answered(ui, emit, &placing.placed, sentence) else { return };
        figures(ui, &placed.report);
        curve(ui, &placed.report.curve, &placed.report.objective.title(), emit);
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.placing.placed.how_far()
    }

    fn has_stop(&self) -> bool {
        true
    }

    fn is_stale(&self, state: &State) -> bool {
        let of = state.placing.placed.last_key().map(|(of, ..)| of);
        of.is_some_and(|of| !state.is_current(of))
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.placing.placed.refused_of(|(of, ..)| state.is_shown(of))]
    }
}

/// What is asked.
fn fields(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    ui.horizontal_wrapped(|ui| {
        for field in PlacingField::ALL {
            let (hint, width) = match field {
                PlacingField::Time => (USUAL_TIME, 50.0),
                PlacingField::Seed => ("0", 40.0),
                PlacingField::Fixed => ("R7, R8", 90.0),
                PlacingField::Forbidden => ("R9, R10", 90.0),
                PlacingField::Groups => ("groups.csv", 110.0),
            };
            let label = ui.label(field.name()).id;
            let mut typed = state.placing.get(field).to_owned();
            let edit = TextEdit::singleline(&mut typed).hint_text(hint).desired_width(width);
            if ui.add(edit).labelled_by(label).changed() {
                emit.emit(Command::PlacingField(field, typed));
            }
        }
        emit.button(ui, "Search racks", Command::SearchRacks);
        if let Some(placed) = state.current_placed() {
            if !placed.keeps_plan() {
                emit.button(ui, "Use these racks…", Command::Export(Export::UsedPlacement));
            }
            emit.button(ui, "Export the plan with them…", Command::Export(Export::Placed));
        }
    });
}

/// What was found, beside what was there.
fn figures(ui: &mut Ui, report: &PlaceReport) {
    ui.label(report.line());
    Grid::new("placement figures").striped(true).num_columns(4).show(ui, |ui| {
        for title in PlaceReport::TITLES {
            ui.strong(title);
        }
        ui.end_row();
        for row in report.rows() {
            for cell in row.cells() {
                ui.label(cell);
            }
            ui.end_row();
        }
    });
    for note in report.notes() {
        ui.label(note);
    }
}

/// The least cost after each round.
fn curve(ui: &mut Ui, costs: &[i64], title: &str, emit: &Emit<'_>) {
    let every = costs.len().div_ceil(POINTS).max(1);
    let last = costs.len().saturating_sub(1);
    let shown = (0..costs.len()).filter(|round| round % every == 0 || *round == last);
    #[allow(clippy::cast_precision_loss, reason = "points of a plot")]
    let points: Vec<[f64; 2]> =
        shown.map(|round| [(round + 1) as f64, costs[round] as f64 / 1e6]).collect();
    let line = Line::new(title, PlotPoints::from(points)).color(emit.colours.selected).width(2.0);
    axes::with_round_y(axes::with_x(Plot::new("placement curve"), "rounds", 1.0))
        .y_axis_label(title)
        .allow_scroll(false)
        .show(ui, |plot| plot.line(line));
}

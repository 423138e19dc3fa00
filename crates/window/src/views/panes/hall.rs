//! The hall from above: racks, trays with their colours, and the way of the selected fibres.

use std::sync::Arc;

use egui::{Id, Sense, Stroke, Ui};
use lightloom::TorId;
use lightloom::{Error, plan, to_json};

use crate::command::{Command, Selection};
use crate::draw::camera::Camera;
use crate::draw::still;
use crate::layers::Layer;
use crate::panel::Panel;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered};
use crate::views::hall_colours::{Scale, legend};
use crate::views::hall_drawing::{HallDrawing, bounds, place_of};
use crate::views::{fibre_side, layers};

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        let Sight { of, work, selection, looks } = sight;
        answers.ask_hall(of, *selection);
        answers.ask_spread(of, work, *selection);
        answers.ask_over(of, looks.case);
        answers.ask_trace(of, *selection, looks.case);
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&plan::floor(of.project))
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        let sentence = "The hall appears here when the design can be opened.";
        let Some(floor) = answered(ui, emit, &state.answers.floor, sentence) else { return };
        let scale = Scale::new(state, floor);
        ui.horizontal_wrapped(|ui| {
            emit.button(ui, "Fit", Command::Fit(Panel::Hall));
            layers::menu(ui, state, emit);
            layers::groups(ui, Panel::Hall, state, emit);
            ui.separator();
            legend(ui, &scale, emit);
        });
        fibre_side::show(ui, state, emit);
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        let response = response.accessible_name("Drawing of the hall");
        let screen = response.rect;
        painter.rect_filled(screen, 0.0, emit.colours.ground);
        let kept = state.looks.cameras.get(&Panel::Hall).copied();
        let mut camera = kept.unwrap_or_else(|| Camera::fit(bounds(&floor.report), screen));
        if let Some(moved) = camera.moved(ui, &response) {
            camera = moved;
            emit.emit(Command::Look(Panel::Hall, camera));
        }
        let selected = state.selection.source();
        let rack_of = |tor: TorId| floor.report.racks.iter().find(|rack| rack.tor == Some(tor.0));
        if state.looks.centre
            && let Some(rack) = selected.and_then(rack_of)
        {
            camera.centre = place_of(&floor.report, rack);
            emit.emit(Command::Look(Panel::Hall, camera));
        }
        let drawing = HallDrawing { floor, camera, screen, painter: &painter };
        drawing.rooms(state, emit);
        drawing.racks(state, emit);
        let strength = |layer| state.looks.layers.strength(layer);
        let mut lines = Vec::new();
        if strength(Layer::Trays) > 0.0 {
            lines = drawing.stretches(&floor.stretches, |at| {
                Stroke::new(3.0, scale.colour(at, emit).gamma_multiply(strength(Layer::Trays)))
            });
        }
        let way = state.answers.way_of(state.selection);
        if let Some(way) = way.filter(|_| strength(Layer::Tree) > 0.0) {
            let colour = emit.colours.selected.gamma_multiply(strength(Layer::Tree));
            // The line around it sets it off against the colours of trays.
            lines.extend(drawing.stretches(way, |_| Stroke::new(8.0, emit.colours.ground)));
            lines.extend(drawing.stretches(way, |_| Stroke::new(4.0, colour)));
        }
        still::paint(&painter, Id::unique("trays of the hall"), lines);
        drawing.names(state, emit);
        if response.clicked() {
            response.request_focus();
            let point = response.interact_pointer_pos();
            emit.emit(match point.and_then(|point| drawing.mark_at(state, point)) {
                Some(group) => Command::Expand(group),
                None => {
                    let rack = point.and_then(|point| drawing.rack_at(point));
                    let tor = rack.and_then(|rack| rack.tor);
                    let nothing = Selection::Nothing;
                    Command::Select(tor.map_or(nothing, |tor| Selection::Tor(TorId(tor))))
                }
            });
        }
        if let Some(text) =
            response.hover_pos().and_then(|point| drawing.text(state, &scale, point))
        {
            response.clone().on_hover_text_at_pointer(text);
        }
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        let answers = &state.answers;
        let way = answers.way.how_far().or(answers.trace.how_far());
        answers.floor.how_far().or(answers.over.how_far()).or(way)
    }

    fn is_stale(&self, state: &State) -> bool {
        let answers = &state.answers;
        let drawn = answers.floor.is_stale() || answers.way.is_stale() || answers.over.is_stale();
        drawn || answers.spread.is_stale()
    }

    fn is_at_work(&self, state: &State) -> bool {
        self.how_far(state).is_some() || state.answers.spread.how_far().is_some()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        let (answers, selection) = (&state.answers, state.selection);
        vec![
            answers.floor.refused_of(|of| state.is_shown(of)),
            answers.way.refused_of(|(of, way)| state.is_shown(of) && *way == selection),
            answers.over.refused_of(|(of, case)| state.is_shown(of) && *case == state.looks.case),
        ]
    }
}

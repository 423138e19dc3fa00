//! The fabric: its ToRs and cassettes, the tree of the selected source hop by hop, and what is broken.

use std::sync::Arc;

use egui::{Pos2, Rect, Response, Sense, Ui};
use lightloom::failures::SpreadReport;
use lightloom::{Error, to_json};

use super::failures;
use crate::command::{Command, FabricLayout, Selection};
use crate::draw::camera::Camera;
use crate::draw::fabric_places::FabricPlaces;
use crate::panel::Panel;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asking::standing;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::Emit;
use crate::views::fabric_drawing::{Drawing, place_of};
use crate::views::fabric_hover::Pointed;
use crate::views::{fabric_hover, fabric_layer, layers};

/// Width of a slider with its number and its name, in points.
const SLIDER: f32 = 210.0;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        answers.ask_fabric(&sight.of, sight.work, sight.selection, sight.looks);
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&standing(of.project, of.asked.around.as_ref())?.tree(of.asked.source()?)?)
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        tools(ui, state, emit);
        let Some(places) = state.answers.places.last() else {
            crate::views::emit::empty(ui, "The fabric appears here when the design can be opened.");
            return;
        };
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        let response = response.accessible_name("Drawing of the fabric");
        let screen = response.rect;
        painter.rect_filled(screen, 0.0, emit.colours.ground);
        let mut camera = camera(state, places, screen);
        if let Some(moved) = camera.moved(ui, &response) {
            camera = moved;
            emit.emit(Command::Look(Panel::Fabric, camera));
        }
        if state.looks.centre
            && let Some(at) = place_of(state.selection, places)
        {
            camera.centre = at;
            emit.emit(Command::Look(Panel::Fabric, camera));
        }
        let drawing = Drawing { places, camera, screen, painter: &painter };
        fabric_layer::show(ui, state, &drawing, emit);
        let spread = spread(state);
        if let Some(spread) = spread {
            drawing.tree(ui, state, spread, emit);
        }
        drawing.tors(state, spread, emit);
        drawing.selection(state, emit);
        pointed(ui, state, &drawing, &response, emit);
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        let answers = &state.answers;
        answers.spread.how_far().or(answers.places.how_far()).or(answers.over.how_far())
    }

    fn is_stale(&self, state: &State) -> bool {
        let answers = &state.answers;
        answers.places.is_stale() || answers.spread.is_stale()
    }

    fn is_at_work(&self, state: &State) -> bool {
        self.how_far(state).is_some() || state.answers.recover.how_far().is_some()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.answers.spread.refused_of(|(of, source, (broken, _))| {
            let is_selected = state.selection.source() == Some(*source);
            state.is_shown(of) && is_selected && *broken == state.work.now().broken
        })]
    }
}

/// Buttons above the drawing.
fn tools(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let look = &state.looks.fabric;
    ui.horizontal_wrapped(|ui| {
        let is_shufflecast =
            state.project().is_some_and(|project| project.design().fabric.shape().is_some());
        if is_shufflecast {
            for (layout, name) in
                [(FabricLayout::Columns, "Columns"), (FabricLayout::Cassettes, "Cassettes")]
            {
                if ui.selectable_label(look.layout == layout, name).clicked() {
                    emit.emit(Command::LayOut(layout));
                }
            }
            ui.separator();
        }
        emit.button(ui, "Fit", Command::Fit(Panel::Fabric));
        layers::menu(ui, state, emit);
        layers::groups(ui, Panel::Fabric, state, emit);
        let is_small = state.answers.places.last().is_some_and(|places| places.is_small());
        let mut all = look.all_fibres.unwrap_or(is_small);
        if ui.checkbox(&mut all, "All fibres").changed() {
            emit.emit(Command::AllFibres(all));
        }
        let Some(spread) = spread(state) else {
            match (state.answers.spread.refused(), state.selection.source()) {
                (Some(error), Some(_)) => crate::views::emit::refusal(ui, emit, error),
                (None, Some(_)) => {}
                (_, None) => drop(ui.weak("Click a ToR to see the tree of its packets.")),
            }
            return;
        };
        ui.separator();
        let name = if look.animated { "⏸ Pause" } else { "▶ Play" };
        emit.button(ui, name, Command::Animate(!look.animated));
        let last = spread.copies.values().map(|(hops, _)| *hops).max().unwrap_or(0);
        let mut hop = look.hop.unwrap_or(last);
        // A slider does not go to the next line by itself.
        if ui.available_size_before_wrap().x < SLIDER {
            ui.end_row();
        }
        let slider = egui::Slider::new(&mut hop, 0..=last).text("hops");
        if ui.add(slider).accessible_name("Hops of the tree").changed() {
            emit.emit(Command::Hop(Some(hop).filter(|hop| *hop < last)));
        }
        let missed = spread.missed.len();
        let reached = spread.copies.len();
        let text = format!("source {}: {reached} ToRs reached", spread.source);
        ui.label(text);
        if missed > 0 {
            ui.colored_label(emit.colours.broken_text, format!("{missed} cut off"));
        }
    });
}

/// The tree of the selected source, if it is that of the design on the screen.
fn spread(state: &State) -> Option<&Arc<SpreadReport>> {
    let source = state.selection.source()?;
    state.answers.tree(source)
}

fn camera(state: &State, places: &FabricPlaces, screen: Rect) -> Camera {
    let kept = state.looks.cameras.get(&Panel::Fabric).copied();
    kept.unwrap_or_else(|| Camera::fit(places.bounds, screen))
}

/// What the pointer does: select, expand, break, and say what something is.
fn pointed(
    ui: &Ui,
    state: &State,
    drawing: &Drawing<'_>,
    response: &Response,
    emit: &mut Emit<'_>,
) {
    let find = |at: Pos2| fabric_hover::pointed_at(state, drawing, at);
    if response.clicked() {
        response.request_focus();
        emit.emit(match response.interact_pointer_pos().map_or(Pointed::Nothing, find) {
            Pointed::Mark(group) => Command::Expand(group),
            Pointed::Thing(thing) => Command::Select(thing),
            Pointed::Nothing => Command::Select(Selection::Nothing),
        });
    }
    if let Some(text) = response.hover_pos().map(find).and_then(|it| fabric_hover::text(state, it))
    {
        response.clone().on_hover_text_at_pointer(text);
    }
    let menu_id = ui.make_persistent_id("fabric menu");
    if response.secondary_clicked() {
        let thing = match response.interact_pointer_pos().map(find) {
            Some(Pointed::Thing(thing)) => thing,
            _ => Selection::Nothing,
        };
        ui.data_mut(|data| data.insert_temp(menu_id, thing));
    }
    let thing: Selection = ui.data(|data| data.get_temp(menu_id)).unwrap_or_default();
    response.context_menu(|ui| {
        failures::break_menu(ui, thing, emit);
        fabric_hover::collapse_menu(ui, state, thing, emit);
    });
}

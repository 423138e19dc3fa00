//! The hall from above: racks, trays with their fill, and the way of the selected fibres.

use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};
use lightloom::{FloorReport, StretchArrays, TorId};

use super::emit::{Emit, answered};
use crate::command::{Command, HallColour, Selection};
use crate::draw::camera::Camera;
use crate::panel::Panel;
use crate::state::State;
use crate::state::answers::Floor;

/// Width of a drawn rack along its row, and its depth, in metres.
const RACK: (f32, f32) = (0.5, 1.0);

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let sentence = "The hall appears here when the design can be opened.";
    let Some(floor) = answered(ui, emit, &state.answers.floor, sentence) else { return };
    let most = tools(ui, state, floor, emit);
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
    let place = |rack: &lightloom::FloorRack| place_of(&floor.report, rack);
    if state.looks.centre
        && let Some(rack) = selected.and_then(rack_of)
    {
        camera.centre = place(rack);
        emit.emit(Command::Look(Panel::Hall, camera));
    }
    let at = |point: Pos2| camera.to_screen(screen, point);
    let draw = |stretches: &StretchArrays, stroke: &dyn Fn(usize) -> Stroke| {
        for index in 0..stretches.fibres.len() {
            let ends = ends_of(stretches, index).map(at);
            if Rect::from_points(&ends).expand(4.0).intersects(screen) {
                painter.line_segment(ends, stroke(index));
            }
        }
    };
    let size = vec2(RACK.0, RACK.1) * camera.scale;
    let missed = missed(state);
    for rack in &floor.report.racks {
        let centre = at(place(rack));
        let shape = Rect::from_center_size(centre, size.max(vec2(1.5, 1.5)));
        if !shape.intersects(screen) {
            continue;
        }
        let tor = rack.tor.map(TorId);
        let colour = match tor {
            Some(tor) if Some(tor) == selected => emit.colours.selected,
            Some(tor) if missed.is_some_and(|missed| missed.binary_search(&tor).is_ok()) => {
                emit.colours.broken
            }
            Some(_) => emit.colours.thing,
            None => emit.colours.dim,
        };
        painter.rect_filled(shape, 1.0, colour);
        if size.x > 30.0 {
            let font = FontId::proportional(10.0);
            painter.text(
                shape.center_bottom(),
                Align2::CENTER_TOP,
                &rack.name,
                font,
                emit.colours.text,
            );
        }
    }
    let colour_by = state.looks.hall_colour;
    draw(&floor.stretches, &|index| {
        let share = value(&floor.stretches, colour_by, index) / most;
        Stroke::new(3.0, emit.colours.share(share))
    });
    if let Some(way) = way_of_selection(state) {
        draw(way, &|_| Stroke::new(3.0, emit.colours.selected));
    }
    for row in &floor.report.rows {
        let start = at(pos2(-1.0, metres(row.y_m)));
        if camera.scale > 6.0 && screen.contains(start) {
            let font = FontId::proportional(11.0);
            painter.text(start, Align2::RIGHT_CENTER, &row.name, font, emit.colours.text);
        }
    }
    let near = |point: Pos2| {
        let point = camera.to_drawing(screen, point);
        let racks = floor.report.racks.iter();
        racks
            .min_by(|a, b| place(a).distance_sq(point).total_cmp(&place(b).distance_sq(point)))
            .filter(|rack| place(rack).distance(point) < 1.2)
    };
    if response.clicked() {
        response.request_focus();
        let rack = response.interact_pointer_pos().and_then(near);
        let tor = rack.and_then(|rack| rack.tor);
        emit.emit(Command::Select(
            tor.map_or(Selection::Nothing, |tor| Selection::Tor(TorId(tor))),
        ));
    }
    if let Some(rack) = response.hover_pos().and_then(near) {
        let what = rack.tor.map_or("no ToR".to_owned(), |tor| format!("ToR {tor}"));
        response.clone().on_hover_text_at_pointer(format!("{}: {what}", rack.name));
    }
}

/// Buttons and the legend. Returns the value of the strongest colour.
fn tools(ui: &mut Ui, state: &State, floor: &Floor, emit: &mut Emit<'_>) -> f64 {
    let by = state.looks.hall_colour;
    let count = floor.stretches.fibres.len();
    let most = (0..count).map(|index| value(&floor.stretches, by, index)).fold(0.0, f64::max);
    ui.horizontal_wrapped(|ui| {
        emit.button(ui, "Fit", Command::Fit(Panel::Hall));
        ui.separator();
        for (colour, name) in [(HallColour::Fill, "Fill"), (HallColour::Fibres, "Fibres")] {
            if ui.selectable_label(by == colour, name).clicked() {
                emit.emit(Command::ColourBy(colour));
            }
        }
        ui.separator();
        let unit = match by {
            HallColour::Fill => " %",
            HallColour::Fibres => "",
        };
        ui.label(format!("trays: 0{unit}"));
        let (bar, painter) = ui.allocate_painter(vec2(120.0, 12.0), Sense::hover());
        const STEPS: u8 = 24;
        let width = bar.rect.width() / f32::from(STEPS);
        for step in 0..STEPS {
            let left = bar.rect.left() + width * f32::from(step);
            let part = Rect::from_min_size(pos2(left, bar.rect.top()), vec2(width + 0.5, 12.0));
            painter.rect_filled(part, 0.0, emit.colours.share(f64::from(step) / f64::from(STEPS)));
        }
        ui.label(match by {
            HallColour::Fill => format!("{most:.1} %"),
            HallColour::Fibres => format!("{most:.0}"),
        });
    });
    most.max(1e-9)
}

fn value(stretches: &StretchArrays, by: HallColour, index: usize) -> f64 {
    match by {
        HallColour::Fill => stretches.fill_percent[index],
        HallColour::Fibres => stretches.fibres[index].into(),
    }
}

/// The way of the selected source's fibres, if it is there.
fn way_of_selection(state: &State) -> Option<&StretchArrays> {
    state.answers.way_of(state.selection).map(AsRef::as_ref)
}

/// The ToRs that the selected source does not reach.
fn missed(state: &State) -> Option<&[TorId]> {
    let source = state.selection.source()?;
    Some(&state.answers.tree(source)?.missed)
}

fn bounds(floor: &FloorReport) -> Rect {
    let places = floor.racks.iter().map(|rack| place_of(floor, rack));
    places.fold(Rect::NOTHING, |all, place| all.union(Rect::from_pos(place))).expand(2.0)
}

/// The middle of a rack. Its tray runs over the middle of its row.
fn place_of(floor: &FloorReport, rack: &lightloom::FloorRack) -> Pos2 {
    let y = floor.rows.get(rack.row as usize).map_or(0.0, |row| row.y_m);
    pos2(metres(rack.x_m), metres(y))
}

fn ends_of(stretches: &StretchArrays, index: usize) -> [Pos2; 2] {
    [
        pos2(metres(stretches.from_x_m[index]), metres(stretches.from_y_m[index])),
        pos2(metres(stretches.to_x_m[index]), metres(stretches.to_y_m[index])),
    ]
}

#[allow(clippy::cast_possible_truncation, reason = "places of a drawing")]
fn metres(value: f64) -> f32 {
    value as f32
}

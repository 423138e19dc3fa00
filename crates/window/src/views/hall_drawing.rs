//! What is drawn of the hall: racks, trays and names; and what is at a point of it.

use egui::{Align2, FontId, Id, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};
use lightloom::TorId;
use lightloom::plan::{FloorRack, FloorReport, FloorRoom, StretchArrays};
use lightloom::shown::amounts::decimals;

use super::emit::Emit;
use super::fabric_hover::tor_text;
use super::hall_colours::Scale;
use super::layers::row_name;
use crate::draw::camera::Camera;
use crate::draw::still;
use crate::layers::{Group, Layer};
use crate::state::State;
use crate::state::answers::Floor;

/// Width of a drawn rack along its row, and its depth, in metres.
const RACK: (f32, f32) = (0.5, 1.0);
/// Distance on the screen within which a tray is meant, in points.
const NEAR: f32 = 5.0;

/// A drawing of the hall on the screen.
pub struct HallDrawing<'a> {
    pub floor: &'a Floor,
    pub camera: Camera,
    pub screen: Rect,
    pub painter: &'a Painter,
}

impl HallDrawing<'_> {
    fn at(&self, point: Pos2) -> Pos2 {
        self.camera.to_screen(self.screen, point)
    }

    /// Stretches of trays.
    pub fn stretches(
        &self,
        stretches: &StretchArrays,
        stroke: impl Fn(usize) -> Stroke,
    ) -> Vec<Shape> {
        let line = |index| {
            let ends = ends_of(stretches, index).map(|end| self.at(end));
            let is_seen = Rect::from_points(&ends).expand(4.0).intersects(self.screen);
            is_seen.then(|| Shape::line_segment(ends, stroke(index)))
        };
        (0..stretches.fibres.len()).filter_map(line).collect()
    }

    /// The racks, one by one or row by row.
    pub fn racks(&self, state: &State, emit: &Emit<'_>) {
        let layers = &state.looks.layers;
        let strength = layers.strength(Layer::Tors);
        let report = &self.floor.report;
        let size = vec2(RACK.0, RACK.1) * self.camera.scale;
        let selected = state.selection.source();
        let missed = missed(state).filter(|_| layers.has(Layer::CutOff));
        let collapsed = &state.looks.collapsed;
        if strength > 0.0 {
            self.rows_as_marks(state, emit);
        }
        let mut shapes = Vec::with_capacity(report.racks.len());
        let mut names = Vec::new();
        for rack in &report.racks {
            if !collapsed.is_empty() && collapsed.contains(&Group::Racks(rack.row)) {
                continue;
            }
            let centre = self.at(place_of(report, rack));
            let shape = Rect::from_center_size(centre, size.max(vec2(1.5, 1.5)));
            if !shape.intersects(self.screen) {
                continue;
            }
            let tor = rack.tor.map(TorId);
            let is_missed = tor
                .is_some_and(|tor| missed.is_some_and(|missed| missed.binary_search(&tor).is_ok()));
            let colour = match tor {
                Some(tor) if Some(tor) == selected => emit.colours.selected,
                _ if is_missed => {
                    emit.colours.broken.gamma_multiply(layers.strength(Layer::CutOff))
                }
                Some(_) => emit.colours.thing.gamma_multiply(strength),
                None if rack.role.is_frame() => emit.colours.frame.gamma_multiply(strength),
                None => emit.colours.dim.gamma_multiply(strength),
            };
            shapes.push(Shape::rect_filled(shape, 1.0, colour));
            if is_missed {
                // A shape of its own: colour alone is not seen by everybody.
                let stroke = Stroke::new(1.5, emit.colours.ground);
                let corners = [
                    [shape.left_top(), shape.right_bottom()],
                    [shape.left_bottom(), shape.right_top()],
                ];
                shapes.extend(corners.map(|ends| Shape::line_segment(ends, stroke)));
            }
            if size.x > 30.0 && layers.has(Layer::Names) {
                names.push((shape.center_bottom(), &rack.name));
            }
        }
        still::paint(self.painter, Id::unique("racks of the hall"), shapes);
        let colour = emit.colours.text.gamma_multiply(layers.strength(Layer::Names));
        for (below, name) in names {
            let font = FontId::proportional(10.0);
            self.painter.text(below, Align2::CENTER_TOP, name, font, colour);
        }
    }

    /// Collapsed rows, each a bar with the number of its racks.
    fn rows_as_marks(&self, state: &State, emit: &Emit<'_>) {
        let report = &self.floor.report;
        for (row, bar, racks) in self.marks(state) {
            self.painter.rect_filled(bar, 3.0, emit.colours.thing);
            let name = row_name(report, row).unwrap_or("?");
            let text = format!("row {name}: {racks} racks");
            let font = FontId::proportional(11.0);
            let above = bar.center_top();
            self.painter.text(above, Align2::CENTER_BOTTOM, text, font, emit.colours.text);
        }
    }

    /// The bars of collapsed rows on the screen: the row, its bar and the number of its racks.
    fn marks(&self, state: &State) -> Vec<(u32, Rect, usize)> {
        let report = &self.floor.report;
        let rows = state.looks.collapsed.iter().filter_map(|group| match group {
            Group::Racks(row) => Some(*row),
            Group::Column(_) | Group::Row(_) => None,
        });
        rows.filter_map(|row| {
            let racks = report.racks.iter().filter(|rack| rack.row == row);
            let places = racks.map(|rack| self.at(place_of(report, rack)));
            let (bar, count) = places.fold((Rect::NOTHING, 0), |(bar, count), place| {
                (bar.union(Rect::from_pos(place)), count + 1)
            });
            let height = (RACK.1 * self.camera.scale).max(14.0);
            let bar = bar.expand2(vec2(RACK.0 * self.camera.scale, height / 2.0));
            (count > 0).then_some((row, bar, count))
        })
        .collect()
    }

    /// The outlines of several rooms, with their names.
    pub fn rooms(&self, state: &State, emit: &Emit<'_>) {
        let names = state.looks.layers.strength(Layer::Names);
        let names = emit.colours.text.gamma_multiply(names);
        for room in &self.floor.report.rooms {
            let shape = outline(room);
            let shape = Rect::from_min_max(self.at(shape.min), self.at(shape.max));
            let stroke = Stroke::new(1.0, emit.colours.thing);
            self.painter.rect_stroke(shape, 0.0, stroke, egui::StrokeKind::Outside);
            let corner = shape.right_top() + vec2(4.0, 0.0);
            let font = FontId::proportional(13.0);
            self.painter.text(corner, Align2::LEFT_TOP, &room.name, font, names);
        }
    }

    /// Names of rows.
    pub fn names(&self, state: &State, emit: &Emit<'_>) {
        let layers = &state.looks.layers;
        if !layers.has(Layer::Names) {
            return;
        }
        let names = emit.colours.text.gamma_multiply(layers.strength(Layer::Names));
        for row in &self.floor.report.rows {
            let start = self.at(pos2(-1.0, metres(row.y_m)));
            if self.camera.scale > 6.0 && self.screen.contains(start) {
                let font = FontId::proportional(11.0);
                self.painter.text(start, Align2::RIGHT_CENTER, &row.name, font, names);
            }
        }
    }

    /// The collapsed row at a point of the screen.
    pub fn mark_at(&self, state: &State, point: Pos2) -> Option<Group> {
        let mut marks = self.marks(state).into_iter();
        marks.find(|(_, bar, _)| bar.contains(point)).map(|(row, ..)| Group::Racks(row))
    }

    /// The rack nearest to a point of the screen.
    pub fn rack_at(&self, point: Pos2) -> Option<&FloorRack> {
        let report = &self.floor.report;
        let point = self.camera.to_drawing(self.screen, point);
        let far = |rack: &FloorRack| place_of(report, rack).distance_sq(point);
        let nearest = report.racks.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        nearest.filter(|rack| far(rack) < 1.2 * 1.2)
    }

    /// What is at a point of the screen, in words: a rack, or a tray with what lies in it.
    pub fn text(&self, state: &State, scale: &Scale<'_>, point: Pos2) -> Option<String> {
        if let Some(group) = self.mark_at(state, point) {
            let name = group.name(|row| row_name(&self.floor.report, row));
            return Some(format!("{name}, collapsed\nclick to expand them"));
        }
        let tray = self.stretch_at(point);
        if let (None, Some(rack)) = (tray, self.rack_at(point)) {
            let project = state.project()?;
            let tor = rack.tor.map(TorId).filter(|tor| tor.index() < project.fabric().tors());
            let what = match tor {
                Some(tor) => tor_text(project, tor),
                None if rack.role.is_frame() => rack.role.name().to_owned(),
                None => "no ToR".to_owned(),
            };
            return Some(format!("{}\n{what}", rack.name));
        }
        tray.map(|at| self.tray_text(state, scale, at))
    }

    fn tray_text(&self, state: &State, scale: &Scale<'_>, at: usize) -> String {
        let stretches = &self.floor.stretches;
        let over = scale.over();
        let name = over.map_or("tray", |over| over.tray[at].as_str());
        let mut text = format!(
            "{name}\n{:.1} % of its cross-section is filled\n{} cables side by side",
            stretches.fill_percent[at], stretches.fibres[at]
        );
        if let Some(over) = over {
            text += &format!(
                "\nlongest fibre {:.2} m, least margin {} dB",
                over.longest_m[at],
                decimals(over.least_margin_db[at], 2)
            );
        }
        let traced = state.answers.traced_fibre(state.selection, state.looks.case);
        if let (Some(traced), Some(over)) = (traced, over) {
            let lies = |cable: &lightloom::light::CableHop| {
                cable.trays.iter().any(|part| part.tray == over.tray[at])
            };
            for hop in &traced.hops {
                if let lightloom::light::Hop::Cable(cable) = &hop.what
                    && lies(cable)
                {
                    text +=
                        &format!("\nthe selected {} {} is in it", cable.kind.name(), cable.label);
                }
            }
        }
        text
    }

    /// The stretch nearest to a point of the screen.
    fn stretch_at(&self, point: Pos2) -> Option<usize> {
        let stretches = &self.floor.stretches;
        let reach = NEAR / self.camera.scale;
        let point = self.camera.to_drawing(self.screen, point);
        let far = |at: usize| {
            let ends = ends_of(stretches, at);
            super::fabric_hover::distance(point, ends)
        };
        let all = 0..stretches.fibres.len();
        all.map(|at| (far(at), at))
            .filter(|(far, _)| *far <= reach)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, at)| at)
    }
}

/// The ToRs that the selected source does not reach.
fn missed(state: &State) -> Option<&[TorId]> {
    let source = state.selection.source()?;
    Some(&state.answers.tree(source)?.missed)
}

/// The extent of all racks and rooms.
pub fn bounds(floor: &FloorReport) -> Rect {
    let places = floor.racks.iter().map(|rack| Rect::from_pos(place_of(floor, rack)));
    let all = places.chain(floor.rooms.iter().map(outline));
    all.fold(Rect::NOTHING, |all, part| all.union(part)).expand(2.0)
}

/// The walls of a room.
fn outline(room: &FloorRoom) -> Rect {
    let (width, depth) = (metres(room.width_m), metres(room.depth_m));
    Rect::from_min_size(pos2(0.0, metres(room.y_m)), vec2(width, depth))
}

/// The middle of a rack. Its tray runs over the middle of its row.
pub fn place_of(floor: &FloorReport, rack: &FloorRack) -> Pos2 {
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

//! What is drawn of the fabric above its dense layer: the tree, ToRs, broken parts and the selection.

use std::sync::Arc;

use egui::{Align2, FontId, Id, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, vec2};
use lightloom::failures::SpreadReport;
use lightloom::{CassetteId, TorId};

use super::emit::Emit;
use crate::command::Selection;
use crate::draw::camera::Camera;
use crate::draw::cross::cross;
use crate::draw::fabric_places::FabricPlaces;
use crate::draw::still;
use crate::layers::Layer;
use crate::state::State;

/// Radius of a ToR, in units of the drawing.
const RADIUS: f32 = 0.3;
/// Largest radius of a ToR on the screen, in points. Names are beside it.
const LARGEST: f32 = 14.0;
/// Smallest radius on the screen at which a ToR is drawn one by one, in points.
const SEEN: f32 = 2.5;
/// Smallest radius on the screen at which a ToR has its number beside it, in points.
const READ: f32 = 7.0;
/// Side of a collapsed group on the screen, in points.
pub const MARK: f32 = 26.0;
/// Number of lines above which a tree is drawn with thin lines.
const MANY: usize = 300;
/// Seconds that a hop of the animation takes.
const HOP_TIME: f64 = 0.7;

/// A drawing of the fabric on the screen.
pub struct Drawing<'a> {
    pub places: &'a Arc<FabricPlaces>,
    pub camera: Camera,
    pub screen: Rect,
    pub painter: &'a Painter,
}

impl Drawing<'_> {
    /// The place of a point on the screen.
    pub fn at(&self, place: Pos2) -> Pos2 {
        self.camera.to_screen(self.screen, place)
    }

    fn line(&self, line: [Pos2; 2], stroke: Stroke) -> Option<Shape> {
        let ends = line.map(|place| self.at(place));
        let is_seen = Rect::from_points(&ends).expand(stroke.width).intersects(self.screen);
        is_seen.then(|| Shape::line_segment(ends, stroke))
    }

    /// Radius of a ToR on the screen, in points.
    pub fn radius(&self) -> f32 {
        (RADIUS * self.camera.scale).min(LARGEST)
    }

    /// The tree, hop by hop.
    pub fn tree(&self, ui: &Ui, state: &State, spread: &SpreadReport, emit: &mut Emit<'_>) {
        let last = spread.copies.values().map(|(hops, _)| *hops).max().unwrap_or(0);
        let upto = shown_hops(ui, state, last);
        // Many lines side by side would be one area.
        let many = spread.copies.len() > MANY;
        let (width, strength) = if many { (1.0, 0.35) } else { (1.6, 1.0) };
        let strength = strength * state.looks.layers.strength(Layer::Tree);
        if strength <= 0.0 {
            return;
        }
        let mut shapes = Vec::with_capacity(spread.copies.len());
        for (&to, &(hops, from)) in &spread.copies {
            if hops == 0 || f64::from(hops) > upto.ceil() {
                continue;
            }
            let stroke = Stroke::new(width, emit.colours.hop(hops).gamma_multiply(strength));
            // The last hop is under way.
            #[allow(clippy::cast_possible_truncation, reason = "a share of a line")]
            let part = (upto - f64::from(hops - 1)).min(1.0) as f32;
            let lines = self.places.branch(from, to);
            // What is left of the part, in lines.
            let mut left = part * if self.places.cassettes.is_empty() { 1.0 } else { 2.0 };
            for [start, end] in lines {
                let done = left.clamp(0.0, 1.0);
                left -= 1.0;
                if done > 0.0 {
                    shapes.extend(self.line([start, start + (end - start) * done], stroke));
                }
            }
        }
        still::paint(self.painter, Id::unique("tree of the fabric"), shapes);
    }

    /// The ToRs, one by one where they are large enough to be seen.
    pub fn tors(&self, state: &State, spread: Option<&Arc<SpreadReport>>, emit: &Emit<'_>) {
        let radius = self.radius();
        let places = self.places;
        let seen = self.screen.expand(radius);
        let source = spread.map(|spread| spread.source);
        let layers = &state.looks.layers;
        let strength = layers.strength(Layer::Tors);
        let names = emit.colours.text.gamma_multiply(layers.strength(Layer::Names));
        let colour = |tor: TorId| match spread {
            Some(_) if Some(tor) == source => emit.colours.selected,
            Some(spread) => match spread.copies.get(&tor) {
                Some((hops, _)) => emit.colours.hop(*hops),
                None => emit.colours.broken,
            },
            None => emit.colours.thing,
        };
        for (index, (&at, &again)) in places.tors.iter().zip(&places.receivers).enumerate() {
            let tor = TorId::at(index);
            let cut_off = spread.is_some_and(|spread| spread.missed.binary_search(&tor).is_ok())
                && layers.has(Layer::CutOff);
            let is_hidden = strength <= 0.0 || (radius < SEEN && Some(tor) != source);
            if places.marks.has(tor) || (is_hidden && !cut_off) {
                continue;
            }
            let radius = radius.max(SEEN);
            for (place, is_again) in [(at, false), (again, true)] {
                let centre = self.at(place);
                if (is_again && again == at) || !seen.contains(centre) {
                    continue;
                }
                if cut_off {
                    // A shape of its own: colour alone is not seen by everybody.
                    let faint = layers.strength(Layer::CutOff);
                    cross(self.painter, centre, radius, emit.colours.broken.gamma_multiply(faint));
                } else {
                    let colour = colour(tor).gamma_multiply(strength);
                    self.painter.circle_filled(centre, radius, colour);
                }
                if radius >= READ && layers.has(Layer::Names) {
                    let font = FontId::proportional(radius.min(12.0));
                    // The ring of the selection is around the dot.
                    let gap = if state.selection == Selection::Tor(tor) { 8.0 } else { 2.0 };
                    let beside = centre + vec2(radius + gap, 0.0);
                    let text = index.to_string();
                    self.painter.text(beside, Align2::LEFT_CENTER, text, font, names);
                }
            }
        }
        self.cassettes(state, emit);
        self.marks(state, spread, emit);
        self.broken(state, emit);
    }

    fn cassettes(&self, state: &State, emit: &Emit<'_>) {
        let layers = &state.looks.layers;
        if !layers.has(Layer::Tors) {
            return;
        }
        let (places, radius) = (self.places, self.radius());
        let colour = emit.colours.text.gamma_multiply(layers.strength(Layer::Tors));
        let seen = self.screen.expand(radius);
        for (index, &place) in places.cassettes.iter().enumerate() {
            let centre = self.at(place);
            if radius < SEEN || !seen.contains(centre) {
                continue;
            }
            let square = Rect::from_center_size(centre, vec2(2.0, 2.0) * radius);
            self.painter.rect_filled(square, 1.0, colour);
            if radius >= READ && layers.has(Layer::Names) {
                let font = FontId::proportional(10.0);
                let below = square.center_bottom();
                let text = format!("cassette {index}");
                let names = emit.colours.text.gamma_multiply(layers.strength(Layer::Names));
                self.painter.text(below, Align2::CENTER_TOP, text, font, names);
            }
        }
    }

    /// Collapsed groups, each a square with the number of its ToRs.
    fn marks(&self, state: &State, spread: Option<&Arc<SpreadReport>>, emit: &Emit<'_>) {
        if !state.looks.layers.has(Layer::Tors) {
            return;
        }
        let missed =
            |tor: &TorId| spread.is_some_and(|spread| spread.missed.binary_search(tor).is_ok());
        for mark in &self.places.marks.all {
            let cut_off = mark.tors.iter().filter(|tor| missed(tor)).count();
            let mut text = match mark.tors.len() {
                1 => "1 ToR".to_owned(),
                many => format!("{many} ToRs"),
            };
            if cut_off > 0 {
                text += &format!(", {cut_off} cut off");
            }
            let stroke = if cut_off > 0 { emit.colours.broken } else { emit.colours.text };
            for &place in &mark.places {
                let square = Rect::from_center_size(self.at(place), vec2(MARK, MARK));
                self.painter.rect_filled(square, 4.0, emit.colours.thing);
                self.painter.rect_stroke(square, 4.0, Stroke::new(2.0, stroke), StrokeKind::Inside);
                let below = square.center_bottom() + vec2(0.0, 2.0);
                let font = FontId::proportional(12.0);
                self.painter.text(below, Align2::CENTER_TOP, &text, font, emit.colours.text);
            }
        }
    }

    /// The broken parts.
    fn broken(&self, state: &State, emit: &Emit<'_>) {
        let strength = state.looks.layers.strength(Layer::Broken);
        if strength <= 0.0 {
            return;
        }
        let stroke = Stroke::new(2.5, emit.colours.broken.gamma_multiply(strength));
        for part in &state.work.now().broken {
            match Part::read(part) {
                Some(Part::Tor(tor)) => {
                    if let Some(&place) = self.places.tors.get(tor.index()) {
                        self.painter.circle_stroke(
                            self.at(place),
                            self.radius().max(5.0) + 2.0,
                            stroke,
                        );
                    }
                }
                Some(Part::Branch(from, to)) if self.places.has_branch(from, to) => {
                    for line in self.places.branch(from, to) {
                        let points = line.map(|place| self.at(place));
                        self.painter.extend(Shape::dashed_line(&points, stroke, 6.0, 4.0));
                    }
                }
                Some(Part::Cassette(cassette)) => self.broken_cassette(cassette, stroke),
                _ => {}
            }
        }
    }

    /// A cassette has a frame. Where cassettes have no places, the ToRs have one whose splitters it holds.
    fn broken_cassette(&self, cassette: CassetteId, stroke: Stroke) {
        let frame = |place: Pos2, side: f32| {
            let frame = Rect::from_center_size(self.at(place), Vec2::splat(side));
            self.painter.rect_stroke(frame, 2.0, stroke, StrokeKind::Outside);
        };
        if let Some(&place) = self.places.cassettes.get(cassette.index()) {
            return frame(place, (self.camera.scale * 0.5).clamp(8.0, 2.0 * LARGEST));
        }
        for (tor, &place) in self.places.tors.iter().enumerate() {
            if self.places.edges.get(tor).is_some_and(|&(_, into)| into == cassette) {
                frame(place, 2.0 * self.radius().max(5.0) + 4.0);
            }
        }
    }

    /// Marks the selection.
    pub fn selection(&self, state: &State, emit: &Emit<'_>) {
        let stroke = Stroke::new(2.0, emit.colours.selected);
        if let Some(place) = place_of(state.selection, self.places) {
            self.painter.circle_stroke(self.at(place), self.radius().max(4.0) + 4.0, stroke);
        }
        let of_port = match state.selection {
            Selection::Port(..) => state.answers.trace_of(state.selection, state.looks.case),
            _ => None,
        };
        let of_port = of_port.into_iter().flat_map(|trace| &trace.branches);
        let of_port = of_port.map(|traced| (traced.light.from_tor, traced.light.to_tor));
        let own = match state.selection {
            Selection::Fibre(from, to) => Some((from, to)),
            _ => None,
        };
        for (from, to) in own.into_iter().chain(of_port) {
            if self.places.has_branch(from, to) {
                for line in self.places.branch(from, to) {
                    self.painter.extend(self.line(line, Stroke::new(3.0, emit.colours.selected)));
                }
            }
        }
    }
}

/// A broken part of a drawing.
enum Part {
    Tor(TorId),
    Branch(TorId, TorId),
    Cassette(CassetteId),
}

impl Part {
    /// Reads the standard text of a failure.
    fn read(text: &str) -> Option<Self> {
        let (kind, part) = text.split_once(':')?;
        let tor = |text: &str| text.parse().ok().map(TorId);
        match kind {
            "branch" => {
                let (from, to) = part.split_once("->")?;
                Some(Self::Branch(tor(from)?, tor(to)?))
            }
            "rx" => tor(part.split_once('/')?.0).map(Self::Tor),
            "cassette" => Some(Self::Cassette(CassetteId(part.parse().ok()?))),
            _ => tor(part).map(Self::Tor),
        }
    }
}

/// Where the selection is drawn.
pub fn place_of(selection: Selection, places: &FabricPlaces) -> Option<Pos2> {
    match selection {
        Selection::Tor(tor) | Selection::Fibre(tor, _) | Selection::Port(tor, _) => {
            places.tors.get(tor.index()).copied()
        }
        Selection::Cassette(cassette) => places.cassettes.get(cassette.index()).copied(),
        Selection::Nothing => None,
    }
}

/// Hops of the tree that are shown at this time.
fn shown_hops(ui: &Ui, state: &State, last: u32) -> f64 {
    let look = &state.looks.fabric;
    // A picture has no time.
    if look.animated && !still::is_never_in(ui.ctx()) {
        ui.request_repaint_after(std::time::Duration::from_millis(16));
        // One hop more, so that the finished tree is seen for a while.
        let time = ui.input(|input| input.time);
        return (time / HOP_TIME) % f64::from(last + 1) + 0.01;
    }
    f64::from(look.hop.unwrap_or(last))
}

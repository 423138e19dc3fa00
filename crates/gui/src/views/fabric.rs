//! The fabric: its ToRs and cassettes, the tree of the selected source hop by hop, and what is broken.

use std::sync::Arc;

use egui::{
    Align2, FontId, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, TextureHandle, Ui, pos2,
    vec2,
};
use lightloom::{FabricSpec, SpreadReport, TorId};

use super::{Emit, Panel};
use crate::command::{Command, FabricLayout, Selection};
use crate::draw::camera::Camera;
use crate::draw::dense::{self, Dense, Picture};
use crate::draw::fabric_places::FabricPlaces;
use crate::slot::Slot;
use crate::state::State;

/// Radius of a ToR, in units of the drawing.
const RADIUS: f32 = 0.3;
/// Smallest radius on the screen at which a ToR is drawn one by one, in points.
const SEEN: f32 = 2.5;
/// Smallest radius on the screen at which a ToR has its number beside it, in points.
const READ: f32 = 7.0;
/// Seconds that a hop of the animation takes.
const HOP_TIME: f64 = 0.7;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    tools(ui, state, emit);
    let Some(places) = state.answers.places.last() else {
        super::empty(ui, "The fabric appears here when the design can be opened.");
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
    layer(ui, state, &drawing, emit);
    let spread = spread(state);
    if let Some(spread) = spread {
        drawing.tree(ui, state, spread, emit);
    }
    drawing.tors(state, spread, emit);
    drawing.selection(state, emit);
    pointed(ui, state, &drawing, &response, emit);
}

/// Buttons above the drawing.
fn tools(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let look = &state.looks.fabric;
    ui.horizontal_wrapped(|ui| {
        let is_shufflecast = state
            .project()
            .is_some_and(|project| matches!(project.design().fabric, FabricSpec::Shufflecast(_)));
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
        let is_small = state.answers.places.last().is_some_and(|places| places.is_small());
        let mut all = look.all_fibres.unwrap_or(is_small);
        if ui.checkbox(&mut all, "All fibres").changed() {
            emit.emit(Command::AllFibres(all));
        }
        let Some(spread) = spread(state) else {
            ui.weak("Click a ToR to see the tree of its packets.");
            return;
        };
        ui.separator();
        let name = if look.animated { "⏸ Pause" } else { "▶ Play" };
        emit.button(ui, name, Command::Animate(!look.animated));
        let last = spread.copies.values().map(|(hops, _)| *hops).max().unwrap_or(0);
        let mut hop = look.hop.unwrap_or(last);
        let slider = egui::Slider::new(&mut hop, 0..=last).text("hops");
        if ui.add(slider).accessible_name("Hops of the tree").changed() {
            emit.emit(Command::Hop(Some(hop).filter(|hop| *hop < last)));
        }
        let missed = spread.missed.len();
        let reached = spread.copies.len();
        let text = format!("source {}: {reached} ToRs reached", spread.source);
        ui.label(text);
        if missed > 0 {
            ui.colored_label(emit.colours.broken, format!("{missed} cut off"));
        }
    });
}

/// The tree of the selected source, if it is that of the design on the screen.
fn spread(state: &State) -> Option<&Arc<SpreadReport>> {
    let source = state.selection.source()?;
    state.answers.spread.last().filter(|spread| spread.source == source)
}

fn camera(state: &State, places: &FabricPlaces, screen: Rect) -> Camera {
    let kept = state.looks.cameras.get(&Panel::Fabric).copied();
    kept.unwrap_or_else(|| Camera::fit(places.bounds, screen))
}

fn place_of(selection: Selection, places: &FabricPlaces) -> Option<Pos2> {
    match selection {
        Selection::Tor(tor) | Selection::Fibre(tor, _) => places.tors.get(tor.index()).copied(),
        Selection::Cassette(cassette) => places.cassettes.get(cassette.index()).copied(),
        Selection::Nothing => None,
    }
}

struct Drawing<'a> {
    places: &'a Arc<FabricPlaces>,
    camera: Camera,
    screen: Rect,
    painter: &'a Painter,
}

impl Drawing<'_> {
    fn at(&self, place: Pos2) -> Pos2 {
        self.camera.to_screen(self.screen, place)
    }

    fn line(&self, line: [Pos2; 2], stroke: Stroke) {
        let ends = line.map(|place| self.at(place));
        if Rect::from_points(&ends).expand(stroke.width).intersects(self.screen) {
            self.painter.line_segment(ends, stroke);
        }
    }

    /// Radius of a ToR on the screen.
    fn radius(&self) -> f32 {
        (RADIUS * self.camera.scale).min(14.0)
    }

    /// The tree, hop by hop.
    fn tree(&self, ui: &Ui, state: &State, spread: &SpreadReport, emit: &mut Emit<'_>) {
        let last = spread.copies.values().map(|(hops, _)| *hops).max().unwrap_or(0);
        let upto = shown_hops(ui, state, last);
        let width = if spread.copies.len() > 2_000 { 1.0 } else { 1.6 };
        for (&to, &(hops, from)) in &spread.copies {
            if hops == 0 || f64::from(hops) > upto.ceil() {
                continue;
            }
            let stroke = Stroke::new(width, emit.colours.hop(hops));
            // The last hop is under way.
            #[allow(clippy::cast_possible_truncation, reason = "a share of a line")]
            let part = (upto - f64::from(hops - 1)).min(1.0) as f32;
            let lines = self.places.branch(from, to);
            let count = lines.len();
            for (number, [start, end]) in lines.into_iter().enumerate() {
                #[allow(clippy::cast_precision_loss, reason = "one or two lines")]
                let done = (part * count as f32 - number as f32).clamp(0.0, 1.0);
                if done > 0.0 {
                    self.line([start, start + (end - start) * done], stroke);
                }
            }
        }
    }

    /// The ToRs, one by one where they are large enough to be seen.
    fn tors(&self, state: &State, spread: Option<&Arc<SpreadReport>>, emit: &Emit<'_>) {
        let radius = self.radius();
        let places = self.places;
        let seen = self.screen.expand(radius);
        let source = spread.map(|spread| spread.source);
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
            let cut_off = spread.is_some_and(|spread| spread.missed.binary_search(&tor).is_ok());
            if radius < SEEN && !cut_off && Some(tor) != source {
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
                    self.cross(centre, radius, emit);
                } else {
                    self.painter.circle_filled(centre, radius, colour(tor));
                }
                if radius >= READ {
                    let font = FontId::proportional(radius.min(12.0));
                    let beside = centre + vec2(radius + 2.0, 0.0);
                    let text = index.to_string();
                    self.painter.text(beside, Align2::LEFT_CENTER, text, font, emit.colours.text);
                }
            }
        }
        for (index, &place) in places.cassettes.iter().enumerate() {
            let centre = self.at(place);
            if radius < SEEN || !seen.contains(centre) {
                continue;
            }
            let square = Rect::from_center_size(centre, vec2(2.0, 2.0) * radius);
            self.painter.rect_filled(square, 1.0, emit.colours.text);
            if radius >= READ {
                let font = FontId::proportional(10.0);
                let below = square.center_bottom();
                let text = format!("cassette {index}");
                self.painter.text(below, Align2::CENTER_TOP, text, font, emit.colours.text);
            }
        }
        self.broken(state, emit);
    }

    fn cross(&self, centre: Pos2, radius: f32, emit: &Emit<'_>) {
        let stroke = Stroke::new(2.0, emit.colours.broken);
        for by in [vec2(radius, radius), vec2(radius, -radius)] {
            self.painter.line_segment([centre - by, centre + by], stroke);
        }
    }

    /// The broken parts.
    fn broken(&self, state: &State, emit: &Emit<'_>) {
        let stroke = Stroke::new(2.5, emit.colours.broken);
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
                Some(Part::Branch(from, to)) if from.index() < self.places.tors.len() => {
                    for line in self.places.branch(from, to) {
                        let points = line.map(|place| self.at(place));
                        self.painter.extend(Shape::dashed_line(&points, stroke, 6.0, 4.0));
                    }
                }
                _ => {}
            }
        }
    }

    fn selection(&self, state: &State, emit: &Emit<'_>) {
        let stroke = Stroke::new(2.0, emit.colours.selected);
        if let Some(place) = place_of(state.selection, self.places) {
            self.painter.circle_stroke(self.at(place), self.radius().max(4.0) + 4.0, stroke);
        }
        if let Selection::Fibre(from, to) = state.selection
            && from.index().max(to.index()) < self.places.tors.len()
        {
            for line in self.places.branch(from, to) {
                self.line(line, Stroke::new(3.0, emit.colours.selected));
            }
        }
    }
}

/// A broken part of a drawing.
enum Part {
    Tor(TorId),
    Branch(TorId, TorId),
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
            "cassette" => None,
            _ => tor(part).map(Self::Tor),
        }
    }
}

/// Hops of the tree that are shown at this time.
fn shown_hops(ui: &Ui, state: &State, last: u32) -> f64 {
    let look = &state.looks.fabric;
    if look.animated {
        ui.request_repaint_after(std::time::Duration::from_millis(16));
        // One hop more, so that the finished tree is seen for a while.
        let time = ui.input(|input| input.time);
        return (time / HOP_TIME) % f64::from(last + 1) + 0.01;
    }
    f64::from(look.hop.unwrap_or(last))
}

/// What the dense layer shows.
#[derive(Clone, Copy, PartialEq)]
struct LayerKey {
    camera: Camera,
    screen: egui::Vec2,
    pixels_per_point: f32,
    fibres: bool,
    dark: bool,
    places: usize,
}

/// The dense layer: dots for all ToRs, and the fibres of all sources if they are wanted.
#[derive(Clone, Default)]
struct Layer {
    slot: Arc<egui::mutex::Mutex<Slot<LayerKey, Picture>>>,
    texture: Option<(LayerKey, TextureHandle, Rect)>,
}

fn layer(ui: &Ui, state: &State, drawing: &Drawing<'_>, emit: &Emit<'_>) {
    let wanted = LayerKey {
        camera: drawing.camera,
        screen: drawing.screen.size(),
        pixels_per_point: ui.pixels_per_point(),
        fibres: state.looks.fabric.all_fibres.unwrap_or(drawing.places.is_small()),
        dark: ui.visuals().dark_mode,
        places: Arc::as_ptr(drawing.places) as usize,
    };
    let id = egui::Id::unique("fabric layer");
    let mut layer: Layer = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let ctx = ui.ctx().clone();
    #[allow(clippy::cast_precision_loss, reason = "pixels")]
    let most = ui.input(|input| input.max_texture_side).min(8192) as f32;
    let dense = {
        let (places, colours) = (drawing.places.clone(), emit.colours);
        move || {
            let every = 0..places.tors.len();
            let lines = match wanted.fibres {
                true => every.flat_map(|tor| places.lines(TorId::at(tor))).collect(),
                false => Vec::new(),
            };
            let dots = places.tors.iter().chain(&places.receivers).copied().collect();
            Dense { lines, line: colours.dim, dots, dot: colours.thing, radius: RADIUS }
        }
    };
    {
        let mut slot = layer.slot.lock();
        slot.poll();
        // A picture that is on its way is waited for: while the drawing moves, the old one moves with it.
        if slot.how_far().is_none() {
            let wake: crate::slot::Wake = Arc::new(move || ctx.request_repaint());
            slot.ask(wanted, &wake, move |_| {
                Ok(dense::draw(
                    &dense(),
                    wanted.camera,
                    wanted.screen,
                    wanted.pixels_per_point,
                    most,
                ))
            });
        }
        let drawn = layer.texture.as_ref().map(|(key, ..)| *key);
        if let (Some(key), Some(picture)) = (slot.last_key().copied(), slot.last())
            && drawn != Some(key)
        {
            let options = egui::TextureOptions::LINEAR;
            let texture = ui.ctx().load_texture("fabric", picture.image.clone(), options);
            layer.texture = Some((key, texture, picture.bounds));
        }
    }
    if let Some((key, texture, bounds)) = &layer.texture
        && key.places == wanted.places
    {
        let place = Rect::from_min_max(drawing.at(bounds.min), drawing.at(bounds.max));
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        drawing.painter.image(texture.id(), place, whole, egui::Color32::WHITE);
    }
    ui.data_mut(|data| data.insert_temp(id, layer));
}

/// What the pointer does: select, break, and say what something is.
fn pointed(
    ui: &Ui,
    state: &State,
    drawing: &Drawing<'_>,
    response: &Response,
    emit: &mut Emit<'_>,
) {
    let Some(project) = state.project() else { return };
    let reach = (8.0 / drawing.camera.scale).max(RADIUS);
    let find = |at: Pos2| {
        let at = drawing.camera.to_drawing(drawing.screen, at);
        let tor = drawing.places.nearest(at, reach).map(Selection::Tor);
        tor.or_else(|| drawing.places.nearest_cassette(at, reach).map(Selection::Cassette))
    };
    let hovered = response.hover_pos().and_then(find);
    if response.clicked() {
        response.request_focus();
        let clicked = response.interact_pointer_pos().and_then(find);
        emit.emit(Command::Select(clicked.unwrap_or_default()));
    }
    if let Some(thing) = hovered {
        let text = match thing {
            Selection::Tor(tor) => {
                let fabric = project.fabric();
                let (from, into) = (fabric.receives_from(tor), fabric.transmits_into(tor));
                format!(
                    "ToR {tor} in {}\nhears cassette {from}, transmits into cassette {into}",
                    project.tor_name(tor)
                )
            }
            Selection::Cassette(cassette) => format!("cassette {cassette}"),
            _ => String::new(),
        };
        response.clone().on_hover_text_at_pointer(text);
    }
    let menu_id = ui.make_persistent_id("fabric menu");
    if response.secondary_clicked() {
        let thing = response.interact_pointer_pos().and_then(find);
        ui.data_mut(|data| data.insert_temp(menu_id, thing.unwrap_or_default()));
    }
    let thing: Selection = ui.data(|data| data.get_temp(menu_id)).unwrap_or_default();
    response.context_menu(|ui| super::failures::break_menu(ui, thing, emit));
}

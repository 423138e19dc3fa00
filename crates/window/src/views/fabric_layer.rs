//! The dense layer of the fabric: a picture that is made anew when the view changes, and moves with it until then.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Color32, Pos2, Rect, TextureHandle, Ui, pos2};
use lightloom::TorId;

use super::emit::Emit;
use super::fabric_drawing::Drawing;
use crate::draw::camera::Camera;
use crate::draw::dense::{self, Dense, Picture};
use crate::draw::fabric_places::FabricPlaces;
use crate::layers::Layer;
use crate::slot::Slot;
use crate::state::State;

/// What the dense layer shows.
#[derive(Clone, Copy, PartialEq)]
struct LayerKey {
    camera: Camera,
    screen: egui::Vec2,
    pixels_per_point: f32,
    fibres: bool,
    /// Colours of the fibres and of the dots. The theme and the layers change them.
    colours: (Color32, Color32),
    places: u64,
}

/// The dense layer: dots for all ToRs, and the fibres of all sources if they are wanted.
#[derive(Clone, Default)]
struct Kept {
    slot: Arc<egui::mutex::Mutex<Slot<LayerKey, Picture>>>,
    texture: Option<(LayerKey, TextureHandle, Rect)>,
}

fn id() -> egui::Id {
    egui::Id::unique("fabric layer")
}

/// Whether a picture of the layer is on its way.
pub fn is_drawing(ctx: &egui::Context) -> bool {
    let layer: Option<Kept> = ctx.data(|data| data.get_temp(id()));
    layer.is_some_and(|layer| layer.slot.lock().how_far().is_some())
}

/// Draws the layer.
pub fn show(ui: &Ui, state: &State, drawing: &Drawing<'_>, emit: &Emit<'_>) {
    let wanted = LayerKey {
        camera: drawing.camera,
        screen: drawing.screen.size(),
        pixels_per_point: ui.pixels_per_point(),
        fibres: state.looks.fabric.all_fibres.unwrap_or(drawing.places.is_small())
            && state.looks.layers.has(Layer::Fibres),
        colours: (
            emit.colours.dim.gamma_multiply(state.looks.layers.strength(Layer::Fibres)),
            emit.colours.thing.gamma_multiply(state.looks.layers.strength(Layer::Tors)),
        ),
        places: state.answers.places.number(),
    };
    let mut layer: Kept = ui.data(|data| data.get_temp(id())).unwrap_or_default();
    let ctx = ui.ctx().clone();
    #[allow(clippy::cast_precision_loss, reason = "pixels")]
    let most = ui.input(|input| input.max_texture_side).min(8192) as f32;
    let dense = {
        let places = drawing.places.clone();
        let radius = drawing.radius() / drawing.camera.scale;
        move || {
            let (line, dot) = wanted.colours;
            let lines = if wanted.fibres { all_lines(&places) } else { Vec::new() };
            let dots = if dot.a() > 0 { dots(&places) } else { Vec::new() };
            Dense { lines, line, dots, dot, radius }
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
        && (key.places, key.colours) == (wanted.places, wanted.colours)
    {
        let place = Rect::from_min_max(drawing.at(bounds.min), drawing.at(bounds.max));
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        drawing.painter.image(texture.id(), place, whole, Color32::WHITE);
    }
    ui.data_mut(|data| data.insert_temp(id(), layer));
}

/// The lines of all fibres. Those between the same marks are one line.
fn all_lines(places: &FabricPlaces) -> Vec<[Pos2; 2]> {
    let every = (0..places.tors.len()).flat_map(|tor| places.lines(TorId::at(tor)));
    if places.marks.all.is_empty() {
        return every.collect();
    }
    let bits = |line: &[Pos2; 2]| line.map(|end| [end.x.to_bits(), end.y.to_bits()]);
    let mut seen = BTreeSet::new();
    every.filter(|line| seen.insert(bits(line))).collect()
}

/// The places of all ToRs that are drawn one by one.
fn dots(places: &FabricPlaces) -> Vec<Pos2> {
    let both = places.tors.iter().enumerate().chain(places.receivers.iter().enumerate());
    both.filter(|(tor, _)| !places.marks.has(TorId::at(*tor))).map(|(_, &place)| place).collect()
}

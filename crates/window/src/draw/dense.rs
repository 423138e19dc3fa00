//! The dense layer of a drawing: thousands of dots and lines as one picture, made on a thread of its own.
//!
//! A frame only moves the picture. Where there is no graphics processor, thousands of lines in every frame would
//! take a quarter of a second.

use egui::{Color32, ColorImage, Pos2, Rect, pos2};
use tiny_skia::{LineCap, Paint, PathBuilder, Pixmap, Stroke, Transform};

use crate::draw::camera::Camera;

/// Dots and lines in the units of a drawing.
#[derive(Debug, Clone, Default)]
pub struct Dense {
    /// The lines.
    pub lines: Vec<[Pos2; 2]>,
    /// Colour of the lines.
    pub line: Color32,
    /// The dots.
    pub dots: Vec<Pos2>,
    /// Colour of the dots.
    pub dot: Color32,
    /// Radius of a dot.
    pub radius: f32,
}

/// A picture of a part of a drawing.
#[derive(Clone)]
pub struct Picture {
    /// The pixels.
    pub image: ColorImage,
    /// The part of the drawing.
    pub bounds: Rect,
}

/// How much more than the screen a picture shows in each direction, so that it can be moved.
const AROUND: f32 = 0.5;

/// Draws a part of the drawing around what `camera` shows on a screen of this size. `most` is the largest side of a
/// picture, in pixels.
pub fn draw(
    dense: &Dense,
    camera: Camera,
    screen: egui::Vec2,
    pixels_per_point: f32,
    most: f32,
) -> Picture {
    let side = screen.max_elem().max(1.0);
    let around = AROUND.min((most / (side * pixels_per_point) - 1.0) / 2.0).max(0.0);
    let size = screen * (1.0 + 2.0 * around);
    let pixels_per_point = pixels_per_point.min(most / size.max_elem().max(1.0));
    let bounds = Rect::from_center_size(camera.centre, size / camera.scale);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "pixels of a screen"
    )]
    let pixels = |points: f32| ((points * pixels_per_point) as u32).clamp(1, 8192);
    let (width, height) = (pixels(size.x), pixels(size.y));
    let scale = camera.scale * pixels_per_point;
    let place = |at: Pos2| {
        let from = (at - bounds.min) * scale;
        pos2(from.x, from.y)
    };
    let Some(mut map) = Pixmap::new(width, height) else {
        return Picture { image: ColorImage::filled([1, 1], Color32::TRANSPARENT), bounds };
    };
    let seen = bounds.expand(dense.radius);
    let mut lines = PathBuilder::new();
    for line in dense.lines.iter().filter(|line| Rect::from_points(&line[..]).intersects(seen)) {
        let [from, to] = line.map(place);
        lines.move_to(from.x, from.y);
        lines.line_to(to.x, to.y);
    }
    if let Some(path) = lines.finish() {
        let stroke = Stroke { width: 1.0, line_cap: LineCap::Butt, ..Stroke::default() };
        map.stroke_path(&path, &paint(dense.line), &stroke, Transform::identity(), None);
    }
    let radius = (dense.radius * scale).max(0.7);
    let mut dots = PathBuilder::new();
    for &dot in dense.dots.iter().filter(|dot| seen.contains(**dot)) {
        let at = place(dot);
        dots.push_circle(at.x, at.y, radius);
    }
    if let Some(path) = dots.finish() {
        let rule = tiny_skia::FillRule::Winding;
        map.fill_path(&path, &paint(dense.dot), rule, Transform::identity(), None);
    }
    let size = [width as usize, height as usize];
    Picture { image: ColorImage::from_rgba_premultiplied(size, map.data()), bounds }
}

fn paint(colour: Color32) -> Paint<'static> {
    let [red, green, blue, alpha] = colour.to_srgba_unmultiplied();
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, alpha);
    paint
}

//! A cross: what is lost or cut off.

use egui::{Color32, Painter, Pos2, Stroke, vec2};

/// Draws a cross. `radius` is half its side, in points.
pub fn cross(painter: &Painter, centre: Pos2, radius: f32, colour: Color32) {
    let stroke = Stroke::new(2.0, colour);
    for by in [vec2(radius, radius), vec2(radius, -radius)] {
        painter.line_segment([centre - by, centre + by], stroke);
    }
}

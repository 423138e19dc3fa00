//! Shapes without textures: rectangles, circles, lines, paths and curves.

use std::fmt::Write as _;

use egui::epaint::{ColorMode, PathStroke, RectShape, Shape, StrokeKind};
use egui::{Color32, Pos2, Rect};

use super::{Writer, fill, number, place, stroke};

impl Writer<'_> {
    /// Writes a shape.
    pub(super) fn shape(&mut self, shape: &Shape) -> Result<(), String> {
        match shape {
            Shape::Noop => {}
            Shape::Vec(shapes) => {
                for shape in shapes {
                    self.shape(shape)?;
                }
            }
            Shape::Circle(circle) => {
                let [x, y, radius] =
                    [circle.center.x, circle.center.y, circle.radius.max(0.0)].map(number);
                let look = fill(circle.fill) + &stroke(circle.stroke.width, circle.stroke.color);
                self.element(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{look}/>"));
            }
            Shape::Ellipse(ellipse) => {
                let values =
                    [ellipse.center.x, ellipse.center.y, ellipse.radius.x, ellipse.radius.y];
                let [x, y, a, b] = values.map(number);
                let look = fill(ellipse.fill) + &stroke(ellipse.stroke.width, ellipse.stroke.color);
                let turn = turned(ellipse.angle, ellipse.center);
                self.element(&format!(
                    "<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{a}\" ry=\"{b}\"{look}{turn}/>"
                ));
            }
            Shape::LineSegment { points, stroke: line } => {
                let [x1, y1, x2, y2] =
                    [points[0].x, points[0].y, points[1].x, points[1].y].map(number);
                let look = stroke(line.width, line.color);
                if !look.is_empty() {
                    self.element(&format!(
                        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{look}/>"
                    ));
                }
            }
            Shape::Path(path) => {
                let name = if path.closed { "polygon" } else { "polyline" };
                let look = fill(path.fill) + &of_path(&path.stroke, &path.points);
                self.element(&format!("<{name} points=\"{}\"{look}/>", points(&path.points)));
            }
            Shape::Band(band) => {
                let upper = band.points.iter().map(|at| Pos2::new(at.x, at.y.min));
                let lower = band.points.iter().rev().map(|at| Pos2::new(at.x, at.y.max));
                let around: Vec<Pos2> = upper.chain(lower).collect();
                let look = fill(band.fill) + &stroke(band.stroke.width, band.stroke.color);
                self.element(&format!("<polygon points=\"{}\"{look}/>", points(&around)));
            }
            Shape::Rect(rect) => self.rect(rect)?,
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh)?,
            Shape::QuadraticBezier(curve) => {
                let [start, control, end] = curve.points.map(pair);
                let look = fill(curve.fill) + &of_path(&curve.stroke, &curve.points);
                let end = if curve.closed { end + " Z" } else { end };
                self.element(&format!("<path d=\"M {start} Q {control} {end}\"{look}/>"));
            }
            Shape::CubicBezier(curve) => {
                let [start, one, other, end] = curve.points.map(pair);
                let look = fill(curve.fill) + &of_path(&curve.stroke, &curve.points);
                let end = if curve.closed { end + " Z" } else { end };
                self.element(&format!("<path d=\"M {start} C {one} {other} {end}\"{look}/>"));
            }
            Shape::Callback(_) => {
                return Err("a frame has a callback, which only a graphics processor draws".into());
            }
        }
        Ok(())
    }

    /// Writes one element on a line of its own.
    pub(super) fn element(&mut self, element: &str) {
        let _ = writeln!(self.body, "{element}");
    }

    fn rect(&mut self, rect: &RectShape) -> Result<(), String> {
        // A blurred rectangle is a shadow.
        if rect.blur_width > 0.0 {
            return Ok(());
        }
        if let Some(brush) = &rect.brush {
            return self.image(rect.rect, brush.fill_texture_id, brush.uv, rect.fill);
        }
        let half = rect.stroke.width / 2.0;
        let frame: Rect = match rect.stroke_kind {
            StrokeKind::Inside => rect.rect.shrink(half),
            StrokeKind::Middle => rect.rect,
            StrokeKind::Outside => rect.rect.expand(half),
        };
        let line = stroke(rect.stroke.width, rect.stroke.color);
        let paint = fill(rect.fill);
        if line.is_empty() && rect.fill.a() == 0 {
            return Ok(());
        }
        let radius = rect.corner_radius;
        let round = if radius.is_same() && radius.nw > 0 {
            format!(" rx=\"{}\"", radius.nw)
        } else {
            String::new()
        };
        let at = if line.is_empty() { rect.rect } else { frame };
        let turn = turned(rect.angle, rect.rect.center());
        self.element(&format!("<rect {}{round}{paint}{line}{turn}/>", place(at)));
        Ok(())
    }
}

/// The attribute that turns an element around a point.
pub(super) fn turned(angle: f32, around: Pos2) -> String {
    if angle == 0.0 {
        return String::new();
    }
    format!(" transform=\"rotate({} {})\"", number(angle.to_degrees()), pair(around))
}

/// The look of a path's line. A line of many colours has that of its middle.
fn of_path(line: &PathStroke, points: &[Pos2]) -> String {
    let colour: Color32 = match &line.color {
        ColorMode::Solid(colour) => *colour,
        ColorMode::UV(at) => {
            let bounds = Rect::from_points(points);
            at(bounds, bounds.center())
        }
    };
    let look = stroke(line.width, colour);
    if look.is_empty() { look } else { look + " stroke-linejoin=\"round\"" }
}

fn pair(at: Pos2) -> String {
    format!("{} {}", number(at.x), number(at.y))
}

pub(super) fn points(points: &[Pos2]) -> String {
    let pairs: Vec<String> =
        points.iter().map(|at| format!("{},{}", number(at.x), number(at.y))).collect();
    pairs.join(" ")
}

//! The part of a drawing that is on the screen.

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use serde::{Deserialize, Serialize};

/// The point of a drawing in the middle of the screen, and the scale.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// The point in the middle, in the drawing's units.
    pub centre: Pos2,
    /// Points of the screen per unit of the drawing.
    pub scale: f32,
}

/// Space around a drawing that fits, in points.
const MARGIN: f32 = 24.0;

impl Camera {
    /// Shows all of `bounds` on `screen`.
    pub fn fit(bounds: Rect, screen: Rect) -> Self {
        let room = (screen.size() - Vec2::splat(2.0 * MARGIN)).max(Vec2::splat(1.0));
        let size = bounds.size().max(Vec2::splat(1e-3));
        let scale = (room.x / size.x).min(room.y / size.y);
        Self { centre: bounds.center(), scale }
    }

    /// Whether it shows a place, at a scale that can be drawn. One that was read from a file may not.
    pub fn is_sound(self) -> bool {
        let is_near = |at: f32| at.abs() <= 1e9;
        is_near(self.centre.x) && is_near(self.centre.y) && (1e-7..=1e7).contains(&self.scale)
    }

    /// The place of a point on the screen.
    pub fn to_screen(self, screen: Rect, at: Pos2) -> Pos2 {
        screen.center() + (at - self.centre) * self.scale
    }

    /// The point at a place of the screen.
    pub fn to_drawing(self, screen: Rect, at: Pos2) -> Pos2 {
        self.centre + (at - screen.center()) / self.scale
    }

    /// The camera after a drag by `by` points.
    #[must_use]
    pub fn panned(self, by: Vec2) -> Self {
        Self { centre: self.centre - by / self.scale, ..self }
    }

    /// The camera after zooming by `factor`. The point at `at` of the screen stays where it is.
    #[must_use]
    pub fn zoomed(self, screen: Rect, at: Pos2, factor: f32) -> Self {
        let scale = (self.scale * factor).clamp(1e-4, 1e5);
        let point = self.to_drawing(screen, at);
        let centre = point - (at - screen.center()) / scale;
        Self { centre, scale }
    }

    /// What drags, scrolls and keys over `response` make of the camera. `None`: they change nothing.
    pub fn moved(self, ui: &egui::Ui, response: &egui::Response) -> Option<Self> {
        let mut camera = self;
        if response.dragged() {
            camera = camera.panned(response.drag_delta());
        }
        if let Some(at) = response.hover_pos() {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta, input.zoom_delta()));
            let factor = pinch * (scroll.y / 240.0).exp();
            if (factor - 1.0).abs() > 1e-4 {
                camera = camera.zoomed(response.rect, at, factor);
            }
        }
        if response.has_focus() {
            // Arrow keys would move the focus to another widget.
            let filter = egui::EventFilter {
                horizontal_arrows: true,
                vertical_arrows: true,
                ..egui::EventFilter::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
            camera = camera.by_keys(ui, response.rect);
        }
        (camera != self).then_some(camera)
    }

    fn by_keys(self, ui: &egui::Ui, screen: Rect) -> Self {
        use egui::Key;
        let step = 40.0;
        let ways = [
            (Key::ArrowLeft, vec2(step, 0.0)),
            (Key::ArrowRight, vec2(-step, 0.0)),
            (Key::ArrowUp, vec2(0.0, step)),
            (Key::ArrowDown, vec2(0.0, -step)),
        ];
        let mut camera = self;
        ui.input(|input| {
            for (key, by) in ways {
                if input.key_pressed(key) {
                    camera = camera.panned(by);
                }
            }
            if input.key_pressed(Key::Plus) || input.key_pressed(Key::Equals) {
                camera = camera.zoomed(screen, screen.center(), 1.25);
            }
            if input.key_pressed(Key::Minus) {
                camera = camera.zoomed(screen, screen.center(), 0.8);
            }
        });
        camera
    }
}

impl Default for Camera {
    fn default() -> Self {
        Self { centre: pos2(0.0, 0.0), scale: 1.0 }
    }
}

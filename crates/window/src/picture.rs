//! Pictures of panels, as PNG and as SVG, drawn without a display.

use std::thread;
use std::time::Duration;

use egui::{Context, FullOutput, Pos2, Rect, Theme, Vec2};

use crate::colours;
use crate::draw::still;
use crate::draw::svg::svg;
use crate::panel::Panel;
use crate::state::State;
use crate::views::{self, Emit};
use lightloom_raster::Soft;

/// Size of a picture of a panel, in points.
pub const SIZE: Vec2 = egui::vec2(1600.0, 1000.0);
/// Least number of frames before a picture is taken: tables need a few to settle.
const FRAMES: usize = 6;

/// A panel's last frame, with its textures.
struct Frame {
    ctx: Context,
    soft: Soft,
    output: FullOutput,
}

fn frame(panel: Panel, state: &State, size: Vec2, theme: Theme) -> Frame {
    let ctx = Context::default();
    ctx.set_theme(theme);
    colours::set(&ctx);
    still::never_in(&ctx);
    let mut soft = Soft::default();
    let input = || egui::RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
        ..egui::RawInput::default()
    };
    let mut frames = 0;
    let output = loop {
        let mut nothing = Vec::new();
        let mut drawn = ctx.run_ui(input(), |ui| {
            let mut emit = Emit::new(ui, &mut nothing);
            egui::Frame::central_panel(ui.style())
                .show(ui, |ui| views::show(panel, ui, state, &mut emit));
        });
        soft.take_textures(&mut drawn.textures_delta);
        frames += 1;
        let is_drawing = views::is_drawing(&ctx);
        if frames >= FRAMES && !is_drawing {
            break drawn;
        }
        if is_drawing {
            thread::sleep(Duration::from_millis(5));
        }
    };
    Frame { ctx, soft, output }
}

/// A picture of one panel, as PNG.
///
/// # Errors
/// A message if it cannot be drawn.
pub fn png(panel: Panel, state: &State, size: Vec2, theme: Theme) -> Result<Vec<u8>, String> {
    let Frame { ctx, soft, output } = frame(panel, state, size, theme);
    soft.draw(&ctx, &output, size)?.png()
}

/// A picture of one panel, as SVG.
///
/// # Errors
/// A message if it cannot be drawn.
pub fn svg_of(panel: Panel, state: &State, size: Vec2, theme: Theme) -> Result<String, String> {
    let Frame { ctx, soft, output } = frame(panel, state, size, theme);
    let ground = ctx.global_style().visuals.panel_fill;
    svg(panel.title(), &output.shapes, (size, ground), &soft)
}

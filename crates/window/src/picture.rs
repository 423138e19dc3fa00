//! Pictures of panels, as PNG and as SVG, drawn without a display.

use egui::{Context, FullOutput, Pos2, Rect, Theme, Vec2};

use crate::draw::svg::svg;
use crate::panel::Panel;
use crate::soft::Soft;
use crate::state::State;
use crate::views::{self, Emit};

/// Size of a picture of a panel, in points.
pub const SIZE: Vec2 = egui::vec2(1600.0, 1000.0);
/// Number of frames before a picture is taken: tables and dense layers need a few to settle.
const FRAMES: usize = 6;

/// A panel's last frame, with its textures.
struct Frame {
    ctx: Context,
    soft: Soft,
    output: FullOutput,
}

fn frame(panel: Panel, state: &State, size: Vec2, theme: Theme) -> Result<Frame, String> {
    let ctx = Context::default();
    ctx.set_theme(theme);
    let mut soft = Soft::default();
    let input = || egui::RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
        ..egui::RawInput::default()
    };
    let mut output = None;
    for _ in 0..FRAMES {
        let mut nothing = Vec::new();
        let mut drawn = ctx.run_ui(input(), |ui| {
            let mut emit = Emit::new(ui, &mut nothing);
            egui::Frame::central_panel(ui.style())
                .show(ui, |ui| views::show(panel, ui, state, &mut emit));
        });
        soft.take_textures(&mut drawn.textures_delta);
        output = Some(drawn);
        std::thread::sleep(std::time::Duration::from_millis(40));
    }
    Ok(Frame { ctx, soft, output: output.ok_or("nothing was drawn")? })
}

/// A picture of one panel, as PNG.
///
/// # Errors
/// A message if it cannot be drawn.
pub fn png(panel: Panel, state: &State, size: Vec2, theme: Theme) -> Result<Vec<u8>, String> {
    let Frame { ctx, soft, output } = frame(panel, state, size, theme)?;
    soft.draw(&ctx, &output, size)?.png()
}

/// A picture of one panel, as SVG.
///
/// # Errors
/// A message if it cannot be drawn.
pub fn svg_of(panel: Panel, state: &State, size: Vec2, theme: Theme) -> Result<String, String> {
    let Frame { ctx, soft, output } = frame(panel, state, size, theme)?;
    let ground = ctx.global_style().visuals.panel_fill;
    svg(panel.title(), &output.shapes, (size, ground), &soft)
}

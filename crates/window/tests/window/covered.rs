//! The window covers all of its ground: what a desktop clears it with is seen nowhere.

use egui::{Color32, Context, Pos2, RawInput, Rect, Theme, ThemePreference, vec2};
use lightloom_raster::Soft;
use lightloom_window::Window;
use lightloom_window::command::Command;
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;

/// The pixels that the window leaves as they were, in this theme with these panels.
fn uncovered(theme: Theme, only: Option<Panel>) -> usize {
    let ctx = Context::default();
    let mut window = Window::new(&ctx, Unsaved::default());
    let preference = match theme {
        Theme::Light => ThemePreference::Light,
        Theme::Dark => ThemePreference::Dark,
    };
    window.state.apply(Command::Theme(preference));
    window.state.apply(Command::Only(only));
    let size = vec2(520.0, 360.0);
    let mut soft = Soft::default();
    let mut last = None;
    for _ in 0..2 {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            ..RawInput::default()
        };
        // As eframe does: nothing is drawn around the window.
        let mut drawn = ctx.run_ui(input, |ui| window.show(ui));
        soft.take_textures(&mut drawn.textures_delta);
        last = Some(drawn);
    }
    let output = last.expect("there were frames");
    let on = |ground| soft.draw_on(&ctx, &output, size, ground).expect("it can be drawn").pixels;
    let (black, red) = (on(Color32::BLACK), on(Color32::RED));
    let differ = black.iter().zip(&red).filter(|(one, other)| one != other).count();
    window.state.close();
    differ
}

#[test]
fn no_part_of_the_window_shows_what_is_behind_it() {
    for theme in [Theme::Light, Theme::Dark] {
        assert_eq!(uncovered(theme, None), 0, "{theme:?}: all panels");
        assert_eq!(uncovered(theme, Some(Panel::Log)), 0, "{theme:?}: one panel");
    }
}

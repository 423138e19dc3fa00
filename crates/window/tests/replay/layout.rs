//! The reader of the layout that an earlier session kept, as a function of bytes. The fuzz target of the same name and
//! the test that replays saved inputs call it.

use std::cell::RefCell;

use egui::{Context, RawInput, Rect, pos2, vec2};
use lightloom_window::Window;
use lightloom_window::state::unsaved::Unsaved;

thread_local! {
    /// Its fonts are read once.
    static CONTEXT: RefCell<Context> = RefCell::new(Context::default());
}

/// Takes a layout, draws with it, and keeps it for the next session.
pub(crate) fn read(bytes: &[u8]) {
    CONTEXT.with_borrow(|ctx| {
        let mut window = Window::new(ctx, Unsaved::default());
        window.restore(&String::from_utf8_lossy(bytes), None);
        // The second frame has the scale of the first.
        for _ in 0..2 {
            let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(1200.0, 800.0));
            let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
            let mut drawn = ctx.run_ui(input, |ui| window.show(ui));
            // Nobody looks at the pixels.
            drawn.textures_delta.clear();
        }
        // What is kept can be taken again.
        window.restore(&window.kept(), None);
        window.state.close();
    });
}

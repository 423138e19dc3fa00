//! A window without a display.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use egui::{Context, FullOutput, TexturesDelta, Theme};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, TestRenderer};
use image::RgbaImage;
use lightloom_gui::Window;
use lightloom_gui::command::Command;
use lightloom_gui::soft::Soft;
use lightloom_gui::state::unsaved::Unsaved;

/// Draws without a graphics processor, so that pictures are the same on every machine.
#[derive(Default)]
struct Renderer(Soft);

impl TestRenderer for Renderer {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        self.0.take_textures(delta);
    }

    fn render(&mut self, ctx: &Context, output: &FullOutput) -> Result<RgbaImage, String> {
        let picture = self.0.draw(ctx, output, ctx.content_rect().size())?;
        let [width, height] = picture.size.map(|side| u32::try_from(side).unwrap_or(0));
        RgbaImage::from_raw(width, height, picture.bytes()).ok_or_else(|| "no picture".to_owned())
    }
}

/// A window that a test drives.
pub struct Driven {
    pub harness: Harness<'static, Option<Window>>,
}

impl Driven {
    /// A window with the example.
    pub fn new() -> Self {
        Self::of(Unsaved::default(), Theme::Light)
    }

    pub fn of(unsaved: Unsaved, theme: Theme) -> Self {
        let harness = Harness::builder()
            .with_size([1280.0, 860.0])
            .with_theme(theme)
            .renderer(Renderer::default())
            .build_ui_state(
                move |ui, window: &mut Option<Window>| {
                    let window =
                        window.get_or_insert_with(|| Window::new(ui.ctx(), unsaved.clone()));
                    window.show(ui);
                },
                None,
            );
        let mut driven = Self { harness };
        let wanted = match theme {
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
        };
        driven.apply(Command::Theme(wanted));
        driven
    }

    pub fn window(&mut self) -> &mut Window {
        self.harness.state_mut().as_mut().expect("the first frame makes it")
    }

    /// Carries out a command, and waits until everything has been answered.
    pub fn apply(&mut self, command: Command) {
        self.harness.step();
        self.window().state.apply(command);
        self.settle();
    }

    pub fn open(&mut self, path: &Path) {
        self.apply(Command::OpenFile(path.to_path_buf()));
    }

    /// Waits until nothing is at work and nothing moves.
    pub fn settle(&mut self) {
        let patience = Instant::now() + Duration::from_secs(120);
        for quiet in 0.. {
            let mut quiet_frames = quiet;
            self.harness.step();
            if self.window().is_busy() {
                thread::sleep(Duration::from_millis(5));
                quiet_frames = 0;
            }
            assert!(Instant::now() < patience, "the window does not come to rest");
            if quiet_frames > 12 {
                // The dense layer is drawn on a thread that the window does not wait for.
                thread::sleep(Duration::from_millis(30));
                self.harness.run_steps(4);
                if !self.window().is_busy() {
                    return;
                }
            }
        }
    }

    /// Clicks the thing of this name.
    pub fn click(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.settle();
    }

    /// Types into the field of this name, and leaves it.
    pub fn type_into(&mut self, name: &str, text: &str) {
        let field = self.harness.get_by_label(name);
        field.focus();
        self.harness.step();
        self.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        self.harness.get_by_label(name).type_text(text);
        self.harness.step();
        self.harness.key_press(egui::Key::Enter);
        self.settle();
    }

    /// Whether something has this name.
    pub fn has(&self, name: &str) -> bool {
        self.harness.query_by_label_contains(name).is_some()
    }

    /// Compares the window with the picture of this name.
    pub fn snapshot(&mut self, name: &str) {
        self.settle();
        self.harness.snapshot(name);
    }
}

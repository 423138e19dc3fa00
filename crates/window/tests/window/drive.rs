//! A window without a display.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use egui::{Context, FullOutput, TexturesDelta, Theme};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResult, TestRenderer};
use image::RgbaImage;
use lightloom::TorId;
use lightloom_raster::Soft;
use lightloom_window::Window;
use lightloom_window::command::Command;
use lightloom_window::state::unsaved::Unsaved;

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

/// A shipped example.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
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
        Self::sized(unsaved, theme, [1280.0, 860.0])
    }

    pub fn sized(unsaved: Unsaved, theme: Theme, size: [f32; 2]) -> Self {
        let harness = Harness::builder()
            .with_size(size)
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

    /// Carries out a command, and draws the next frame.
    pub fn apply_without_waiting(&mut self, command: Command) {
        self.window().state.apply(command);
        self.harness.step();
    }

    pub fn open(&mut self, path: &Path) {
        self.apply(Command::OpenFile(path.to_path_buf()));
    }

    /// Waits until nothing is at work and nothing moves.
    pub fn settle(&mut self) {
        let patience = Instant::now() + Duration::from_secs(120);
        let mut quiet = 0;
        while quiet < 4 {
            self.harness.run_ok();
            quiet += 1;
            let ctx = self.harness.ctx.clone();
            if self.window().is_busy() || self.window().is_drawing(&ctx) {
                thread::sleep(Duration::from_millis(5));
                quiet = 0;
            }
            assert!(Instant::now() < patience, "the window does not come to rest");
        }
    }

    /// The text of the design.
    pub fn text(&mut self) -> String {
        self.window().state.work.now().text.to_string()
    }

    /// The ToRs that the selected source does not reach. Nothing selected: none.
    pub fn missed(&mut self) -> Vec<TorId> {
        self.window().state.answers.spread.last().map_or(Vec::new(), |spread| spread.missed.clone())
    }

    /// Number of phases of the repair.
    pub fn phases(&mut self) -> usize {
        self.window().state.answers.recover.last().map_or(0, |repair| repair.phases.len())
    }

    /// Clicks the thing of this name.
    pub fn click(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.settle();
    }

    /// Clicks on the first of several things of this name.
    pub fn click_first(&mut self, name: &str) {
        let mut all = self.harness.get_all_by_label(name);
        all.next().expect("at least one").click();
        drop(all);
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
        self.harness.query_all_by_label_contains(name).next().is_some()
    }

    /// Compares the window with the picture of this name.
    pub fn compared(&mut self, name: &str) -> SnapshotResult {
        self.settle();
        self.harness.try_snapshot(name)
    }
}

/// Writes a file into a folder.
pub fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("it can be written");
    path
}

/// The last line of the log.
pub fn last_line(window: &mut Driven) -> String {
    window.window().state.log.last().map_or_else(String::new, |line| line.text.clone())
}

/// A scenario in a folder of its own.
pub fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("scenario.toml");
    fs::write(&path, text).expect("the test writes its input");
    (folder, path)
}

/// All texts on the screen, one after another.
pub fn shown(window: &Driven) -> String {
    fn collect(node: &egui_kittest::Node<'_>, into: &mut String) {
        let own = node.accesskit_node();
        for text in [own.label(), own.value()].into_iter().flatten() {
            into.push_str(&text);
            into.push('\n');
        }
        for child in node.children() {
            collect(&child, into);
        }
    }
    let mut text = String::new();
    collect(&window.harness.root(), &mut text);
    text
}

//! Times of a real window, with its pictures: until the first one is whole, and between two while a drawing moves.
//!
//! It needs a display; `scripts/time-window` gives it one without a screen. Its argument is a design file.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use eframe::{App, CreationContext, Frame, NativeOptions};
use egui::{Ui, ViewportBuilder, ViewportCommand, vec2};
use lightloom::TorId;
use lightloom_window::Window;
use lightloom_window::command::{Command, Selection};
use lightloom_window::draw::camera::Camera;
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;

/// Frames before times are taken.
const WARM_UP: usize = 20;
/// Frames whose times are taken, for each drawing.
const FRAMES: usize = 200;

#[derive(Debug, Parser)]
struct Args {
    /// The design file.
    design: PathBuf,
    /// What Cargo passes to benchmarks.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The window, moved by itself.
struct Timed {
    window: Window,
    began: Instant,
    is_whole: bool,
    /// Frames one after another to which nothing was missing.
    whole_frames: u32,
    /// The drawings that are still to be moved, and their first cameras.
    waiting: Vec<(Panel, Camera)>,
    last: Option<Instant>,
    times: Vec<Duration>,
}

impl Timed {
    fn new(created: &CreationContext<'_>, began: Instant, args: &Args) -> Self {
        let mut window = Window::new(&created.egui_ctx, Unsaved::default());
        window.open(&args.design);
        let camera = |scale| Camera { centre: egui::pos2(100.0, 100.0), scale };
        let waiting = vec![(Panel::Hall, camera(12.0)), (Panel::Fabric, camera(1.4))];
        Self {
            window,
            began,
            is_whole: false,
            whole_frames: 0,
            waiting,
            last: None,
            times: Vec::new(),
        }
    }

    /// Moves the drawing that is next, and takes the time since the frame before.
    fn go_on(&mut self, ui: &Ui) {
        let Some((panel, camera)) = self.waiting.last_mut() else {
            return ui.ctx().send_viewport_cmd(ViewportCommand::Close);
        };
        if self.times.is_empty() {
            self.window.state.apply(Command::Show(*panel));
        }
        *camera = camera.panned(vec2(1.0, 0.5));
        self.window.state.apply(Command::Look(*panel, *camera));
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            self.times.push(now - last);
        }
        if self.times.len() == WARM_UP + FRAMES {
            let mut times = self.times.split_off(WARM_UP);
            times.sort_unstable();
            let [median, slow] = [times[FRAMES / 2], times[FRAMES * 95 / 100]];
            say(&format!(
                "{}, moved: median {median:.1?}, 95th percentile {slow:.1?}",
                panel.title()
            ));
            self.waiting.pop();
            self.times.clear();
            self.last = None;
        }
    }
}

impl App for Timed {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut Frame) {
        let nothing_is_missing = !self.window.is_busy()
            && !self.window.is_drawing(ui.ctx())
            && self.window.state.answers.places.last().is_some();
        // A picture of many lines is asked for by the first frame that has all answers.
        self.whole_frames = if nothing_is_missing { self.whole_frames + 1 } else { 0 };
        if self.is_whole {
            self.go_on(ui);
        } else if self.whole_frames > 1 {
            // The frame before this one had everything, and is on the screen.
            say(&format!("first whole picture after {:.0?}", self.began.elapsed()));
            self.is_whole = true;
            self.window.state.apply(Command::Select(Selection::Tor(TorId(0))));
        }
        self.window.show(ui);
        ui.ctx().request_repaint();
    }
}

fn say(line: &str) {
    // Without a standard output there is no place for figures.
    let _ = writeln!(io::stdout(), "{line}");
}

fn main() -> eframe::Result {
    let began = Instant::now();
    let args = Args::parse();
    let viewport = ViewportBuilder::default().with_inner_size([1280.0, 860.0]);
    let mut options = NativeOptions { viewport, ..Default::default() };
    // A picture is not held back until a display would show it.
    options.glow_options.vsync = false;
    eframe::run_native(
        "lightloom: frame times",
        options,
        Box::new(move |created| Ok(Box::new(Timed::new(created, began, &args)))),
    )
}

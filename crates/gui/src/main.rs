//! Opens the window: `lightloom-gui [DESIGN|PLAN|SCENARIO]`.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lightloom_gui::Desktop;
use lightloom_window::words::without_source;

/// The window of lightloom.
#[derive(Debug, Parser)]
#[command(name = "lightloom-gui", version)]
struct Args {
    /// A design file, the folder of a plan, or a scenario.
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let viewport = egui::ViewportBuilder::default()
        .with_app_id("lightloom")
        .with_inner_size([1280.0, 860.0])
        .with_min_inner_size([640.0, 400.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let run = eframe::run_native(
        "lightloom",
        options,
        Box::new(|created| Ok(Box::new(Desktop::new(created).with(args.file.as_deref())))),
    );
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a standard error there is no place for the message.
            let why = without_source(&error.to_string());
            let _ = writeln!(io::stderr(), "lightloom-gui: the window cannot be opened: {why}");
            ExitCode::FAILURE
        }
    }
}

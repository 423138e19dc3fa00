//! A progress bar for long work: on standard error, and only when that is a terminal.

use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lightloom::{OnProgress, Watch};

use lightloom::shown::amounts::time;

/// Set when the user interrupts the command.
static STOP: AtomicBool = AtomicBool::new(false);

/// Exit code of an interrupted program.
const INTERRUPTED: i32 = 130;

/// Makes an interruption (Ctrl-C) stop the work at its next step. A second one ends the program.
fn listen() {
    // Without a handler, an interruption ends the program.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });
}

/// A watch that shows progress and obeys interruptions.
pub(crate) fn watching<T>(show: OnProgress<'_>) -> Watch<'_, T> {
    listen();
    Watch::quiet().on_progress(show).stopped_by(&STOP)
}

/// A bar without a style; a quiet one is never drawn.
fn bar(quiet: bool) -> ProgressBar {
    // indicatif draws nothing where standard error is not a terminal.
    let stderr = || ProgressDrawTarget::stderr_with_hz(10);
    let target = if quiet { ProgressDrawTarget::hidden() } else { stderr() };
    ProgressBar::with_draw_target(None, target)
}

/// A bar that appears once there is something to tell, and goes when dropped.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// What is done, and to what.
    pub(crate) fn new(quiet: bool, what: &'static str, of: &'static str) -> Self {
        let bar = bar(quiet);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {prefix}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what);
        bar.set_prefix(of);
        Self(bar)
    }

    /// Shows progress.
    pub(crate) fn show(&self, done: u64, of: u64) {
        self.0.set_length(of);
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar of simulated time, with the time that is left.
pub(crate) struct Clock(ProgressBar);

impl Clock {
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = bar(quiet);
        let style = ProgressStyle::with_template("Simulating {wide_bar} {msg}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }

    /// So much of the simulated time is done, in picoseconds.
    pub(crate) fn tell(&self, done: u64, of: u64) {
        if self.0.is_hidden() {
            return;
        }
        self.0.set_length(of);
        self.0.set_position(done);
        self.0.set_message(format!("{} of {}", time(done), time(of)));
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
